//! The `ragctl` program: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ragctl::cli::main()
}
