//! What a run is worth: its values query by query, and their means. Pure.

use std::collections::BTreeMap;

use crate::eval::answerable::{Auroc, Groups, Rate};
use crate::eval::paired::mean;
use crate::eval::{Metric, Qrels, Run, TestQuery};
use crate::search::{Scores, Signal};

/// A run measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// Means over the queries, one a metric.
    pub means: Vec<f64>,
    /// Values of the queries that are judged and answered by something, by id.
    pub queries: Vec<QueryValues>,
    /// Queries that nothing answers, where there are any.
    pub answerability: Option<Answerability>,
}

/// The values of one query.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryValues {
    /// Its id.
    pub id: String,
    /// One value a metric.
    pub values: Vec<f64>,
    /// Documents that were found.
    pub n_found: usize,
    /// Relevant documents that there are.
    pub n_relevant: usize,
}

/// How a run treats questions that nothing answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answerability {
    /// Questions that nothing answers and for which something was found all the same.
    pub false_answers: Rate,
    /// Questions that are answered and for which nothing was found.
    pub false_refusals: Rate,
    /// How well the best score of each kind tells the two apart.
    pub auroc: Vec<(Signal, Auroc)>,
}

/// Measures `run`. Every query counts that `qrels` judges and something answers, also one for which the run has nothing;
/// those that nothing answers (labelled so, or judged without anything relevant) count for answerability alone.
///
/// `queries` narrows it to those (`None`: all that are judged); `best` are the best scores behind the run's rankings.
///
/// ```
/// use ragctl::eval::formats::{parse_qrels, parse_run};
/// use ragctl::eval::evaluate;
///
/// let qrels = parse_qrels("q1 0 a 1\nq2 0 b 1\n").unwrap();
/// let run = parse_run("q1 Q0 x 1 2.5 my-run\nq1 Q0 a 2 1.5 my-run\n").unwrap();
/// let it = evaluate(&run, &qrels, None, None, &["MRR@10".parse().unwrap()]);
/// assert_eq!(it.means, [0.25]);
/// ```
pub fn evaluate(
    run: &Run,
    qrels: &Qrels,
    queries: Option<&[TestQuery]>,
    best: Option<&BTreeMap<String, Scores>>,
    metrics: &[Metric],
) -> Evaluated {
    let asked: Vec<(&str, Option<bool>)> = match queries {
        Some(queries) => queries.iter().map(|it| (it.id.as_str(), it.is_answerable)).collect(),
        None => qrels.keys().map(|id| (id.as_str(), None)).collect(),
    };
    let mut values = Vec::new();
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for (id, label) in asked {
        let grades = qrels.get(id);
        let n_relevant = grades.map_or(0, |it| it.values().filter(|&&grade| grade > 0).count());
        let ids = run.get(id).map(|it| it.ids()).unwrap_or_default();
        match (grades, label) {
            (_, Some(false)) => outside.push((id, ids.len())),
            (Some(grades), _) if n_relevant > 0 => {
                inside.push((id, ids.len()));
                let n_found = ids.len();
                let values_of = metrics.iter().map(|it| it.of(&ids, grades)).collect();
                values.push(QueryValues { id: id.to_owned(), values: values_of, n_found, n_relevant });
            }
            (Some(_), None) => outside.push((id, ids.len())),
            (Some(_), Some(true)) | (None, _) => {}
        }
    }
    values.sort_by(|a, b| a.id.cmp(&b.id));
    let means = (0..metrics.len())
        .map(|at| mean(&values.iter().map(|it| it.values[at]).collect::<Vec<_>>()))
        .collect();
    let answerability = (!outside.is_empty()).then(|| answerability(&inside, &outside, best));
    Evaluated { means, queries: values, answerability }
}

fn answerability(
    inside: &[(&str, usize)],
    outside: &[(&str, usize)],
    best: Option<&BTreeMap<String, Scores>>,
) -> Answerability {
    let count =
        |group: &[(&str, usize)], is_empty: bool| group.iter().filter(|it| (it.1 == 0) == is_empty).count();
    let auroc = Signal::ALL.into_iter().filter_map(|signal| {
        let scores = |group: &[(&str, usize)]| {
            group.iter().map(|(id, _)| best?.get(*id)?.signal(signal)).collect::<Vec<_>>()
        };
        let groups = Groups { inside: scores(inside), outside: scores(outside) };
        let has_any = groups.inside.iter().chain(&groups.outside).any(Option::is_some);
        groups.auroc().filter(|_| has_any).map(|it| (signal, it))
    });
    Answerability {
        false_answers: Rate::new(count(outside, false), outside.len()),
        false_refusals: Rate::new(count(inside, true), inside.len()),
        auroc: auroc.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::formats::{parse_qrels, parse_queries, parse_run};

    #[test]
    fn every_judged_query_counts_and_nothing_else() {
        let qrels = parse_qrels("a 0 x 1\nb 0 y 1\nc 0 z 0\n").unwrap();
        let run = parse_run("a Q0 x 1 1.0 t\nother Q0 y 1 1.0 t\nc Q0 z 1 1.0 t\n").unwrap();
        let metrics = ["MRR@10".parse().unwrap()];
        let it = evaluate(&run, &qrels, None, None, &metrics);
        // b found nothing, c has nothing relevant, other is not judged.
        assert_eq!(
            it.queries.iter().map(|it| (it.id.as_str(), it.values[0])).collect::<Vec<_>>(),
            [("a", 1.0), ("b", 0.0)]
        );
        assert_eq!(it.means, [0.5]);
        let answerability = it.answerability.unwrap();
        assert_eq!((answerability.false_answers.n, answerability.false_answers.of), (1, 1));
        assert_eq!((answerability.false_refusals.n, answerability.false_refusals.of), (1, 2));
    }

    #[test]
    fn labels_make_the_questions_that_nothing_answers() {
        let text = "{\"_id\":\"a\",\"text\":\"x\"}\n{\"_id\":\"n\",\"text\":\"y\",\"answerable\":false}\n{\"_id\":\"u\",\"text\":\"z\"}";
        let queries = parse_queries(text, None).unwrap();
        let qrels = parse_qrels("a 0 x 1\n").unwrap();
        let run = parse_run("a Q0 x 1 1.0 t\n").unwrap();
        let scores = |vector| Scores { vector: Some(vector), ..Scores::default() };
        let best = [("a".to_owned(), scores(0.9)), ("n".to_owned(), scores(0.2))].into();
        let it = evaluate(&run, &qrels, Some(&queries), Some(&best), &["success@1".parse().unwrap()]);
        assert_eq!((it.queries.len(), it.means[0]), (1, 1.0));
        let answerability = it.answerability.unwrap();
        assert_eq!(answerability.false_answers.n, 0);
        assert_eq!(answerability.auroc.len(), 1);
        assert_eq!((answerability.auroc[0].0, answerability.auroc[0].1.value), (Signal::Vector, 1.0));
    }
}
