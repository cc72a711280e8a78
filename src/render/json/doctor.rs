//! The answer to `doctor`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{schema_name, wire};

/// How something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// Worth knowing; nothing is broken.
    Note,
    /// Broken.
    Problem,
}

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DiagnosisOut {
    /// What it is.
    pub name: String,
    /// How it stands.
    pub state: State,
    /// What was found.
    pub detail: String,
    /// What to do; null when nothing has to be done.
    pub hint: Option<String>,
}

impl DiagnosisOut {
    /// Something as it should be.
    pub fn ok(name: &str, detail: impl Into<String>) -> Self {
        Self { name: name.to_owned(), state: State::Ok, detail: detail.into(), hint: None }
    }

    /// Something worth knowing.
    pub fn note(name: &str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { state: State::Note, hint: Some(hint.into()), ..Self::ok(name, detail) }
    }

    /// Something broken.
    pub fn problem(name: &str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { state: State::Problem, ..Self::note(name, detail, hint) }
    }
}

/// How program, machine and index stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorOut {
    /// `ragctl.doctor/1`.
    pub schema: String,
    /// Whether nothing is broken.
    pub ok: bool,
    /// What was looked at.
    pub checks: Vec<DiagnosisOut>,
}
wire!(DoctorOut, "doctor");

impl DoctorOut {
    /// The answer to `doctor`.
    pub fn new(checks: Vec<DiagnosisOut>) -> Self {
        let ok = checks.iter().all(|it| it.state != State::Problem);
        Self { schema: schema_name::<Self>(), ok, checks }
    }
}
