//! Files of judgements and results that need no index.

use std::path::{Path, PathBuf};

use crate::cli::args::CollectionArgs;
use crate::cli::error::CliError;
use crate::eval::collection::{Files, read_with};
use crate::eval::formats::{parse_qrels, parse_run};
use crate::eval::{Qrels, Run, with_judged_ids};

/// The judgements that are named, with their file.
pub(super) fn judgements(args: &CollectionArgs) -> Result<(PathBuf, Qrels), CliError> {
    let path = match (&args.beir, &args.qrels) {
        (Some(folder), _) => Files::of_beir(folder, &args.split)?.qrels,
        (None, Some(qrels)) => qrels.clone(),
        (None, None) => {
            return Err(CliError::usage(
                "results have no value without judgements",
                "give them with --qrels FILE, or --beir DIR",
            ));
        }
    };
    let qrels = read_with(&path, parse_qrels)?;
    Ok((path, qrels))
}

/// The results in the file `path`, of each query as many as are looked at, and what is to be said of them.
pub(super) fn results(
    path: &Path,
    args: &CollectionArgs,
    (qrels_path, qrels): &(PathBuf, Qrels),
) -> Result<(Run, Option<String>), CliError> {
    let mut run = with_judged_ids(read_with(path, parse_run)?, qrels);
    let (name, judged) = (path.display(), qrels_path.display());
    if run.is_empty() {
        return Ok((run, Some(format!("there is no result in '{name}'"))));
    }
    if !run.keys().any(|id| qrels.contains_key(id)) {
        let example = run.keys().next().map_or("", String::as_str);
        return Err(CliError::usage(
            format!(
                "none of the {} queries of '{name}' is judged in '{judged}', such as '{example}'",
                run.len()
            ),
            "check that the results and the judgements belong together",
        ));
    }
    if let Some(depth) = args.depth {
        run = run.into_iter().map(|(query, ranking)| (query, ranking.cut(depth))).collect();
    }
    let is_judged = |(query, ranking): (&String, &crate::eval::Ranking)| {
        qrels.get(query).is_some_and(|grades| ranking.ids().iter().any(|id| grades.contains_key(*id)))
    };
    let note = format!("no document of '{name}' is judged in '{judged}': are their ids of one kind?");
    let note = (!run.iter().any(is_judged)).then_some(note);
    Ok((run, note))
}
