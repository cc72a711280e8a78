//! Transformers: what is put around a chunk's text before it is indexed and embedded.
//!
//! Owns the registry [`TRANSFORMERS`] and the [`Pipeline`] of those that a user chose. Chunks come in from the chunker
//! and leave with another `text`; their spans, ids and structure stay. Adding a transformer is one file and one entry
//! in the registry.

mod add_titles;

use crate::content::{Chunk, Document};

pub use add_titles::AddTitles;

/// What is known of a transformer without running it.
#[derive(Clone, Copy, Debug)]
pub struct TransformerMeta {
    /// Name, as in `--transform NAME`.
    pub name: &'static str,
    /// Raised whenever the same chunk would get another text.
    pub version: u32,
    /// One line for `--help`.
    pub summary: &'static str,
}

/// Changes a chunk's `text`, never its span, ids or structure. Pure and infallible.
///
/// Transformers run in the order that the user lists; each finds in `chunk.text` what the one before returned.
///
/// ```
/// use ragctl::content::{Chunk, Document};
/// use ragctl::transform::{ChunkTransformer, TransformerMeta};
///
/// struct Uppercase;
///
/// impl ChunkTransformer for Uppercase {
///     fn meta(&self) -> &'static TransformerMeta {
///         &TransformerMeta { name: "uppercase", version: 1, summary: "Writes the text in capitals" }
///     }
///
///     fn transform(&self, _document: &Document, chunk: &Chunk) -> String {
///         chunk.text.to_uppercase()
///     }
/// }
/// ```
pub trait ChunkTransformer: Sync {
    /// Name, version, summary.
    fn meta(&self) -> &'static TransformerMeta;

    /// The new text of `chunk`, which belongs to `document`.
    fn transform(&self, document: &Document, chunk: &Chunk) -> String;
}

/// All transformers, in the order in which `--help` lists them.
pub const TRANSFORMERS: &[&dyn ChunkTransformer] = &[&AddTitles];

/// The name that stands for no transformer at all.
pub const NONE: &str = "none";

/// The transformers that a user chose, in order.
#[derive(Clone)]
pub struct Pipeline {
    steps: Vec<&'static dyn ChunkTransformer>,
}

impl Pipeline {
    /// Looks up transformers by name. No names, or [`NONE`] alone, give the pipeline that changes nothing.
    ///
    /// ```
    /// use ragctl::transform::Pipeline;
    ///
    /// assert_eq!(Pipeline::of_names(&["add-titles"])?.fingerprint(), "add-titles/1");
    /// assert_eq!(Pipeline::of_names(&["none"])?.fingerprint(), "none");
    /// assert!(Pipeline::of_names(&["shout"]).is_err());
    /// # Ok::<(), ragctl::transform::PipelineError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`PipelineError::Unknown`] for a name that is not in the registry, [`PipelineError::NoneAmongOthers`] when
    /// [`NONE`] is listed with other names.
    pub fn of_names<S: AsRef<str>>(names: &[S]) -> Result<Self, PipelineError> {
        if names.len() == 1 && names[0].as_ref() == NONE {
            return Ok(Self { steps: Vec::new() });
        }
        let steps = names.iter().map(|name| find(name.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { steps })
    }

    /// Names the steps and their versions, such as `add-titles/1`; joined by commas, [`NONE`] without steps.
    ///
    /// # Stability: stored in format 1; another fingerprint means other texts.
    pub fn fingerprint(&self) -> String {
        let steps: Vec<_> = self.steps.iter().map(|step| step.meta()).collect();
        match steps.is_empty() {
            true => NONE.to_owned(),
            false => {
                steps.iter().map(|it| format!("{}/{}", it.name, it.version)).collect::<Vec<_>>().join(",")
            }
        }
    }

    /// Runs every step over the texts of `chunks`, which belong to `document`.
    pub fn apply(&self, document: &Document, chunks: &mut [Chunk]) {
        for chunk in chunks {
            for step in &self.steps {
                chunk.text = step.transform(document, chunk);
            }
        }
    }
}

impl Default for Pipeline {
    /// `add-titles` alone.
    fn default() -> Self {
        Self { steps: vec![&AddTitles] }
    }
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pipeline({})", self.fingerprint())
    }
}

/// Why a list of names is no pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PipelineError {
    /// No transformer has this name.
    #[error("no transformer is called '{name}'; there are: {}", names().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// Both something and nothing were asked for.
    #[error("the transformer 'none' cannot be combined with others")]
    NoneAmongOthers,
}

fn find(name: &str) -> Result<&'static dyn ChunkTransformer, PipelineError> {
    match TRANSFORMERS.iter().find(|it| it.meta().name == name) {
        Some(&transformer) => Ok(transformer),
        None if name == NONE => Err(PipelineError::NoneAmongOthers),
        None => Err(PipelineError::Unknown { name: name.to_owned() }),
    }
}

/// Every name that [`Pipeline::of_names`] knows.
fn names() -> Vec<&'static str> {
    TRANSFORMERS.iter().map(|it| it.meta().name).chain([NONE]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_list_what_exists() {
        let error = Pipeline::of_names(&["add-titles", "shout"]).unwrap_err();
        assert_eq!(error.to_string(), "no transformer is called 'shout'; there are: add-titles, none");
    }

    #[test]
    fn none_stands_alone() {
        assert_eq!(Pipeline::of_names::<&str>(&[]).unwrap().fingerprint(), "none");
        assert_eq!(Pipeline::of_names(&["none", "add-titles"]).unwrap_err(), PipelineError::NoneAmongOthers);
    }

    #[test]
    fn fingerprints_keep_the_order() {
        assert_eq!(Pipeline::default().fingerprint(), "add-titles/1");
        let twice = Pipeline::of_names(&["add-titles", "add-titles"]).unwrap();
        assert_eq!(twice.fingerprint(), "add-titles/1,add-titles/1");
    }

    #[test]
    fn names_are_unique() {
        let names = names();
        assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)));
    }
}
