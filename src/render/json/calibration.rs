//! Answers of `calibrate`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{AurocOut, RateOut, schema_name, wire};
use crate::eval::answerable::{Errors, Rule};
use crate::eval::calibration::{Calibration, Chosen};
use crate::search::SearchRequest;

/// What a threshold does to questions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ErrorsOut {
    /// Unanswered questions for which something would be shown.
    pub false_answers: RateOut,
    /// Answered questions for which nothing would be shown.
    pub false_refusals: RateOut,
}

impl ErrorsOut {
    fn new(it: &Errors) -> Self {
        Self {
            false_answers: RateOut::new(&it.false_answers),
            false_refusals: RateOut::new(&it.false_refusals),
        }
    }
}

/// What a threshold belongs to.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BasisOut {
    /// Fingerprint of the embedding model.
    pub model: String,
    /// Chunker and transformers.
    pub pipeline: String,
    /// Format of the index.
    pub format: u32,
    /// Fingerprint of the reranker; null without one.
    pub reranker: Option<String>,
}

/// The answer to `calibrate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalibrationOut {
    /// `ragctl.calibration/1`.
    pub schema: String,
    /// `hybrid`, `vector` or `text`.
    pub mode: String,
    /// The score that is looked at: `vector`, `text` or `rerank`.
    pub signal: String,
    /// The least such score of a question that is answered.
    pub threshold: f32,
    /// How it was chosen, in words.
    pub rule: String,
    /// How well each score tells the two kinds of questions apart.
    pub auroc: Vec<AurocOut>,
    /// Unanswered questions of those given for which something would be shown.
    pub false_answers: RateOut,
    /// Answered questions of those given for which nothing would be shown.
    pub false_refusals: RateOut,
    /// The same where each question is judged by the threshold that all others choose.
    pub held_out: ErrorsOut,
    /// What the threshold belongs to; with anything else it is void.
    pub basis: BasisOut,
    /// Chunks of the index.
    pub chunks: usize,
    /// Whether it is kept with the index.
    pub is_kept: bool,
}
wire!(CalibrationOut, "calibration");

impl CalibrationOut {
    /// What was chosen by `rule` for searches like `request`.
    pub fn new(
        request: &SearchRequest,
        rule: Rule,
        chosen: &Chosen,
        calibration: &Calibration,
        is_kept: bool,
    ) -> Self {
        let rule = match rule {
            Rule::BalancedAccuracy => "the best balanced accuracy".to_owned(),
            Rule::MaxFalseAnswers(most) => {
                format!("the fewest refusals with at most {most} of false answers")
            }
        };
        let auroc = chosen.auroc.iter().map(|(signal, auroc)| AurocOut {
            signal: signal.name().to_owned(),
            auroc: auroc.value,
            interval: auroc.interval,
        });
        let basis = &calibration.basis;
        let ErrorsOut { false_answers, false_refusals } = ErrorsOut::new(&chosen.errors);
        Self {
            schema: schema_name::<Self>(),
            mode: request.mode.name().to_owned(),
            signal: chosen.signal.name().to_owned(),
            threshold: chosen.threshold,
            rule,
            auroc: auroc.collect(),
            false_answers,
            false_refusals,
            held_out: ErrorsOut::new(&chosen.held_out),
            basis: BasisOut {
                model: basis.model.clone(),
                pipeline: basis.pipeline.clone(),
                format: basis.format,
                reranker: basis.reranker.clone(),
            },
            chunks: calibration.n_chunks,
            is_kept,
        }
    }
}
