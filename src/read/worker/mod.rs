//! Worker processes: risky readers run apart, under limits.
//!
//! A hostile file can make a parser crash, loop or balloon. [`read_isolated`] therefore runs the reader in a child
//! process, the same program with the hidden argument [`SUBCOMMAND`], which calls [`serve`]. One child reads one
//! file: a start costs a few milliseconds, and a crash or a limit costs that file only. The child limits its own
//! memory and CPU time before it sees a byte of the file; the parent limits wall time and output. What the child
//! prints to its standard error is kept for the error message and never shown as it is.
//!
//! The wire format between the two lives in `wire`; both ends are the same binary, so it needs no versions.

mod limits;
mod wire;

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use crate::read::{Blob, Parsed, ReadError, ReadOptions, ReaderMeta, reader_named};

pub use limits::Limits;

/// The hidden subcommand that makes the program a worker: it calls [`serve`] on its standard input and output.
pub const SUBCOMMAND: &str = "__read-worker";

/// Set in the environment of a worker, which may not start workers itself: a program that does not know
/// [`SUBCOMMAND`] and reads files instead would start itself without end.
const INSIDE: &str = "RAGCTL_INSIDE_READ_WORKER";

/// Most bytes kept of a child's standard error; enough for a panic message.
const STDERR_BYTES: u64 = 16 * 1024;

/// Reads `blob` with `reader` in a child process of `program`, which must answer to [`SUBCOMMAND`].
///
/// Gives what the reader would give in this process. Safe to call from many threads at once; each call has its own
/// child, which is always reaped before the call returns.
///
/// # Errors
///
/// The reader's own error, or [`ReadError::Worker`] naming the limit, signal or exit code when the child dies, runs
/// into a limit, or cannot be started.
pub fn read_isolated(
    program: &Path,
    reader: &'static ReaderMeta,
    blob: &Blob,
    options: &ReadOptions,
    limits: &Limits,
) -> Result<Parsed, ReadError> {
    if std::env::var_os(INSIDE).is_some() {
        let detail = format!("the worker program does not know '{SUBCOMMAND}'");
        return Err(ReadError::Worker { format: reader.name, detail });
    }
    let mut command = Command::new(program);
    command.arg(SUBCOMMAND).env(INSIDE, "1");
    read_with(command, reader, blob, options, limits)
}

fn read_with(
    mut command: Command,
    reader: &'static ReaderMeta,
    blob: &Blob,
    options: &ReadOptions,
    limits: &Limits,
) -> Result<Parsed, ReadError> {
    let failed = |detail: String| ReadError::Worker { format: reader.name, detail };
    // Its own process group: Ctrl-C reaches the parent, which decides what becomes of the file.
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| failed(format!("cannot start the worker process: {error}")))?;
    let outcome = Worker(child).run(reader, blob, options, limits);
    let outcome = outcome.map_err(|error| failed(format!("cannot talk to the worker process: {error}")))?;
    match outcome.end {
        End::WallTime => Err(failed(format!("stopped at the time limit of {} s", limits.wall.as_secs_f32()))),
        End::Output => {
            Err(failed(format!("stopped at the output limit of {} MiB", limits.output_bytes >> 20)))
        }
        End::Answered => match wire::decode_answer(&outcome.answer, reader) {
            Some(answer) => answer,
            None => Err(failed(describe_death(outcome.status, &outcome.stderr, limits))),
        },
    }
}

/// Serves one request: reads it from `input`, limits this process as it asks, reads the file, answers on `output`.
///
/// The limits are those of the whole process and last until it ends, so only a worker process may call this.
///
/// # Errors
///
/// When the request is malformed, the limits cannot be set, or the answer cannot be written.
pub fn serve(input: impl Read, output: impl Write) -> io::Result<()> {
    serve_with(input, output, Limits::apply)
}

fn serve_with(
    mut input: impl Read,
    output: impl Write,
    apply: impl FnOnce(&Limits) -> io::Result<()>,
) -> io::Result<()> {
    let request = wire::read_request(&mut input)?;
    apply(&request.limits)?;
    let bytes = wire::read_bytes(&mut input)?;
    let reader = reader_named(&request.reader)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no reader of that name"))?;
    let blob = Blob { uri: request.uri, bytes };
    wire::write_answer(output, &reader.read(&blob, &request.options))
}

/// How a child's work ended, as the parent saw it.
enum End {
    /// It closed its output, after an answer or in death.
    Answered,
    /// It was stopped for its wall time.
    WallTime,
    /// It was stopped for its output.
    Output,
}

/// What is left of a child.
struct Outcome {
    end: End,
    answer: Vec<u8>,
    stderr: String,
    status: ExitStatus,
}

/// A child that is killed and reaped when dropped.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        // Both fail only when the child is gone and reaped already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Worker {
    /// Sends the request and collects the answer, all three pipes at once, so that none can fill up and block.
    fn run(
        mut self,
        reader: &ReaderMeta,
        blob: &Blob,
        options: &ReadOptions,
        limits: &Limits,
    ) -> io::Result<Outcome> {
        let missing = || io::Error::other("a pipe is missing");
        let stdin: ChildStdin = self.0.stdin.take().ok_or_else(missing)?;
        let stdout: ChildStdout = self.0.stdout.take().ok_or_else(missing)?;
        let stderr: ChildStderr = self.0.stderr.take().ok_or_else(missing)?;
        thread::scope(|scope| {
            // A failed write means that the child is gone, which its status tells better.
            scope.spawn(move || wire::write_request(stdin, reader.name, blob, options, limits));
            let complaints = scope.spawn(move || read_prefix(stderr, STDERR_BYTES));
            let (done, finished) = mpsc::channel::<()>();
            let cap = limits.output_bytes;
            let answer = scope.spawn(move || {
                let mut answer = Vec::new();
                // An error of reading ends the answer early, and half an answer does not decode.
                let _ = stdout.take(cap.saturating_add(1)).read_to_end(&mut answer);
                drop(done);
                answer
            });
            let timed_out = finished.recv_timeout(limits.wall) == Err(RecvTimeoutError::Timeout);
            // At this point the child is out of time, over its output, or has closed its output and is exiting;
            // a kill does not change the status of one that is exiting.
            self.0.kill()?;
            let status = self.0.wait()?;
            let broken = |_| io::Error::other("a pipe thread panicked");
            let answer = answer.join().map_err(broken)?;
            let stderr = complaints.join().map_err(broken)?;
            let end = match timed_out {
                true => End::WallTime,
                false if answer.len() as u64 > cap => End::Output,
                false => End::Answered,
            };
            Ok(Outcome { end, answer, stderr: String::from_utf8_lossy(&stderr).into_owned(), status })
        })
    }
}

/// Reads `input` to its end and keeps the first `keep` bytes.
fn read_prefix(mut input: impl Read, keep: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    // Whatever was read before an error is kept.
    let _ = input.by_ref().take(keep).read_to_end(&mut kept);
    let _ = io::copy(&mut input, &mut io::sink());
    kept
}

/// Says why a child gave no answer: the limit it ran into, else its panic, signal or exit code.
fn describe_death(status: ExitStatus, stderr: &str, limits: &Limits) -> String {
    use rustix::process::Signal;

    let is = |signal: Signal| status.signal() == Some(signal.as_raw());
    let said = |words: &str| stderr.lines().find(|line| line.contains(words)).map(str::trim);
    if is(Signal::XCPU) {
        return format!("stopped at the CPU limit of {} s", limits.cpu.as_secs());
    }
    if said("memory allocation of").is_some() || said("capacity overflow").is_some() {
        return format!("stopped at the memory limit of {} MiB", limits.memory_bytes >> 20);
    }
    if said("overflowed its stack").is_some() {
        return "the stack overflowed: nested too deeply".to_owned();
    }
    let last = stderr.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let note =
        said("panicked at").or(last).map(|line| format!(" ({})", line.chars().take(200).collect::<String>()));
    let note = note.unwrap_or_default();
    match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let name = [
                (Signal::SEGV, "SIGSEGV"),
                (Signal::ABORT, "SIGABRT"),
                (Signal::BUS, "SIGBUS"),
                (Signal::ILL, "SIGILL"),
                (Signal::FPE, "SIGFPE"),
                (Signal::KILL, "SIGKILL"),
                (Signal::TERM, "SIGTERM"),
                (Signal::INT, "SIGINT"),
            ];
            let name = name.iter().find(|(it, _)| it.as_raw() == signal).map_or("", |(_, name)| name);
            format!("died of signal {signal} {name}{note}")
        }
        (None, Some(0)) => format!("ended without a readable answer{note}"),
        (None, Some(code)) => format!("exited with code {code}{note}"),
        (None, None) => format!("ended for an unknown reason{note}"),
    }
}

#[cfg(test)]
mod tests;
