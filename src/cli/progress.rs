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

/// An estimate of this time or more is told (chosen: as long as one watches a bar without a question).
const LONG: Duration = Duration::from_secs(10);

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

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
            bar.set_style(style("{bar:30} {pos}/{len} files  {elapsed}  {wide_msg}"));
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
                Event::Listed { n_members, .. } => {
                    // The archive itself is no document: its members stand in its place.
                    bar.set_length((bar.length().unwrap_or(0) + *n_members as u64).saturating_sub(1));
                }
                Event::Done { uri, .. } => {
                    bar.inc(1);
                    bar.set_message((*uri).to_owned());
                }
                Event::Committing => bar.set_message("writing the index"),
                Event::Estimated { n_texts, .. } => {
                    bar.set_length(*n_texts as u64);
                    bar.set_style(style("{bar:30} {pos}/{len} passages  {elapsed}  {wide_msg}"));
                }
                Event::Embedded { n_done, remaining, .. } => {
                    bar.set_position(*n_done as u64);
                    bar.set_message(format!("{} left", human::duration(*remaining)));
                }
            }
        }
        if let Event::Estimated { model, n_texts, duration } = event
            && *duration >= LONG
        {
            let (output, _) = &*self.output.borrow();
            let note = format!(
                "embedding {n_texts} passages with '{model}' takes about {}; searches go on meanwhile with what the index has, and \
                 a run that is stopped goes on where it was",
                human::duration(*duration)
            );
            match &self.bar {
                Some(bar) => bar.suspend(|| output.note(&note)),
                None => output.note(&note),
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
