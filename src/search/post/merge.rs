//! Auto-merge: where more than half of a section's chunks are hits, the section is one hit.

use std::collections::{BTreeMap, HashMap};

/// Where a candidate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// Number of its document.
    pub document: i64,
    /// Position of its section; `None` when it belongs to the document itself.
    pub section: Option<usize>,
}

/// What is asked of the documents' section trees.
pub trait Tree {
    /// Why a tree cannot be read.
    type Error;

    /// The section above; `None` for a top-level one.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn parent(&mut self, document: i64, section: usize) -> Result<Option<usize>, Self::Error>;

    /// How many chunks the section holds, subsections included; `None` when it is too long to be returned as one.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    fn n_chunks(&mut self, document: i64, section: usize) -> Result<Option<usize>, Self::Error>;
}

/// One hit: a candidate, or the candidates of a section that became one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The section, where candidates became one.
    pub section: Option<(i64, usize)>,
    /// Places of the candidates, best first.
    pub members: Vec<usize>,
}

/// Takes candidates, best first, and turns those of a section into one [`Group`] where they are more than half of its
/// chunks (subsections included) and at least two; the outermost such section wins. At most `k` groups, ordered by their
/// best candidates.
///
/// Candidates count as hits only as far as they are needed: the first `k`, and for every place that merging frees the
/// next one. A candidate that belongs to a section that is there already joins it and takes no place.
///
/// # Errors
///
/// Those of the tree.
pub fn merge<T: Tree>(spots: &[Spot], k: usize, tree: &mut T) -> Result<Vec<Group>, T::Error> {
    let mut n_taken = k.min(spots.len());
    loop {
        let mut groups = grouped(&spots[..n_taken], tree)?;
        if groups.len() >= k || n_taken == spots.len() {
            groups.truncate(k);
            return Ok(groups);
        }
        n_taken = (n_taken + k - groups.len()).min(spots.len());
    }
}

fn grouped<T: Tree>(spots: &[Spot], tree: &mut T) -> Result<Vec<Group>, T::Error> {
    let mut paths: HashMap<(i64, usize), Vec<usize>> = HashMap::new();
    let mut counts: BTreeMap<(i64, usize), usize> = BTreeMap::new();
    for spot in spots {
        let Some(section) = spot.section else { continue };
        let key = (spot.document, section);
        if !paths.contains_key(&key) {
            let (mut path, mut next) = (Vec::new(), Some(section));
            while let Some(at) = next {
                path.push(at);
                // A parent stands before its children; anything else would be a loop in a damaged index.
                next = tree.parent(spot.document, at)?.filter(|&parent| parent < at);
            }
            paths.insert(key, path);
        }
        for &at in &paths[&key] {
            *counts.entry((spot.document, at)).or_default() += 1;
        }
    }
    let mut merged: BTreeMap<(i64, usize), bool> = BTreeMap::new();
    for (&(document, section), &n_hits) in &counts {
        let is_merged = n_hits > 1 && tree.n_chunks(document, section)?.is_some_and(|all| n_hits * 2 > all);
        merged.insert((document, section), is_merged);
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut by_section: HashMap<(i64, usize), usize> = HashMap::new();
    for (place, spot) in spots.iter().enumerate() {
        let path = spot.section.and_then(|section| paths.get(&(spot.document, section)));
        let outermost = path.into_iter().flatten().rev().find(|&&at| merged[&(spot.document, at)]);
        match outermost.map(|&at| (spot.document, at)) {
            None => groups.push(Group { section: None, members: vec![place] }),
            Some(section) => match by_section.get(&section) {
                Some(&at) => groups[at].members.push(place),
                None => {
                    by_section.insert(section, groups.len());
                    groups.push(Group { section: Some(section), members: vec![place] });
                }
            },
        }
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// Parents and chunk counts of one document's sections.
    struct Sections(Vec<(Option<usize>, Option<usize>)>);

    impl Tree for Sections {
        type Error = Infallible;

        fn parent(&mut self, _: i64, section: usize) -> Result<Option<usize>, Infallible> {
            Ok(self.0[section].0)
        }

        fn n_chunks(&mut self, _: i64, section: usize) -> Result<Option<usize>, Infallible> {
            Ok(self.0[section].1)
        }
    }

    /// Section 0 with chunks of its own (1) and two subsections of 3 and 4 chunks; section 3 with 2.
    fn sections() -> Sections {
        Sections(vec![(None, Some(8)), (Some(0), Some(3)), (Some(0), Some(4)), (None, Some(2))])
    }

    /// Merges candidates of these sections; a group is its section (-1: none) with its members.
    fn merged(of: &[usize], k: usize) -> Vec<(i64, Vec<usize>)> {
        let spots: Vec<Spot> =
            of.iter().map(|&section| Spot { document: 1, section: Some(section) }).collect();
        let Ok(groups) = merge(&spots, k, &mut sections());
        groups.into_iter().map(|it| (it.section.map_or(-1, |it| it.1 as i64), it.members)).collect()
    }

    #[test]
    fn more_than_half_of_a_section_becomes_the_section() {
        assert_eq!(merged(&[1, 3, 1], 3), [(1, vec![0, 2]), (-1, vec![1])]);
        // Half is not more than half.
        assert_eq!(merged(&[2, 2], 2), [(-1, vec![0]), (-1, vec![1])]);
        assert_eq!(merged(&[2, 2, 2], 3), [(2, vec![0, 1, 2])]);
        // One chunk is itself.
        assert_eq!(merged(&[3], 1), [(-1, vec![0])]);
        assert_eq!(merged(&[3, 3], 2), [(3, vec![0, 1])]);
    }

    #[test]
    fn the_outermost_section_wins() {
        assert_eq!(merged(&[1, 1, 2, 2, 2], 5), [(0, vec![0, 1, 2, 3, 4])]);
        assert_eq!(merged(&[1, 1, 2, 2], 5), [(1, vec![0, 1]), (-1, vec![2]), (-1, vec![3])]);
    }

    #[test]
    fn freed_places_go_to_the_next_candidates() {
        assert_eq!(merged(&[1, 1, 3, 2], 2), [(1, vec![0, 1]), (-1, vec![2])]);
        // The third of the section joins it; the place goes on to the next.
        assert_eq!(merged(&[1, 1, 1, 3], 2), [(1, vec![0, 1, 2]), (-1, vec![3])]);
        // What nobody needs makes no section: the second of section 3 stands behind the cut.
        assert_eq!(merged(&[3, 2, 3], 2), [(-1, vec![0]), (-1, vec![1])]);
    }

    #[test]
    fn a_section_that_is_too_long_stays_in_pieces() {
        let mut long = Sections(vec![(None, None)]);
        let spots = [Spot { document: 1, section: Some(0) }; 3];
        assert_eq!(merge(&spots, 3, &mut long).unwrap().len(), 3);
        let without = [Spot { document: 1, section: None }; 3];
        assert_eq!(merge(&without, 3, &mut long).unwrap().len(), 3);
    }

    proptest! {
        #[test]
        fn groups_are_whole_and_as_many_as_there_can_be(of in prop::collection::vec(0usize..4, 0..17), k in 1usize..9) {
            // No more candidates of a section than it has chunks.
            let own = [1, 3, 4, 2];
            let mut n = [0; 4];
            let of: Vec<usize> = of.into_iter().filter(|&it| { n[it] += 1; n[it] <= own[it] }).collect();
            let groups = merged(&of, k);
            prop_assert!(groups.len() <= k);
            let mut members: Vec<usize> = groups.iter().flat_map(|it| it.1.clone()).collect();
            prop_assert!(groups.iter().all(|it| it.1.is_sorted()));
            prop_assert!(groups.is_sorted_by(|a, b| a.1[0] < b.1[0]));
            members.sort_unstable();
            prop_assert!(members.windows(2).all(|it| it[0] < it[1]), "each candidate once");
            if groups.len() < k {
                prop_assert!(members.into_iter().eq(0..of.len()), "nothing is left out without need");
            }
        }
    }
}
