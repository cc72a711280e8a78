//! The trace of calls: what was asked, what was shown, and what a collection of such entries says about the documents.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Map, Value};

use super::{Answer, Tool};
use crate::render::json::{QueryUse, ToolUse, TraceEntry, TraceSummaryOut, TracedResult};

/// Fewer results than this are little.
const LITTLE: usize = 3;

/// A call and its answer, for the trace.
pub struct Entry<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Its arguments.
    pub arguments: &'a Map<String, Value>,
    /// What was answered.
    pub answer: &'a Answer,
    /// When.
    pub at: jiff::Timestamp,
    /// How long it took.
    pub took: Duration,
    /// Whether texts are traced too.
    pub with_texts: bool,
}

impl Entry<'_> {
    /// Its JSON.
    pub fn out(&self) -> TraceEntry {
        let answer = self.answer;
        let shown = answer.shown.iter().map(|it| TracedResult {
            id: it.id.clone(),
            score: it.score,
            text: self.with_texts.then(|| it.text.clone()),
        });
        TraceEntry {
            schema: TraceEntry::schema_name(),
            at: self.at.to_string(),
            tool: self.tool.to_owned(),
            arguments: Value::Object(self.arguments.clone()),
            shown: shown.collect(),
            left_out: answer.n_left_out,
            notes: answer.notes.clone(),
            error: answer.is_error.then(|| answer.text.clone()),
            ms: (self.took.as_secs_f64() * 1e6).round() / 1e3,
        }
    }
}

/// A file that traces are added to, line by line, from any number of threads and processes.
#[derive(Debug)]
pub struct TraceLog {
    file: Mutex<File>,
    /// Whether texts are traced too.
    pub with_texts: bool,
}

impl TraceLog {
    /// Opens the file at `path`, which is made where it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing.
    pub fn open(path: &Path, with_texts: bool) -> std::io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { file: Mutex::new(file), with_texts })
    }

    /// Adds a line. A trace that cannot be written must not stop an answer.
    pub fn write(&self, entry: &Entry<'_>) {
        let Ok(mut line) = serde_json::to_vec(&entry.out()) else { return };
        line.push(b'\n');
        // One write a line: the file is open for appending, so that lines of several processes do not mix.
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
    }
}

/// A trace being summarised.
#[derive(Debug, Default)]
pub struct Summary {
    n_damaged: usize,
    times: BTreeMap<String, (Vec<f64>, usize)>,
    nothing: BTreeMap<(String, String), usize>,
    little: BTreeMap<(String, String), usize>,
    failed: BTreeMap<(String, String), usize>,
}

impl Summary {
    /// Adds a line; one that is no entry is counted, a blank one is not.
    pub fn add(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        match serde_json::from_str::<TraceEntry>(line) {
            Ok(entry) if entry.schema == TraceEntry::schema_name() => self.add_entry(&entry),
            _ => self.n_damaged += 1,
        }
    }

    fn add_entry(&mut self, entry: &TraceEntry) {
        let n_found = entry.shown.len() + entry.left_out;
        let is_empty = n_found == 0 && entry.error.is_none();
        let (times, n_empty) = self.times.entry(entry.tool.clone()).or_default();
        times.push(entry.ms);
        *n_empty += usize::from(is_empty);
        let count = |counts: &mut BTreeMap<_, usize>, text: &str| {
            *counts.entry((entry.tool.clone(), text.to_owned())).or_default() += 1;
        };
        if let Some(error) = &entry.error {
            count(&mut self.failed, error);
            return;
        }
        let query =
            ["query", "regex", "sectionTitle"].into_iter().find_map(|key| entry.arguments[key].as_str());
        let Some(query) = query else { return };
        let is_search = Tool::of_name(&entry.tool).is_some_and(|tool| {
            matches!(tool, Tool::HybridSearch | Tool::VectorSearch | Tool::TextSearch | Tool::RegexSearch)
        });
        if is_empty {
            count(&mut self.nothing, query.trim());
        } else if is_search && n_found < LITTLE {
            count(&mut self.little, query.trim());
        }
    }

    /// The summary so far.
    pub fn out(self) -> TraceSummaryOut {
        let tools = self.times.into_iter().map(|(tool, (mut times, empty))| {
            times.sort_by(f64::total_cmp);
            ToolUse {
                tool,
                calls: times.len(),
                empty,
                median_ms: times[times.len() / 2],
                max_ms: times.last().copied().unwrap_or_default(),
            }
        });
        let mut tools: Vec<ToolUse> = tools.collect();
        tools.sort_by(|a, b| b.calls.cmp(&a.calls).then_with(|| a.tool.cmp(&b.tool)));
        TraceSummaryOut {
            schema: TraceSummaryOut::schema_name(),
            calls: tools.iter().map(|it| it.calls).sum(),
            damaged_lines: self.n_damaged,
            tools,
            nothing_found: most_frequent(self.nothing),
            little_found: most_frequent(self.little),
            failed: most_frequent(self.failed),
        }
    }
}

fn most_frequent(counts: BTreeMap<(String, String), usize>) -> Vec<QueryUse> {
    let uses = counts.into_iter().map(|((tool, text), calls)| QueryUse { tool, text, calls });
    let mut uses: Vec<QueryUse> = uses.collect();
    uses.sort_by_key(|it| std::cmp::Reverse(it.calls));
    uses
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::Reported;

    fn line(tool: &str, arguments: Value, n_shown: usize, ms: u64, error: bool) -> String {
        let shown = Reported { id: "c1".to_owned(), score: Some(0.5), text: "secret".to_owned() };
        let answer = Answer {
            shown: vec![shown; n_shown],
            is_error: error,
            text: "no".to_owned(),
            ..Answer::default()
        };
        let entry = Entry {
            tool,
            arguments: arguments.as_object().unwrap(),
            answer: &answer,
            at: jiff::Timestamp::UNIX_EPOCH,
            took: Duration::from_millis(ms),
            with_texts: false,
        };
        serde_json::to_string(&entry.out()).unwrap()
    }

    #[test]
    fn a_trace_says_which_queries_found_nothing_or_little() {
        let lines = [
            line("textSearch", json!({"query": "flux"}), 0, 2, false),
            line("textSearch", json!({"query": " flux"}), 0, 4, false),
            line("textSearch", json!({"query": "rare"}), 2, 6, false),
            line("textSearch", json!({"query": "many"}), 3, 8, false),
            line("readSection", json!({"sectionTitle": "Intro"}), 1, 1, false),
            line("textSearch", json!({}), 0, 1, true),
            "{not json".to_owned(),
            String::new(),
        ];
        assert!(!lines[2].contains("secret"), "texts are traced only where that is asked for");
        let mut summary = Summary::default();
        lines.iter().for_each(|line| summary.add(line));
        let summary = summary.out();
        assert_eq!((summary.calls, summary.damaged_lines), (6, 1));
        let uses = |uses: &[QueryUse]| uses.iter().map(|it| (it.text.clone(), it.calls)).collect::<Vec<_>>();
        assert_eq!(uses(&summary.nothing_found), [("flux".to_owned(), 2)]);
        assert_eq!(uses(&summary.little_found), [("rare".to_owned(), 1)]);
        assert_eq!(uses(&summary.failed), [("no".to_owned(), 1)]);
        let text = &summary.tools[0];
        assert_eq!((text.tool.as_str(), text.calls, text.empty), ("textSearch", 5, 2));
        assert_eq!((text.median_ms, text.max_ms), (4.0, 8.0));
    }
}
