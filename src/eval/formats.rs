//! Files of queries, judgements and runs, in the forms of TREC and BEIR. From text to values; pure.
//!
//! | what | forms, told apart by their content |
//! | --- | --- |
//! | queries | JSON lines (`_id`, `text`), TREC topics (`<top>` or `<topic>`), `id TAB text` |
//! | judgements | TREC qrels (`query iteration document grade`), BEIR (`query document grade`, with or without a head row) |
//! | runs | TREC (`query Q0 document rank score tag`), `query TAB document [TAB score]`, best first where there is no score |
//!
//! Columns are separated by tabs where a line has one, else by blanks; but in TREC's forms by any white space, as `trec_eval` reads
//! them.

mod topics;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::eval::ranking::is_blank;
use crate::eval::{Grades, Ranking, Run};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct FormatError {
    /// 1-based line.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl FormatError {
    fn at(line: usize, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

/// A question of a test set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestQuery {
    /// Id, as in the judgements.
    pub id: String,
    /// What is searched for.
    pub text: String,
    /// Whether the collection answers it, where the file says so (`answerable`, or SQuAD's `is_impossible`).
    pub is_answerable: Option<bool>,
}

/// Judgements by query id.
pub type Qrels = BTreeMap<String, Grades>;

/// Reads queries; `field` chooses the field of TREC topics (default: title, else query).
///
/// # Errors
///
/// With the first line that is no query, or names one again.
pub fn parse_queries(text: &str, field: Option<&str>) -> Result<Vec<TestQuery>, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let queries = match text.trim_start().chars().next() {
        Some('{') => json_queries(text)?,
        Some('<') => topics::parse(text, field)?,
        _ => tab_queries(text)?,
    };
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for (line, query) in &queries {
        if let Some(before) = lines.insert(&query.id, *line) {
            return Err(FormatError::at(
                *line,
                format!("the query '{}' is there already, on line {before}", query.id),
            ));
        }
    }
    Ok(queries.into_iter().map(|(_, query)| query).collect())
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

fn json_queries(text: &str) -> Result<Vec<(usize, TestQuery)>, FormatError> {
    let query = |(line, json): (usize, &str)| {
        let value: Value = serde_json::from_str(json)
            .map_err(|error| FormatError::at(line, format!("not JSON: {error}")))?;
        let id = id_of(&value, &["_id", "id", "query_id", "qid"])
            .ok_or_else(|| FormatError::at(line, "no _id"))?;
        let text = text_of(&value, &["text", "query", "question"])
            .ok_or_else(|| FormatError::at(line, "no text"))?;
        let flag = |key: &str| value.get(key).and_then(Value::as_bool);
        let is_answerable = flag("answerable").or_else(|| flag("is_impossible").map(|it| !it));
        Ok((line, TestQuery { id, text, is_answerable }))
    };
    numbered(text).map(query).collect()
}

/// The first of these keys that holds a name or number.
pub(super) fn id_of(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| match value.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The first of these keys that holds text.
pub(super) fn text_of(value: &Value, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| value.get(key)?.as_str().map(str::to_owned))
}

fn tab_queries(text: &str) -> Result<Vec<(usize, TestQuery)>, FormatError> {
    let mut queries = Vec::new();
    for (line, row) in numbered(text) {
        let Some((id, rest)) = row.split_once('\t') else {
            return Err(FormatError::at(line, "neither JSON, nor a TREC topic, nor an id, a tab and a text"));
        };
        let text = rest.split('\t').next().unwrap_or_default().trim();
        let is_head = queries.is_empty()
            && ["query-id", "query_id", "qid", "id", "_id"].contains(&id.trim().to_lowercase().as_str())
            && ["text", "query", "question"].contains(&text.to_lowercase().as_str());
        if !is_head {
            queries.push((
                line,
                TestQuery { id: id.trim().to_owned(), text: text.to_owned(), is_answerable: None },
            ));
        }
    }
    Ok(queries)
}

/// What white space separates in a row, as `trec_eval` reads it.
fn words(row: &str) -> Vec<&str> {
    row.split(is_blank).filter(|it| !it.is_empty()).collect()
}

/// The columns of a row, of which there should be so many as `is_right` says. Ids may hold blanks where tabs separate them.
fn columns(row: &str, is_right: impl Fn(usize) -> bool) -> Vec<&str> {
    let words = words(row);
    if !row.contains('\t') {
        return words;
    }
    let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
    let is_whole = is_right(cells.len()) && cells.iter().all(|it| !it.is_empty());
    if is_whole || !is_right(words.len()) { cells } else { words }
}

/// Whether every row is one of TREC's forms, whatever white space stands between its columns.
fn is_trec(text: &str, is_row: impl Fn(&[&str]) -> bool) -> bool {
    numbered(text).all(|(_, row)| is_row(&words(row)))
}

fn is_trec_judgement(cells: &[&str]) -> bool {
    // The iteration, which is 0 in all tracks but a few.
    matches!(cells, [_, "0" | "Q0" | "q0", _, grade] if grade_of(grade).is_some())
}

fn is_trec_result(cells: &[&str]) -> bool {
    matches!(cells, [_, _, _, rank, score, _] if rank.parse::<u64>().is_ok() && score.parse::<f64>().is_ok())
}

/// Whether a row names its columns, as BEIR's files do: query-id, corpus-id, score.
fn is_head(cells: &[&str]) -> bool {
    let is_one_of = |cell: Option<&&str>, names: &[&str]| {
        cell.is_some_and(|it| names.contains(&it.to_lowercase().replace(['_', ' '], "-").as_str()))
    };
    is_one_of(cells.first(), &["query-id", "queryid", "qid", "query", "topic-id", "topic"])
        && is_one_of(
            cells.last(),
            &["score", "relevance", "rel", "grade", "label", "rating", "judgment", "judgement"],
        )
}

/// Reads judgements.
///
/// # Errors
///
/// With the first line that is no judgement, or judges a document anew and otherwise.
pub fn parse_qrels(text: &str) -> Result<Qrels, FormatError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut qrels = Qrels::new();
    let is_trec = is_trec(text, is_trec_judgement);
    let mut is_first = true;
    for (line, row) in numbered(text) {
        let cells = if is_trec { words(row) } else { columns(row, |n| matches!(n, 3 | 4)) };
        if std::mem::take(&mut is_first) && is_head(&cells) {
            continue;
        }
        let (query, document, grade) = match *cells {
            [query, document, grade] => (query, document, grade),
            [query, _, document, grade] => (query, document, grade),
            _ => {
                let message =
                    format!("{} columns instead of 3 (query, document, grade) or TREC's 4", cells.len());
                return Err(FormatError::at(line, message));
            }
        };
        let Some(grade) = grade_of(grade) else {
            return Err(FormatError::at(line, format!("the grade '{grade}' is no whole number")));
        };
        let grades = qrels.entry(query.to_owned()).or_default();
        if grades.insert(document.to_owned(), grade).is_some_and(|before| before != grade) {
            let message =
                format!("the document '{document}' is judged already for the query '{query}', otherwise");
            return Err(FormatError::at(line, message));
        }
    }
    Ok(qrels)
}

/// Some sets write their grades as decimals.
fn grade_of(text: &str) -> Option<i32> {
    text.parse().ok().or_else(|| {
        let value: f64 = text.parse().ok()?;
        (value.fract() == 0.0 && value.abs() < f64::from(i32::MAX)).then_some(value as i32)
    })
}

/// Reads a run.
///
/// # Errors
///
/// With the first line that is no result.
pub fn parse_run(text: &str) -> Result<Run, FormatError> {
    let mut lists: BTreeMap<&str, Vec<(String, f32)>> = BTreeMap::new();
    let mut ordered: BTreeMap<&str, Vec<(String, f32)>> = BTreeMap::new();
    let text = text.trim_start_matches('\u{feff}');
    let is_trec = is_trec(text, is_trec_result);
    for (line, row) in numbered(text) {
        let cells = if is_trec { words(row) } else { columns(row, |n| matches!(n, 2 | 3 | 6)) };
        let (query, document, score) = match *cells {
            [query, document] => (query, document, None),
            [query, document, score] | [query, _, document, _, score] | [query, _, document, _, score, _] => {
                (query, document, Some(score))
            }
            _ => {
                let message = format!(
                    "{} columns instead of TREC's 6, or 2 or 3 (query, document, score)",
                    cells.len()
                );
                return Err(FormatError::at(line, message));
            }
        };
        match score {
            None => ordered.entry(query).or_default().push((document.to_owned(), 1.0)),
            Some(text) => match text.parse::<f64>() {
                // As trec_eval: read in full precision, kept in single.
                Ok(score) if score.is_finite() => {
                    lists.entry(query).or_default().push((document.to_owned(), score as f32));
                }
                _ => return Err(FormatError::at(line, format!("the score '{text}' is no number"))),
            },
        }
    }
    let mut run: Run =
        lists.into_iter().map(|(query, list)| (query.to_owned(), Ranking::of_scores(list))).collect();
    for (query, list) in ordered {
        if run.insert(query.to_owned(), Ranking::of_order(list)).is_some() {
            return Err(FormatError::at(
                1,
                format!("the query '{query}' has results with and without scores"),
            ));
        }
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(text: &str) -> Vec<(String, String)> {
        parse_queries(text, None).unwrap().into_iter().map(|it| (it.id, it.text)).collect()
    }

    #[test]
    fn queries_are_read_in_each_form() {
        let expected =
            [("1".to_owned(), "what is a cache".to_owned()), ("b".to_owned(), "häufig".to_owned())];
        for text in [
            "{\"_id\": \"1\", \"text\": \"what is a cache\", \"metadata\": {}}\n\n{\"_id\": \"b\", \"text\": \"häufig\"}\n",
            "{\"id\": 1, \"query\": \"what is a cache\"}\r\n{\"qid\": \"b\", \"question\": \"häufig\"}\r\n",
            "1\twhat is a cache\nb\thäufig\n",
            "\u{feff}qid\tquery\n1\twhat is a cache\nb\thäufig",
            "<top>\n<num> Number: 1\n<title> what is\n a cache\n<desc> Description:\nlong\n</top>\n<top>\n<num> Number: b\n<title> häufig\n</top>\n",
            "<?xml version=\"1.0\"?>\n<topics><topic number=\"1\"><query>what is a cache</query></topic>\n<topic number='b'><query>häufig</query></topic></topics>",
        ] {
            assert_eq!(queries(text), expected, "{text}");
        }
        assert_eq!(queries(""), []);
    }

    #[test]
    fn labels_say_what_nothing_answers() {
        let text = "{\"_id\":\"a\",\"text\":\"x\",\"answerable\":false}\n{\"_id\":\"b\",\"text\":\"x\",\"is_impossible\":false}\n{\"_id\":\"c\",\"text\":\"x\"}";
        let labels: Vec<_> = parse_queries(text, None).unwrap().iter().map(|it| it.is_answerable).collect();
        assert_eq!(labels, [Some(false), Some(true), None]);
    }

    #[test]
    fn the_field_of_a_topic_can_be_chosen() {
        let text = "<top><num>7</num><title>short</title><desc>Description: long &amp; dry</desc></top>";
        assert_eq!(parse_queries(text, Some("desc")).unwrap()[0].text, "long & dry");
        let error = parse_queries(text, Some("narr")).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the topic '7' has no field 'narr'");
    }

    #[test]
    fn judgements_are_read_in_each_form() {
        let expected: Qrels = [
            ("q1".to_owned(), [("d 1".to_owned(), 2), ("d2".to_owned(), 0)].into()),
            ("q2".to_owned(), [("d2".to_owned(), -1)].into()),
        ]
        .into();
        for text in [
            "query-id\tcorpus-id\tscore\nq1\td 1\t2\nq1\td2\t0\nq2\td2\t-1\n",
            "q1\td 1\t2\nq1\td2\t0\n\nq2\td2\t-1",
            "q1\t0\td 1\t2\r\nq1\t0\td2\t0\r\nq2\tQ0\td2\t-1\r\n",
            "q1\td 1\t2.0\nq1\td2\t0\nq2\td2\t-1\nq2\td2\t-1\n",
        ] {
            assert_eq!(parse_qrels(text).unwrap(), expected, "{text}");
        }
        assert_eq!(parse_qrels("1 0 184 2\n").unwrap()["1"]["184"], 2);
        // As trec_eval reads them.
        let expected: Qrels = [("1".to_owned(), [("d1".to_owned(), 1), ("d2".to_owned(), 2)].into())].into();
        for text in [
            "1\t0  d1\t1\n1\t0  d2\t2\n",
            "1 0\td1\t1\n1\t0\td2  2\n",
            "1\tQ0 d1\t1 \n1\tQ0\td2\t2\t\n",
            "1 d1\t1\n1\td2 2\n",
            "1\td1\t1\t\n 1\td2\t2\n",
            "query_id doc_id relevance\n1 d1 1\n1 d2 2\n",
            "topic\tQ0\tdocid\trel\n1\t0\td1\t1\n1\t0\td2\t2\n",
        ] {
            assert_eq!(parse_qrels(text).unwrap(), expected, "{text:?}");
        }
        assert_eq!(parse_qrels("1\t0 days\t1\n2\tten days\t1\n").unwrap()["1"]["0 days"], 1);
    }

    #[test]
    fn runs_are_read_in_each_form() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(parse_run(text).unwrap()["q"].ids(), expected, "{text}");
        };
        check("q Q0 a 2 0.5 tag\nq Q0 b 1 0.25 tag\n", &["a", "b"]);
        check("q\tQ0 a\t2\t0.5  tag\nq Q0\tb 1\t0.25\ttag\n", &["a", "b"]);
        check("q\tQ0\ta b\t2\t0.5\ttag\nq\tQ0\tb\t1\t0.25\ttag\n", &["a b", "b"]);
        check("q\ta\t0.5\nq\tb\t1e1\n", &["b", "a"]);
        check("q\ta\nq\tb\nq\ta\n", &["a", "b"]);
        check("q 0 a 1 0.5\n", &["a"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let check = |error: FormatError, expected: &str| assert_eq!(error.to_string(), expected);
        check(
            parse_queries("{\"_id\":1,\"text\":\"a\"}\n{\"text\":\"b\"}", None).unwrap_err(),
            "line 2: no _id",
        );
        check(parse_queries("{\"_id\":1}", None).unwrap_err(), "line 1: no text");
        check(
            parse_queries("1\ta\n1\tb", None).unwrap_err(),
            "line 2: the query '1' is there already, on line 1",
        );
        check(
            parse_queries("just words", None).unwrap_err(),
            "line 1: neither JSON, nor a TREC topic, nor an id, a tab and a text",
        );
        check(parse_qrels("q d 1\nq d x1").unwrap_err(), "line 2: the grade 'x1' is no whole number");
        check(parse_qrels("q d 1x").unwrap_err(), "line 1: the grade '1x' is no whole number");
        check(
            parse_qrels("1 0 d1 high\n1 0 d2 1").unwrap_err(),
            "line 1: the grade 'high' is no whole number",
        );
        check(parse_qrels("q d score\nq d 1").unwrap_err(), "line 1: the grade 'score' is no whole number");
        check(
            parse_qrels("q d").unwrap_err(),
            "line 1: 2 columns instead of 3 (query, document, grade) or TREC's 4",
        );
        check(
            parse_qrels("q d 1\nq d 2").unwrap_err(),
            "line 2: the document 'd' is judged already for the query 'q', otherwise",
        );
        check(parse_run("q Q0 d 1 nan t").unwrap_err(), "line 1: the score 'nan' is no number");
        check(
            parse_run("q").unwrap_err(),
            "line 1: 1 columns instead of TREC's 6, or 2 or 3 (query, document, score)",
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,20}(\n[<{}a\t\" 01/top>]{0,30}){0,4}") {
            let _ = parse_queries(&text, None);
            let _ = parse_queries(&format!("<{text}"), Some("title"));
            let _ = parse_qrels(&text);
            let _ = parse_run(&text);
        }
    }
}
