//! `ragctl filter`.

use crate::cli::args::{FilterArgs, FilterCheckArgs, FilterCommand, Global};
use crate::cli::error::{CliError, Exit};
use crate::cli::index;
use crate::cli::ingest::key_values;
use crate::cli::output::Output;
use crate::filter;
use crate::render::{filters, json};
use crate::search::check_filter;
use crate::store::embedded::Need;

pub(super) fn run(args: &FilterArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    match &args.command {
        FilterCommand::Check(args) => check(args, global, output),
    }
}

fn check(args: &FilterCheckArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let filter = filter::parse(&args.filter, &key_values(&args.vars, "--var")?)?;
    let index = index::open(global, Need::DATABASE, output)?;
    let checked = check_filter(&index.store()?, &filter)?;
    if args.json {
        output.json(&json::FilterOut::new(&checked))?;
    } else {
        output.text(&filters::checked(&checked))?;
    }
    Ok(if checked.n_chunks == 0 { Exit::NothingFound } else { Exit::Success })
}
