//! Answers of `eval`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema_name, wire};
use crate::eval::answerable::Rate;
use crate::eval::{Answerability, Evaluated, Metric, Paired, QueryValues};

/// Values of one query.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalQueryOut {
    /// Query id.
    pub id: String,
    /// Values by metric.
    pub values: BTreeMap<String, f64>,
    /// Documents that were found.
    pub found: usize,
    /// Relevant documents that there are.
    pub relevant: usize,
}

impl EvalQueryOut {
    fn new(query: &QueryValues, metrics: &[Metric]) -> Self {
        Self {
            id: query.id.clone(),
            values: named(metrics, &query.values),
            found: query.n_found,
            relevant: query.n_relevant,
        }
    }
}

fn named(metrics: &[Metric], values: &[f64]) -> BTreeMap<String, f64> {
    metrics.iter().map(ToString::to_string).zip(values.iter().copied()).collect()
}

/// A share with its 95 % interval.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RateOut {
    /// The share, 0 to 1.
    pub share: f64,
    /// How many.
    pub n: usize,
    /// Of how many.
    pub of: usize,
    /// Wilson's 95 % interval.
    pub interval: [f64; 2],
}

impl RateOut {
    /// A share.
    pub fn new(rate: &Rate) -> Self {
        Self { share: rate.share(), n: rate.n, of: rate.of, interval: rate.interval }
    }
}

/// How well a score tells questions that are answered from those that are not.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AurocOut {
    /// `vector`, `text` or `rerank`.
    pub signal: String,
    /// Area under the ROC curve, 0 to 1.
    pub auroc: f64,
    /// 95 % interval.
    pub interval: [f64; 2],
}

/// How a run treats questions that nothing answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AnswerabilityOut {
    /// Questions that nothing answers and for which something was found.
    pub false_answers: RateOut,
    /// Questions that are answered and for which nothing was found.
    pub false_refusals: RateOut,
    /// How well the best score of each kind tells the two apart.
    pub auroc: Vec<AurocOut>,
}

impl AnswerabilityOut {
    fn new(it: &Answerability) -> Self {
        let auroc = it.auroc.iter().map(|(signal, auroc)| AurocOut {
            signal: signal.name().to_owned(),
            auroc: auroc.value,
            interval: auroc.interval,
        });
        Self {
            false_answers: RateOut::new(&it.false_answers),
            false_refusals: RateOut::new(&it.false_refusals),
            auroc: auroc.collect(),
        }
    }
}

/// One way to search, measured.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalRunOut {
    /// The way to search, as one word.
    pub setup: String,
    /// Means over the queries, by metric.
    pub means: BTreeMap<String, f64>,
    /// Seconds that the searches took.
    pub seconds: f64,
    /// Queries for which reranking ran out of its time, so that their documents stand in the order that they had before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_reranked: Option<usize>,
    /// Questions that nothing answers, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answerability: Option<AnswerabilityOut>,
    /// Values of every query that is judged and answered by something, by id.
    pub queries: Vec<EvalQueryOut>,
}

impl EvalRunOut {
    /// `evaluated`, which was reached by `setup`, `n_not_reranked` queries without its reranker.
    pub fn new(
        setup: &str,
        evaluated: &Evaluated,
        metrics: &[Metric],
        seconds: f64,
        n_not_reranked: usize,
    ) -> Self {
        Self {
            setup: setup.to_owned(),
            means: named(metrics, &evaluated.means),
            seconds,
            not_reranked: (n_not_reranked > 0).then_some(n_not_reranked),
            answerability: evaluated.answerability.as_ref().map(AnswerabilityOut::new),
            queries: evaluated.queries.iter().map(|it| EvalQueryOut::new(it, metrics)).collect(),
        }
    }
}

/// The index that was asked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalIndexOut {
    /// Embedding model.
    pub model: String,
    /// Fingerprint of the model.
    pub fingerprint: String,
    /// Chunker and transformers.
    pub pipeline: String,
    /// Documents.
    pub documents: usize,
    /// Chunks.
    pub chunks: usize,
}

/// The answer to `eval run`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalOut {
    /// `ragctl.eval/1`.
    pub schema: String,
    /// The collection, as it was named.
    pub collection: String,
    /// The index that was asked; absent where files of results were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<EvalIndexOut>,
    /// Documents that were looked at for each query; all of them in files of results.
    pub depth: usize,
    /// Metrics, in the order in which they were asked for.
    pub metrics: Vec<String>,
    /// Notes.
    pub notes: Vec<String>,
    /// The ways to search.
    pub runs: Vec<EvalRunOut>,
}
wire!(EvalOut, "eval");

impl EvalOut {
    /// The answer with these runs.
    pub fn new(
        collection: String,
        index: Option<EvalIndexOut>,
        depth: usize,
        metrics: &[Metric],
        notes: Vec<String>,
        runs: Vec<EvalRunOut>,
    ) -> Self {
        let metrics = metrics.iter().map(ToString::to_string).collect();
        Self { schema: schema_name::<Self>(), collection, index, depth, metrics, notes, runs }
    }
}

/// Two systems compared by one metric.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedOut {
    /// The metric.
    pub metric: String,
    /// Mean of the first.
    pub first: f64,
    /// Mean of the second.
    pub second: f64,
    /// Second minus first.
    pub difference: f64,
    /// 95 % bootstrap interval of the difference.
    pub interval: [f64; 2],
    /// Two-sided p of a paired randomisation test.
    pub p: f64,
    /// Queries where the second is better.
    pub wins: usize,
    /// Queries where it is worse.
    pub losses: usize,
    /// Queries where both are alike.
    pub ties: usize,
}

impl ComparedOut {
    /// `paired`, by `metric`.
    pub fn new(metric: &str, first: f64, second: f64, paired: &Paired) -> Self {
        Self {
            metric: metric.to_owned(),
            first,
            second,
            difference: paired.difference,
            interval: paired.interval,
            p: paired.p,
            wins: paired.wins,
            losses: paired.losses,
            ties: paired.ties,
        }
    }
}

/// Values of one query in two systems.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedQueryOut {
    /// Query id.
    pub id: String,
    /// The first's values, by metric.
    pub first: BTreeMap<String, f64>,
    /// The second's values, by metric.
    pub second: BTreeMap<String, f64>,
}

/// The answer to `eval compare`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalCompareOut {
    /// `ragctl.eval_compare/1`.
    pub schema: String,
    /// What was compared against.
    pub first: String,
    /// What was compared.
    pub second: String,
    /// Queries that both have.
    pub n: usize,
    /// Notes.
    pub notes: Vec<String>,
    /// The comparison by each metric.
    pub metrics: Vec<ComparedOut>,
    /// Values of every query, by id.
    pub queries: Vec<ComparedQueryOut>,
}
wire!(EvalCompareOut, "eval_compare");

impl EvalCompareOut {
    /// The comparison of `first` and `second`.
    pub fn new(
        first: &str,
        second: &str,
        notes: Vec<String>,
        metrics: Vec<ComparedOut>,
        queries: Vec<ComparedQueryOut>,
    ) -> Self {
        Self {
            schema: schema_name::<Self>(),
            first: first.to_owned(),
            second: second.to_owned(),
            n: queries.len(),
            notes,
            metrics,
            queries,
        }
    }
}

/// A way to search without one of its stages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AblatedOut {
    /// What was left out.
    pub without: String,
    /// The way that remained (first) against the whole (second), by each metric: what the stage is worth.
    pub metrics: Vec<ComparedOut>,
}

/// The answer to `eval ablate`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EvalAblateOut {
    /// `ragctl.eval_ablate/1`.
    pub schema: String,
    /// The collection, as it was named.
    pub collection: String,
    /// The index that was asked.
    pub index: EvalIndexOut,
    /// The whole way to search.
    pub setup: String,
    /// Its means, by metric.
    pub means: BTreeMap<String, f64>,
    /// Queries.
    pub n: usize,
    /// Notes.
    pub notes: Vec<String>,
    /// Without each of its stages.
    pub stages: Vec<AblatedOut>,
}
wire!(EvalAblateOut, "eval_ablate");

impl EvalAblateOut {
    /// The whole, and what is left of it without each stage.
    pub fn new(
        collection: String,
        index: EvalIndexOut,
        notes: Vec<String>,
        whole: &EvalRunOut,
        stages: Vec<AblatedOut>,
    ) -> Self {
        Self {
            schema: schema_name::<Self>(),
            collection,
            index,
            setup: whole.setup.clone(),
            means: whole.means.clone(),
            n: whole.queries.len(),
            notes,
            stages,
        }
    }
}
