//! `ragctl models`.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::cli::args::{Global, ModelsArgs, ModelsCommand, PullArgs};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::content::Vectors;
use crate::embed::registry::{self, MODELS};
use crate::embed::{EmbedError, Embedder, OpenOptions, Role, embedder};
use crate::hub;
use crate::render::{human, json};
use crate::rerank::reranker;

/// A passage of about 250 tokens, as the chunker makes them: what is measured with.
const PASSAGE: &str = include_str!("../../testdata/embed/passage.txt");

/// How long each model is measured, at least.
const MEASURE_FOR: Duration = Duration::from_secs(2);

pub(super) fn run(args: &ModelsArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    if let Some(ModelsCommand::Pull(args)) = &args.command {
        return pull(args, global, output);
    }
    let mut models: Vec<json::ListedModel> =
        MODELS.iter().map(|it| json::ListedModel::new(it, registry::is_present(it))).collect();
    let others = hub::downloads().into_iter().filter(|name| MODELS.iter().all(|it| it.name != name));
    models.extend(others.map(|name| json::ListedModel::unlisted(&name)));
    match args.measure.as_deref() {
        None => {}
        Some([]) => {
            for listed in models.iter_mut().filter(|it| it.present) {
                match embedder(&listed.name).and_then(|model| passages_per_second(model.as_ref())) {
                    Ok(speed) => listed.passages_per_second = Some(speed),
                    Err(error) => output.note(&format!("note: '{}' was not measured: {error}", listed.name)),
                }
            }
        }
        Some(names) => measure(names, global, &mut models)?,
    }
    if args.json {
        output.json(&json::ModelsOut::new(models))?;
    } else {
        output.text(&human::models(&models, output.style()))?;
    }
    Ok(Exit::Success)
}

/// Measures the models that are named: those of the list, and others that can be opened, which join it. Nothing is measured unless
/// all can be opened.
fn measure(names: &[String], global: &Global, models: &mut Vec<json::ListedModel>) -> Result<(), CliError> {
    let options = OpenOptions { is_offline: global.offline, ..OpenOptions::default() };
    let opened = names.iter().map(|name| Ok((name, registry::open(name, &options)?)));
    for (name, model) in opened.collect::<Result<Vec<_>, EmbedError>>()? {
        let at = models.iter().position(|it| it.name == *name).unwrap_or_else(|| {
            models.push(json::ListedModel::opened(name, model.kind(), model.dimension()));
            models.len() - 1
        });
        if models[at].passages_per_second.is_none() {
            models[at].passages_per_second = Some(passages_per_second(model.as_ref())?);
        }
    }
    Ok(())
}

/// How many passages of about 250 tokens the model embeds a second, on all cores.
fn passages_per_second(model: &dyn Embedder) -> Result<f64, EmbedError> {
    let n_threads = rayon::current_num_threads();
    let batch = vec![PASSAGE; model.batch_size()];
    // The first one touches memory that the others find in the caches.
    model.embed(&[PASSAGE], Role::Passage)?;
    let started = Instant::now();
    let mut n = 0;
    while started.elapsed() < MEASURE_FOR {
        let round: Result<Vec<Vectors>, EmbedError> =
            (0..2 * n_threads).into_par_iter().map(|_| model.embed(&batch, Role::Passage)).collect();
        n += round?.len() * batch.len();
    }
    Ok(n as f64 / started.elapsed().as_secs_f64())
}

fn pull(args: &PullArgs, global: &Global, output: &mut Output) -> Result<Exit, CliError> {
    let bar = output.shows_progress().then(|| {
        let style =
            ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  {wide_msg}");
        ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
    });
    let pulled = hub::pull(&args.name, global.offline, &mut |progress| {
        let (file, n_done, n_bytes) = match progress {
            hub::Progress::Waiting => {
                let note = format!("note: another process downloads '{}'; waiting for it", args.name);
                return output.note(&note);
            }
            hub::Progress::Bytes { file, n_done, n_bytes } => (file, n_done, n_bytes),
        };
        if let Some(bar) = &bar {
            bar.set_length(n_bytes.unwrap_or(n_done));
            bar.set_position(n_done);
            bar.set_message(file.to_owned());
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let pulled = pulled?;
    // A model that cannot be run is better known now than in the middle of an ingest. A cross-encoder embeds nothing.
    let use_of = match reranker(&args.name, true) {
        Ok(_) => json::ModelUse::Rerank,
        Err(_) => {
            let model = embedder(&args.name)?;
            json::ModelUse::Embed { kind: model.kind(), dimension: model.dimension() }
        }
    };
    if args.json {
        output.json(&json::PullOut::new(&args.name, use_of, &pulled))?;
    } else {
        let use_of = match use_of {
            json::ModelUse::Rerank => "for --rerank".to_owned(),
            json::ModelUse::Embed { kind, dimension } => {
                format!("for --model, {}", human::shape(kind, dimension))
            }
        };
        output.note(&format!(
            "{} ({use_of}): {} files ({}) downloaded into '{}'",
            args.name,
            pulled.n_files,
            human::bytes(pulled.n_bytes),
            pulled.folder.display()
        ));
    }
    Ok(Exit::Success)
}
