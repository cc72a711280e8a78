//! Filling in a model's vectors from the texts that an index stores: nothing is read or chunked again.
//!
//! The index answers with what it has until the new vectors are whole; then one transaction switches. What is embedded is kept
//! every few seconds, so that a run that is stopped or killed goes on where it was.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::embed::Embedder;
use crate::ingest::stages::thread_pool;
use crate::ingest::vectors::embed_each;
use crate::ingest::{Event, Failure, FailureCause, Reporter, model_info};
use crate::store::StoreError;
use crate::store::embedded::{MissingText, Replaced, Writer};

/// Vectors are kept, and the caller hears of progress, about this often (chosen: little is lost, little is written).
const KEEP_EVERY: Duration = Duration::from_secs(2);

/// Texts of the sample that the estimate comes from, for each thread.
const SAMPLE: usize = 4;

/// Most texts between two looks at the clock, for each thread.
const MAX_STEP: usize = 4096;

/// How to fill in.
#[derive(Debug)]
pub struct FillOptions<'a> {
    /// Folder of the index.
    pub folder: PathBuf,
    /// What becomes of the model that was preferred before.
    pub replaced: Replaced,
    /// Worker threads; 0: one a core.
    pub n_threads: usize,
    /// How long to wait for another writer.
    pub patience: Duration,
    /// Set by the caller to end the run early; what is embedded by then is kept.
    pub cancel: &'a AtomicBool,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FillReport {
    /// Texts embedded by this run.
    pub n_embedded: usize,
    /// Texts that had their vectors already.
    pub n_kept: usize,
    /// Documents with texts that the model fails on.
    pub failed: Vec<Failure>,
    /// Texts that the model does not read to their ends.
    pub n_long: usize,
    /// Whether the run was told to stop before its end.
    pub is_interrupted: bool,
    /// Whether the model is whole and preferred now.
    pub is_whole: bool,
    /// Generation that readers see afterwards.
    pub generation: u64,
    /// How long the run took.
    pub elapsed: Duration,
}

/// Makes `model` the preferred model of the index at `options.folder`, as soon as every chunk has its vector.
///
/// # Errors
///
/// When the index cannot be opened or written; what was embedded is kept nevertheless. Texts that the model fails on are in
/// the report.
pub fn fill(
    model: &dyn Embedder,
    options: &FillOptions<'_>,
    reporter: &dyn Reporter,
) -> Result<FillReport, StoreError> {
    let started = Instant::now();
    let mut writer = Writer::open(&options.folder, options.patience)?;
    let info = model_info(model);
    writer.want(&info, options.replaced)?;
    let missing = writer.missing_texts(&info.fingerprint)?;
    let mut report = FillReport::default();
    let pool = thread_pool(options.n_threads, &options.folder)?;
    let queue = sample_first(&missing, SAMPLE * pool.current_num_threads());
    let total: f64 = queue.iter().map(cost).sum();
    let (mut at, mut cost_done) = (0, 0.0);
    let mut step = SAMPLE * pool.current_num_threads();
    let embedding = Instant::now();
    while at < queue.len() && !options.cancel.load(Ordering::Relaxed) {
        let texts = &queue[at..(at + step).min(queue.len())];
        let step_started = Instant::now();
        let is_lasting = embed_step(model, &writer, texts, &pool, &mut report)?;
        cost_done += texts.iter().map(cost).sum::<f64>();
        let left = embedding.elapsed().mul_f64(((total - cost_done) / cost_done).max(0.0));
        if at == 0 {
            reporter.event(&Event::Estimated { model: model.name(), n_texts: queue.len(), duration: left });
        }
        at += texts.len();
        reporter.event(&Event::Embedded { n_done: at, n_texts: queue.len(), remaining: left });
        if is_lasting {
            break;
        }
        let rate = texts.len() as f64 / step_started.elapsed().as_secs_f64().max(1e-6);
        let wanted = (rate * KEEP_EVERY.as_secs_f64()) as usize;
        step = wanted.clamp(pool.current_num_threads(), MAX_STEP * pool.current_num_threads());
    }
    report.is_interrupted = at < queue.len() && report.failed.is_empty();
    report.is_whole = at == queue.len() && report.failed.is_empty();
    let (n_done, n_texts) = writer.count_texts(&info.fingerprint)?;
    report.n_kept = n_done.saturating_sub(report.n_embedded);
    report.is_whole &= n_done == n_texts;
    report.generation = if report.is_whole {
        reporter.event(&Event::Committing);
        writer.publish_models()?.generation
    } else {
        writer.generation()
    };
    report.elapsed = started.elapsed();
    Ok(report)
}

/// Embeds some texts and keeps their vectors. Returns whether the model will fail on every other text too.
fn embed_step(
    model: &dyn Embedder,
    writer: &Writer,
    texts: &[MissingText],
    pool: &rayon::ThreadPool,
    report: &mut FillReport,
) -> Result<bool, StoreError> {
    let stored: Vec<String> = texts.iter().map(|it| writer.text_at(it.row)).collect::<Result<_, _>>()?;
    let stored: Vec<&str> = stored.iter().map(String::as_str).collect();
    let made = pool.install(|| embed_each(model, &stored));
    let vectors: Vec<_> = texts
        .iter()
        .zip(&made)
        .filter_map(|(it, made)| Some((it.hash, made.as_ref().ok()?.as_ref())))
        .collect();
    writer.keep_vectors(&model_info(model), &vectors)?;
    report.n_embedded += vectors.len();
    if let Some(max_tokens) = model.max_tokens() {
        report.n_long += stored.iter().filter(|text| model.count_tokens(text) > max_tokens).count();
    }
    let mut is_lasting = false;
    for (text, error) in texts.iter().zip(&made).filter_map(|(text, made)| Some((text, made.as_ref().err()?)))
    {
        is_lasting |= error.is_lasting();
        for path in writer.holders_of(text)? {
            if !report.failed.iter().any(|it| it.path == path) {
                report.failed.push(Failure { path, cause: FailureCause::Embed(error.to_string()) });
            }
        }
    }
    report.failed.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(is_lasting)
}

/// How long a text takes, in an arbitrary unit: a model reads a few hundred words, so that very long texts cost no more.
fn cost(text: &MissingText) -> f64 {
    text.n_chars.clamp(20, 1500) as f64
}

/// Puts `n` texts of all lengths before the others, which stay longest first.
fn sample_first(texts: &[MissingText], n: usize) -> Vec<MissingText> {
    let every = (texts.len() / n.max(1)).max(1);
    let is_sample = |at: &usize| at % every == every / 2;
    let sample = (0..texts.len()).filter(is_sample);
    let others = (0..texts.len()).filter(|at| !is_sample(at));
    sample.chain(others).map(|at| texts[at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_all_lengths_comes_first_and_nothing_is_lost() {
        for (n_texts, n) in [(0, 4), (1, 4), (7, 4), (100, 4), (100, 7)] {
            let texts: Vec<MissingText> = (0..n_texts)
                .map(|row| MissingText { hash: [0; 16], row, n_chars: 1000 - row as usize })
                .collect();
            let mut rows: Vec<u32> = sample_first(&texts, n).iter().map(|it| it.row).collect();
            if n_texts == 100 && n == 4 {
                assert_eq!(rows[..5], [12, 37, 62, 87, 0]);
            }
            rows.sort_unstable();
            assert_eq!(rows, (0..n_texts).collect::<Vec<_>>());
        }
    }
}
