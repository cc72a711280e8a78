//! `ragctl reembed`.

use crate::cli::args::{Global, ReembedArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::ingest::cancel_flag;
use crate::cli::output::Output;
use crate::cli::progress::{PerSource, Progress};
use crate::cli::{index, models};
use crate::embed::Embedder;
use crate::hub;
use crate::ingest::{FillOptions, FillReport, fill};
use crate::render::{human, json};
use crate::store::StoreError;
use crate::store::embedded::{self, Dropped, Replaced, Writer};

pub(super) fn run(args: &ReembedArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let folder = index::existing(global)?;
    if let Some(name) = &args.drop {
        let mut writer = Writer::open(&folder, args.lock_timeout)?;
        let listed: Vec<String> = writer.models().iter().map(|it| it.info.name.clone()).collect();
        let name = &hub::canonical_name(name);
        match writer.drop_model(name)? {
            Dropped::Done => {}
            Dropped::Unknown => {
                return Err(StoreError::Model { indexed: listed, asked: name.clone() }.into());
            }
            Dropped::OnlyOne => {
                return Err(CliError::usage(
                    format!("'{name}' is the only model of the index with all its vectors"),
                    "put another one in its place: ragctl reembed --model NAME",
                ));
            }
        }
        let committed = writer.publish_models()?;
        if args.json {
            output.json(&json::ReembedOut::dropped(name, committed.generation))?;
        } else {
            output.note(&format!("removed the vectors of '{name}'"));
        }
        return Ok(Exit::Success);
    }
    let model = match &args.model.model {
        Some(name) => models::open_named(name, &args.model, global)?,
        None => {
            let listed = embedded::models_of(&folder)?;
            let Some(unfinished) = listed.iter().find(|it| !it.is_whole) else {
                return Err(CliError::usage(
                    "no model is named, and none of the index lacks vectors",
                    "name one: ragctl reembed --model NAME; ragctl models lists them",
                ));
            };
            models::open_listed(&unfinished.info, args.model.endpoint.as_deref(), global.offline)?
        }
    };
    let cancel = cancel_flag();
    let options = FillOptions {
        folder,
        replaced: if args.keep { Replaced::Kept } else { Replaced::Removed },
        n_threads: usize::from(args.threads),
        patience: args.lock_timeout,
        cancel: &cancel,
    };
    let report = fill_with(model.as_ref(), &options, output)?;
    if args.json {
        output.json(&json::ReembedOut::new(model.name(), &report))?;
    } else {
        output.note(&human::filled(&report, output.error_style()));
    }
    Ok(exit_of(&report))
}

/// Fills in a model's vectors with progress on the terminal.
pub(super) fn fill_with(
    model: &dyn Embedder,
    options: &FillOptions<'_>,
    output: &mut Output,
) -> Result<FillReport, CliError> {
    let progress = Progress::new(output, PerSource::Silent);
    let report = fill(model, options, &progress);
    progress.finish()?;
    Ok(report?)
}

/// How a command that filled in vectors ends.
pub(super) fn exit_of(report: &FillReport) -> Exit {
    if report.is_interrupted {
        Exit::Interrupted
    } else if report.failed.is_empty() {
        Exit::Success
    } else if report.n_embedded == 0 {
        Exit::Failure
    } else {
        Exit::Partial
    }
}
