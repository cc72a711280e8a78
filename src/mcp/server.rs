//! The protocol's requests, each answered by the facade on a thread that may block.

use std::fmt::Write as _;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate, Role, ServerCapabilities, ServerConfig, SubscriptionFilter, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::watch::{Follower, Lists};
use super::{Library, McpError, Options};
use crate::store::embedded::Edition;
use crate::tools::{
    Answer, Definition, Entry, Holdings, PROMPT_NAME, Toolbox, TraceLog, definitions, instructions, strategy,
};

/// Scheme of the resources' addresses.
const SCHEME: &str = "ragctl://";
/// Resources on one page of the list.
const PAGE: usize = 200;
/// How often the server looks whether another process has changed the index, to tell clients to list anew. Calls look for
/// themselves, every time.
const LOOK: Duration = Duration::from_secs(1);

/// A server over one index; cheap to clone, one for all sessions.
#[derive(Clone)]
pub(super) struct Server(Arc<Inner>);

struct Inner {
    library: Library,
    /// What clients that connect now are told.
    instructions: RwLock<String>,
    about: Option<(String, usize)>,
    trace: Option<TraceLog>,
    lists: watch::Sender<Lists>,
    /// What the instructions and the lists were made of.
    edition: Edition,
}

impl Server {
    /// Reads what the index holds, and the passages about the topic.
    ///
    /// # Errors
    ///
    /// When the index cannot be read, or has no vectors to search for the topic with.
    pub(super) fn new(options: Options) -> Result<Self, McpError> {
        let Options { folder, base, embedder, budget, about, trace } = options;
        let library = Library::new(folder, base, embedder, budget);
        let edition = library.edition()?;
        let (instructions, lists) = library.with_toolbox(|toolbox| {
            let instructions = welcome(toolbox, about.as_ref(), trace.as_ref())?;
            Ok::<_, McpError>((RwLock::new(instructions), watch::Sender::new(Lists::of(toolbox)?)))
        })??;
        Ok(Self(Arc::new(Inner { library, instructions, about, trace, lists, edition })))
    }

    /// Looks for changes of the index for as long as the server runs, and makes the instructions and the lists anew.
    pub(super) async fn watch(self) {
        let mut known = self.0.edition;
        loop {
            tokio::time::sleep(LOOK).await;
            let inner = self.0.clone();
            let looked = tokio::task::spawn_blocking(move || inner.look(known)).await;
            // An index that cannot be read now (it is being replaced, say) may be read the next time.
            if let Ok(Ok(now)) = looked {
                known = now;
            }
        }
    }

    /// Answers on a thread that may block. A request that is cancelled is answered no more; its thread ends by itself.
    async fn answer<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Toolbox<'_>, &Inner) -> T + Send + 'static,
    ) -> Result<T, ErrorData> {
        let inner = self.0.clone();
        let task =
            tokio::task::spawn_blocking(move || inner.library.with_toolbox(|toolbox| work(toolbox, &inner)));
        let failed = |text: String| ErrorData::internal_error(text, None);
        tokio::select! {
            () = context.ct.cancelled() => Err(failed("the request was cancelled".to_owned())),
            outcome = task => match outcome {
                Ok(Ok(answer)) => Ok(answer),
                Ok(Err(error)) => Err(failed(format!("the index cannot be read: {error}"))),
                Err(error) => Err(failed(format!("the call failed: {error}"))),
            },
        }
    }
}

impl Inner {
    /// Makes the instructions and lists anew unless the index is the one that is known; says which it is.
    fn look(&self, known: Edition) -> Result<Edition, McpError> {
        // Taken before anything is read: at worst the next look reads once more.
        let now = self.library.edition()?;
        if now == known {
            return Ok(now);
        }
        let (instructions, lists) = self.library.with_toolbox(|toolbox| {
            // Nobody called: no trace.
            let instructions = welcome(toolbox, self.about.as_ref(), None)?;
            Ok::<_, McpError>((instructions, Lists::of(toolbox)?))
        })??;
        *self.instructions.write().unwrap_or_else(PoisonError::into_inner) = instructions;
        self.lists.send_if_modified(|held| std::mem::replace(held, lists) != lists);
        Ok(now)
    }
}

/// The instructions, with the passages about a topic.
fn welcome(
    toolbox: &Toolbox<'_>,
    about: Option<&(String, usize)>,
    trace: Option<&TraceLog>,
) -> Result<String, McpError> {
    let mut text = instructions(&toolbox.offered(), &Holdings::of(toolbox.store)?);
    let Some((topic, top_k)) = about else { return Ok(text) };
    if toolbox.store.vector().is_none() {
        return Err(McpError::NoVectors);
    }
    let arguments = json!({"query": topic, "topK": top_k});
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let started = Instant::now();
    let answer = toolbox.call("vectorSearch", &arguments);
    traced(trace, "vectorSearch", &arguments, &answer, started);
    let _ = write!(text, "\nPassages about \"{topic}\", found beforehand:\n\n{}", answer.text);
    Ok(text)
}

fn traced(
    trace: Option<&TraceLog>,
    tool: &str,
    arguments: &Map<String, Value>,
    answer: &Answer,
    started: Instant,
) {
    let Some(trace) = trace else { return };
    let took = started.elapsed();
    let at = jiff::Timestamp::now();
    trace.write(&Entry { tool, arguments, answer, at, took, with_texts: trace.with_texts });
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_prompts()
            .build();
        let instructions = self.0.instructions.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut info = ServerConfig::new(capabilities).with_instructions(instructions);
        info.server_info = Implementation::new("ragctl", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut follower = Follower::new(self.0.lists.subscribe());
        let peer = context.peer;
        // Ends with the first notification that the client does not take.
        tokio::spawn(async move {
            while let Some(changed) = follower.next().await {
                if changed.tools && peer.notify_tool_list_changed().await.is_err()
                    || changed.resources && peer.notify_resource_list_changed().await.is_err()
                {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut follower = Follower::new(self.0.lists.subscribe());
        let accepted = context.accepted();
        let (tools, resources) =
            (accepted.tools_list_changed == Some(true), accepted.resources_list_changed == Some(true));
        loop {
            let changed = tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = follower.next() => changed,
            };
            let Some(changed) = changed else { return Ok(()) };
            let sink = context.sink();
            if tools && changed.tools && sink.notify_tool_list_changed().await.is_err()
                || resources && changed.resources && sink.notify_resource_list_changed().await.is_err()
            {
                return Ok(());
            }
        }
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let defined = self.answer(&context, |toolbox, _| {
            Holdings::of(toolbox.store).map(|holdings| definitions(&toolbox.offered(), &holdings))
        });
        let defined = defined.await?.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(ListToolsResult::with_all_items(defined.into_iter().map(tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        let answer = self.answer(&context, move |toolbox, inner| {
            let started = Instant::now();
            let arguments = arguments.unwrap_or_default();
            let answer = toolbox.call(&name, &arguments);
            traced(inner.trace.as_ref(), &name, &arguments, &answer, started);
            answer
        });
        let answer = answer.await?;
        let content = vec![ContentBlock::text(answer.text)];
        let mut result =
            if answer.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = answer.structured;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|it| it.cursor).unwrap_or_default();
        let first: usize = match cursor.as_str() {
            "" => 0,
            cursor => cursor.parse().map_err(|_| {
                ErrorData::invalid_params(format!("'{cursor}' is no cursor of this list"), None)
            })?,
        };
        let documents = self.answer(&context, |toolbox, _| toolbox.store.documents()).await?;
        let documents = documents.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let next = first.saturating_add(PAGE);
        let next_cursor = (next < documents.len()).then(|| next.to_string());
        let page = documents.into_iter().skip(first).take(PAGE).map(|document| {
            Resource::new(format!("{SCHEME}document/{}", document.id), document.uri)
                .with_title(document.title)
                .with_mime_type("text/markdown")
        });
        let mut result = ListResourcesResult::with_all_items(page.collect());
        result.next_cursor = next_cursor;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = |kind: &str, description: &str| {
            ResourceTemplate::new(format!("{SCHEME}{kind}/{{id}}"), kind)
                .with_description(description)
                .with_mime_type("text/markdown")
        };
        Ok(ListResourceTemplatesResult::with_all_items(vec![
            template("document", "The text of a document"),
            template("section", "The text of a section"),
            template("chunk", "The text of a passage"),
        ]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let unknown =
            |uri: &str| ErrorData::resource_not_found(format!("there is no resource '{uri}'"), None);
        let id = uri
            .strip_prefix(SCHEME)
            .and_then(|rest| rest.split_once('/'))
            .filter(|(kind, id)| {
                matches!(*kind, "document" | "section" | "chunk") && id.starts_with(&kind[..1])
            })
            .map(|(_, id)| id.to_owned())
            .ok_or_else(|| unknown(&uri))?;
        let answer = self.answer(&context, move |toolbox, inner| {
            let started = Instant::now();
            let arguments = json!({"id": id}).as_object().cloned().unwrap_or_default();
            let answer = toolbox.call("findById", &arguments);
            traced(inner.trace.as_ref(), "findById", &arguments, &answer, started);
            answer
        });
        let answer = answer.await?;
        let Some(read) = answer.shown.into_iter().next() else { return Err(unknown(&uri)) };
        let contents = ResourceContents::TextResourceContents {
            uri,
            mime_type: Some("text/markdown".to_owned()),
            text: read.text,
            meta: None,
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = Prompt::new(PROMPT_NAME, Some("How to search these documents well"), None);
        Ok(ListPromptsResult::with_all_items(vec![prompt]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != PROMPT_NAME {
            let text = format!("there is no prompt '{}'; there is: {PROMPT_NAME}", request.name);
            return Err(ErrorData::invalid_params(text, None));
        }
        let text = self.answer(&context, |toolbox, _| strategy(&toolbox.offered())).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }
}

/// A definition as the protocol has it.
fn tool(definition: Definition) -> rmcp::model::Tool {
    let annotations =
        ToolAnnotations::with_title(definition.title).read_only(true).idempotent(true).open_world(false);
    let name = definition.tool.name();
    let mut tool = rmcp::model::Tool::new(name, definition.description, definition.input_schema);
    tool.title = Some(definition.title.to_owned());
    tool.annotations = Some(annotations);
    tool
}
