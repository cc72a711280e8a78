//! `ragctl query`.

use crate::cli::args::{Global, QueryArgs, QueryCheckArgs, QueryCommand};
use crate::cli::error::{CliError, Exit};
use crate::cli::index;
use crate::cli::output::Output;
use crate::cli::search::syntax;
use crate::render::json;
use crate::search::understand;
use crate::store::embedded::Need;
use crate::store::{Store as _, StoreError};

pub(super) fn run(args: &QueryArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    match &args.command {
        QueryCommand::Check(args) => check(args, global, output),
    }
}

fn check(args: &QueryCheckArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let text = args.query.join(" ");
    let syntax = syntax(args.operator, args.strict);
    let query = match index::open(global, Need::DATABASE, output) {
        Ok(index) => understand(index.store()?.text(), &text, syntax, None)?,
        // An index that was asked for has to be there.
        Err(CliError::Store(StoreError::NotFound { .. })) if global.index.is_none() => {
            understand(None, &text, syntax, None)?
        }
        Err(error) => return Err(error),
    };
    for note in &query.notes {
        output.note(&format!("note: {note}"));
    }
    if args.json {
        output.json(&json::QueryOut::new(&query, syntax))?;
    } else {
        output.text(&format!("{query}\n"))?;
    }
    Ok(Exit::Success)
}
