//! Why a hit stands where it stands, in one line.

use crate::content::VectorKind;
use crate::search::{Blend, FusionKind, Hit, RRF_K, Scale};

/// The lists that found the hit, its raw scores, and the arithmetic of its score.
/// The score of a sparse model's vectors is no cosine.
pub fn hit(hit: &Hit, blend: Option<Blend>, vectors: VectorKind) -> String {
    let is_fused = hit.scores.fused.is_some();
    let list = |name: &str, score: Option<String>, rank: Option<usize>| match (score, rank) {
        (Some(score), Some(rank)) => Some(format!("{name} #{rank} ({score})")),
        (Some(score), None) => Some(format!("behind the {name} list ({score})")),
        (None, _) => is_fused.then(|| format!("not in the {name} list")),
    };
    let measure = match vectors {
        VectorKind::Dense => "cosine",
        VectorKind::Sparse => "sparse",
    };
    let vector = hit.scores.vector.map(|it| format!("{measure} {it:.4}"));
    let bm25 = hit.scores.bm25.map(|it| format!("bm25 {it:.3}"));
    let mut parts: Vec<String> = [list("vector", vector, hit.vector_rank), list("text", bm25, hit.text_rank)]
        .into_iter()
        .flatten()
        .collect();
    match hit.matches.len() {
        0 => {}
        1 => parts.push("1 match".to_owned()),
        n => parts.push(format!("{n} matches")),
    }
    if hit.rank.is_none() {
        parts.push("neighbour of a hit".to_owned());
    }
    if let Some(blend) = blend.filter(|_| is_fused) {
        parts.push(format!("{}: {}", blend.fusion.kind.name(), arithmetic(hit, &blend)));
    }
    if let Some(score) = hit.scores.rerank {
        parts.push(format!("reranked: {score:.4}"));
    }
    if let Some(merged) = &hit.merged {
        parts.push(format!("{} of the section's {} passages", merged.chunks.len(), merged.n_chunks));
    }
    match hit.duplicates.len() {
        0 => {}
        1 => parts.push("1 near-duplicate left out".to_owned()),
        n => parts.push(format!("{n} near-duplicates left out")),
    }
    parts.join(", ")
}

/// `0.25 x 0.4120/0.5120 + 0.75 x 9.400/9.400 = 0.9512`.
fn arithmetic(hit: &Hit, blend: &Blend) -> String {
    let weight = blend.fusion.weight;
    let vector = term(weight, blend.vector, hit.scores.vector, hit.vector_rank, 4);
    let text = term(1.0 - weight, blend.text, hit.scores.bm25, hit.text_rank, 3);
    let fused = hit.scores.fused.unwrap_or_default();
    let n_decimals = if blend.fusion.kind == FusionKind::Rrf { 5 } else { 4 };
    format!("{vector} + {text} = {fused:.n_decimals$}")
}

/// One list's share of the sum.
fn term(weight: f32, scale: Scale, score: Option<f32>, rank: Option<usize>, n_decimals: usize) -> String {
    let weight = (f64::from(weight) * 1e4).round() / 1e4;
    let Some(score) = score else { return format!("{weight} x 0") };
    let part = scale.part(score, rank);
    match (scale, rank) {
        (Scale::Best(best), _) if part > 0.0 && part < 1.0 => {
            format!("{weight} x {score:.n_decimals$}/{best:.n_decimals$}")
        }
        (Scale::Between { low, high }, _) if part > 0.0 && part < 1.0 => {
            format!(
                "{weight} x ({score:.n_decimals$} - {low:.n_decimals$})/({high:.n_decimals$} - {low:.n_decimals$})"
            )
        }
        (Scale::Rank, Some(rank)) => format!("{weight} x 2/({RRF_K} + {rank})"),
        _ => format!("{weight} x {part}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_the_sum_shows_its_numbers() {
        let check = |scale: Scale, score: Option<f32>, rank: Option<usize>, expected: &str| {
            assert_eq!(term(0.25, scale, score, rank, 3), expected);
        };
        check(Scale::Best(0.5), Some(0.25), Some(3), "0.25 x 0.250/0.500");
        check(Scale::Best(0.5), Some(0.5), Some(1), "0.25 x 1");
        check(Scale::Best(0.5), Some(-0.5), None, "0.25 x 0");
        check(Scale::Best(0.5), None, None, "0.25 x 0");
        check(
            Scale::Between { low: 0.1, high: 0.9 },
            Some(0.5),
            None,
            "0.25 x (0.500 - 0.100)/(0.900 - 0.100)",
        );
        check(Scale::Rank, Some(0.5), Some(3), "0.25 x 2/(60 + 3)");
        check(Scale::Rank, Some(0.5), None, "0.25 x 0");
        assert_eq!(term(1.0 - 0.3, Scale::Best(1.0), Some(1.0), Some(1), 3), "0.7 x 1");
    }
}
