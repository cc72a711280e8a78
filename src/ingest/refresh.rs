//! When to read a source again.

use std::time::Duration;

use globset::{Glob, GlobMatcher};

use crate::store::embedded::Record;

/// When a document that is stored already is read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefreshPolicy {
    /// Never: a stored URI is skipped without being read.
    #[default]
    Never,
    /// When the source's bytes, the reader's version or the pipeline changed.
    Changed,
    /// On every run.
    Always,
    /// When it was ingested longer ago than this.
    OlderThan(Duration),
}

/// What to do with a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It is not stored: read and add it.
    Add,
    /// It is stored: leave it alone, unread.
    Keep,
    /// It is stored: read it, and replace it if it differs.
    Compare,
    /// It is stored: read and replace it.
    Refresh,
}

impl RefreshPolicy {
    /// Decides from the stored record alone.
    ///
    /// ```
    /// use ragctl::ingest::{Decision, RefreshPolicy};
    ///
    /// let now = jiff::Timestamp::UNIX_EPOCH;
    /// assert_eq!(RefreshPolicy::Never.decide(None, now), Decision::Add);
    /// ```
    pub fn decide(self, record: Option<&Record>, now: jiff::Timestamp) -> Decision {
        let Some(record) = record else { return Decision::Add };
        match self {
            Self::Never => Decision::Keep,
            Self::Changed => Decision::Compare,
            Self::Always => Decision::Refresh,
            Self::OlderThan(limit) => {
                let age = Duration::try_from(now.duration_since(record.ingested_at)).unwrap_or_default();
                if age > limit { Decision::Refresh } else { Decision::Keep }
            }
        }
    }
}

/// The policy for each URI: the last rule whose glob matches, else the default.
#[derive(Clone, Debug, Default)]
pub struct RefreshRules {
    /// For URIs that no rule matches.
    pub default: RefreshPolicy,
    /// Globs over whole URIs, with their policies.
    pub rules: Vec<(GlobMatcher, RefreshPolicy)>,
}

impl RefreshRules {
    /// The policy for `uri`.
    pub fn policy_for(&self, uri: &str) -> RefreshPolicy {
        let rule = self.rules.iter().rev().find(|(glob, _)| glob.is_match(uri));
        rule.map_or(self.default, |(_, policy)| *policy)
    }

    /// Reads `never`, `changed`, `always`, `older-than=7d`, or `GLOB:POLICY` for URIs that match the glob; each text
    /// adds to the ones before.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong.
    pub fn add(&mut self, text: &str) -> Result<(), String> {
        if let Some(policy) = parse_policy(text)? {
            self.default = policy;
            return Ok(());
        }
        let rule =
            text.rsplit_once(':').and_then(|(glob, policy)| Some((glob, parse_policy(policy).transpose()?)));
        let Some((glob, policy)) = rule else {
            return Err(format!(
                "'{text}' is neither never, changed, always, older-than=DURATION nor GLOB:POLICY"
            ));
        };
        let glob = Glob::new(glob).map_err(|error| error.to_string())?;
        self.rules.push((glob.compile_matcher(), policy?));
        Ok(())
    }
}

fn parse_policy(text: &str) -> Result<Option<RefreshPolicy>, String> {
    Ok(Some(match text {
        "never" => RefreshPolicy::Never,
        "changed" => RefreshPolicy::Changed,
        "always" => RefreshPolicy::Always,
        _ => match text.strip_prefix("older-than=") {
            Some(duration) => RefreshPolicy::OlderThan(parse_duration(duration)?),
            None => return Ok(None),
        },
    }))
}

/// Reads `90s`, `15m`, `12h`, `7d`, `2w` and sums of them such as `1d12h`; a bare number is seconds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a duration such as 90s, 15m, 12h, 7d or 1d12h");
    if text.is_empty() {
        return Err(wrong());
    }
    let (mut total, mut digits) = (0_u64, String::new());
    for character in text.chars() {
        if character.is_ascii_digit() {
            digits.push(character);
            continue;
        }
        let unit = match character {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            'w' => 604_800,
            _ => return Err(wrong()),
        };
        let count: u64 = digits.parse().map_err(|_| wrong())?;
        total = count.checked_mul(unit).and_then(|it| total.checked_add(it)).ok_or_else(wrong)?;
        digits.clear();
    }
    if !digits.is_empty() {
        let seconds: u64 = digits.parse().map_err(|_| wrong())?;
        total = total.checked_add(seconds).ok_or_else(wrong)?;
    }
    Ok(Duration::from_secs(total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{ContentHash, DocumentId};

    fn record(seconds_ago: i64) -> (Record, jiff::Timestamp) {
        let now = jiff::Timestamp::from_second(1_000_000).unwrap();
        let record = Record {
            number: 1,
            id: DocumentId::of_uri("a"),
            hash: ContentHash::of(b""),
            reader: "markdown".into(),
            reader_version: 1,
            pipeline: String::new(),
            ingested_at: jiff::Timestamp::from_second(1_000_000 - seconds_ago).unwrap(),
            is_file: true,
        };
        (record, now)
    }

    #[test]
    fn policies_decide_from_the_record() {
        let check = |policy: RefreshPolicy, seconds_ago, expected| {
            let (record, now) = record(seconds_ago);
            assert_eq!(policy.decide(Some(&record), now), expected, "{policy:?}");
            assert_eq!(policy.decide(None, now), Decision::Add);
        };
        check(RefreshPolicy::Never, 100, Decision::Keep);
        check(RefreshPolicy::Changed, 0, Decision::Compare);
        check(RefreshPolicy::Always, 0, Decision::Refresh);
        check(RefreshPolicy::OlderThan(Duration::from_secs(60)), 60, Decision::Keep);
        check(RefreshPolicy::OlderThan(Duration::from_secs(60)), 61, Decision::Refresh);
        // A clock that went backwards keeps the document.
        check(RefreshPolicy::OlderThan(Duration::from_secs(60)), -500, Decision::Keep);
    }

    #[test]
    fn rules_are_read_from_text() {
        let mut rules = RefreshRules::default();
        for text in ["changed", "docs/api/**:always", "**/*.pdf:older-than=1d12h"] {
            rules.add(text).unwrap();
        }
        let check = |uri, expected| assert_eq!(rules.policy_for(uri), expected, "{uri}");
        check("docs/a.md", RefreshPolicy::Changed);
        check("docs/api/x/y.md", RefreshPolicy::Always);
        check("docs/api/x.pdf", RefreshPolicy::OlderThan(Duration::from_secs(36 * 3600)));
        for wrong in
            ["", "sometimes", "older-than=", "older-than=5y", "older-than=d", "docs/**:maybe", "[:always"]
        {
            assert!(RefreshRules::default().add(wrong).is_err(), "{wrong}");
        }
    }
}
