//! Progress of an ingest: a bar on a terminal, lines of JSON for scripts, or nothing.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::error::CliError;
use crate::cli::output::Output;
use crate::ingest::{Event, Reporter};
use crate::render::{human, json};

/// Nothing is drawn before this time, so that short runs stay silent (jj does the same).
const QUIET_START: Duration = Duration::from_millis(250);

/// What is done with each finished source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PerSource {
    /// Nothing.
    Silent,
    /// A line of JSON on stdout.
    JsonLine,
    /// A sentence on stdout about what would happen.
    Plan,
}

/// Hears of an ingest for the command line.
pub(super) struct Progress<'a> {
    bar: Option<ProgressBar>,
    started: Instant,
    per_source: PerSource,
    /// Output and the first error of writing to it; the run goes on without its listener.
    output: RefCell<(&'a mut Output, Option<CliError>)>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(output: &'a mut Output, per_source: PerSource) -> Self {
        let bar = output.shows_progress().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            let template = "{bar:30} {pos}/{len} files  {elapsed}  {wide_msg}";
            bar.set_style(
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            bar
        });
        Self { bar, started: Instant::now(), per_source, output: RefCell::new((output, None)) }
    }

    /// Takes the bar off the screen; tells what writing failed with.
    pub(super) fn finish(self) -> Result<(), CliError> {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.output.into_inner().1.map_or(Ok(()), Err)
    }

    fn write(&self, write: impl FnOnce(&mut Output) -> Result<(), CliError>) {
        let (output, failure) = &mut *self.output.borrow_mut();
        if failure.is_none() {
            *failure = write(output).and_then(|()| output.flush()).err();
        }
    }
}

impl Reporter for Progress<'_> {
    fn event(&self, event: &Event<'_>) {
        if let Some(bar) = &self.bar {
            if bar.is_hidden() && self.started.elapsed() > QUIET_START {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            match event {
                Event::Planned { n_sources, .. } => bar.set_length(*n_sources as u64),
                Event::Done { uri, .. } => {
                    bar.inc(1);
                    bar.set_message((*uri).to_owned());
                }
                Event::Committing => bar.set_message("writing the index"),
            }
        }
        let Event::Done { uri, outcome, warnings, .. } = event else { return };
        match self.per_source {
            PerSource::Silent => {}
            PerSource::JsonLine => {
                self.write(|output| output.json_line(&json::IngestFileOut::new(uri, outcome, warnings)));
            }
            PerSource::Plan => {
                if let Some(line) = human::planned(uri, outcome) {
                    self.write(|output| output.text(&line));
                }
            }
        }
    }
}
