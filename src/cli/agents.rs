//! `ragctl mcp`, `tools`, `call`, `trace`.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value, json};

use crate::cli::args::{CallArgs, Global, McpArgs, ToolShape, ToolsArgs, TraceArgs, TraceOptions};
use crate::cli::error::{CliError, Exit};
use crate::cli::index;
use crate::cli::output::Output;
use crate::mcp::{self, HttpOptions, Options};
use crate::render::{human, json};
use crate::store::embedded::{EmbeddedStore, Need};
use crate::tools::{Answer, Definition, Entry, Holdings, Summary, Toolbox, TraceLog, definitions};

pub(super) fn mcp(args: &McpArgs, global: &Global, output: &Output) -> Result<Exit, CliError> {
    let index =
        index::open(global, Need::ALL, output)?.with_starter(&args.starter.label, args.starter.entities_only);
    let is_offline = global.offline;
    let options = Options {
        folder: index.folder().to_owned(),
        base: index.base().clone(),
        embedder: Arc::new(move |store: &EmbeddedStore| index::embedder_of(store, None, is_offline)),
        budget: args.starter.budget,
        about: args.about.clone().map(|topic| (topic, usize::from(args.top_k))),
        trace: trace_log(&args.starter.trace)?,
    };
    drop(index);
    let Some(address) = args.http else {
        mcp::serve_stdio(options)?;
        return Ok(Exit::Success);
    };
    if !mcp::is_loopback(&address) && args.token.is_none() {
        return Err(CliError::usage(
            format!("{address} is reached from other machines, and nothing says who may ask"),
            "give --token (or RAGCTL_MCP_TOKEN), or listen on 127.0.0.1",
        ));
    }
    let http = HttpOptions {
        address,
        token: args.token.clone(),
        allowed_hosts: args.allow_host.clone(),
        allowed_origins: args.allow_origin.clone(),
    };
    mcp::serve_http(options, &http, |bound| output.note(&format!("listening on http://{bound}/mcp")))?;
    Ok(Exit::Success)
}

pub(super) fn tools(args: &ToolsArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let index = index::open(global, Need::ALL, output)?.with_starter(&args.label, args.entities_only);
    let store = index.store()?;
    let toolbox = Toolbox { store: &store, embedder: &|| index.embedder(None), budget: 0 };
    let defined = definitions(&toolbox.offered(), &Holdings::of(&store)?);
    if args.json {
        output.json(&defined.iter().map(|it| shaped(it, args.shape)).collect::<Vec<_>>())?;
        return Ok(Exit::Success);
    }
    for it in &defined {
        output.text(&format!("{}\n  {}\n", output.style().bold(it.tool.name()), it.description))?;
        for (name, property) in it.input_schema["properties"].as_object().into_iter().flatten() {
            let kind = property["type"].as_str().unwrap_or_default();
            let is_required =
                it.input_schema["required"].as_array().is_some_and(|it| it.contains(&name.as_str().into()));
            let need = if is_required { "" } else { ", optional" };
            let about = property["description"].as_str().unwrap_or_default();
            output.text(&format!("    {name} ({kind}{need}): {about}\n"))?;
        }
    }
    Ok(Exit::Success)
}

/// A definition in the shape of an API.
fn shaped(definition: &Definition, shape: ToolShape) -> Value {
    let Definition { tool, title, description, input_schema } = definition;
    let name = tool.name();
    match shape {
        ToolShape::Mcp => json!({
            "name": name, "title": title, "description": description, "inputSchema": input_schema,
            "annotations": {"title": title, "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false}
        }),
        ToolShape::Openai => json!({
            "type": "function",
            "function": {"name": name, "description": description, "parameters": input_schema}
        }),
        ToolShape::Anthropic => {
            json!({"name": name, "description": description, "input_schema": input_schema})
        }
    }
}

pub(super) fn call(args: &CallArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let arguments = arguments(&args.arguments)?;
    let trace = trace_log(&args.starter.trace)?;
    let index =
        index::open(global, Need::ALL, output)?.with_starter(&args.starter.label, args.starter.entities_only);
    let store = index.store()?;
    let toolbox = Toolbox { store: &store, embedder: &|| index.embedder(None), budget: args.starter.budget };
    let started = Instant::now();
    let answer = toolbox.call(&args.tool, &arguments);
    if let Some(trace) = &trace {
        let (took, at) = (started.elapsed(), jiff::Timestamp::now());
        trace.write(&Entry {
            tool: &args.tool,
            arguments: &arguments,
            answer: &answer,
            at,
            took,
            with_texts: trace.with_texts,
        });
    }
    print(args, &answer, output)
}

fn print(args: &CallArgs, answer: &Answer, output: &mut Output) -> Result<Exit, CliError> {
    if answer.is_error {
        return Err(CliError::usage(&answer.text, "ragctl tools lists the tools and their parameters"));
    }
    match &answer.structured {
        Some(structured) if args.json => output.json(structured)?,
        None if args.json => output.json(&json::ErrorOut::new(answer.text.clone(), None))?,
        _ => output.text(&format!("{}\n", answer.text.trim_end()))?,
    }
    Ok(if answer.shown.is_empty() { Exit::NothingFound } else { Exit::Success })
}

fn arguments(text: &str) -> Result<Map<String, Value>, CliError> {
    let mut read = String::new();
    let text = if text == "-" {
        std::io::stdin()
            .read_to_string(&mut read)
            .map_err(|source| CliError::io("read", "standard input", source))?;
        read.as_str()
    } else {
        text
    };
    let wrong = |why: String| {
        CliError::usage(
            format!("the arguments are no JSON object: {why}"),
            "for example: '{\"query\": \"backup\"}'",
        )
    };
    match serde_json::from_str(text).map_err(|error| wrong(error.to_string()))? {
        Value::Object(arguments) => Ok(arguments),
        other => Err(wrong(format!("{other}"))),
    }
}

/// Opens the trace that is asked for.
pub(super) fn trace_log(options: &TraceOptions) -> Result<Option<TraceLog>, CliError> {
    let open = |path: &Path| {
        TraceLog::open(path, options.trace_text)
            .map_err(|source| CliError::io("write the trace", path.display().to_string(), source))
    };
    options.trace.as_deref().map(open).transpose()
}

pub(super) fn trace(args: &TraceArgs, output: &mut Output) -> Result<Exit, CliError> {
    let failed = |source| CliError::io("read", args.file.display().to_string(), source);
    let input: Box<dyn std::io::Read> = match args.file.as_os_str() == "-" {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(&args.file).map_err(failed)?),
    };
    let mut summary = Summary::default();
    for line in BufReader::new(input).split(b'\n') {
        let line = line.map_err(failed)?;
        summary.add(&String::from_utf8_lossy(&line));
    }
    let summary = summary.out();
    if args.json {
        output.json(&summary)?;
    } else {
        output.text(&human::trace_summary(&summary, output.style()))?;
    }
    Ok(if summary.calls == 0 { Exit::NothingFound } else { Exit::Success })
}
