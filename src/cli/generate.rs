//! `ragctl schema`, `completions`, `man`: everything that derives from definitions.

use std::path::Path;

use crate::cli::args::{CompletionsArgs, ManArgs, SchemaArgs, command};
use crate::cli::error::{CliError, Exit};
use crate::cli::output::Output;
use crate::render::schema::KINDS;

pub(super) fn schema(args: &SchemaArgs, output: &mut Output) -> Result<Exit, CliError> {
    let Some(name) = &args.kind else {
        for kind in KINDS {
            output.text(&format!("{:<16} {}\n", kind.name, kind.summary))?;
        }
        return Ok(Exit::Success);
    };
    let bare = name.strip_prefix("ragctl.").unwrap_or(name);
    let bare = bare.strip_suffix("/1").unwrap_or(bare);
    let Some(kind) = KINDS.iter().find(|it| it.name == bare) else {
        let names: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
        return Err(CliError::usage(
            format!("no kind of output is called '{name}'"),
            format!("one of: {}", names.join(", ")),
        ));
    };
    output.json(&kind.schema())?;
    Ok(Exit::Success)
}

pub(super) fn completions(args: &CompletionsArgs, output: &mut Output) -> Result<Exit, CliError> {
    output.bytes(&completion_script(args.shell))?;
    Ok(Exit::Success)
}

/// The completion script for a shell.
fn completion_script(shell: clap_complete::Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "ragctl", &mut script);
    script
}

pub(super) fn man(args: &ManArgs, output: &mut Output) -> Result<Exit, CliError> {
    let pages = man_pages()?;
    if let Some(folder) = &args.dir {
        write_pages(folder, &pages)?;
        return Ok(Exit::Success);
    }
    let wanted = match &args.page {
        Some(name) => format!("ragctl-{name}.1"),
        None => "ragctl.1".to_owned(),
    };
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let name = args.page.as_deref().unwrap_or_default();
        return Err(CliError::usage(
            format!("no command is called '{name}'"),
            "ragctl --help lists the commands",
        ));
    };
    output.bytes(page)?;
    Ok(Exit::Success)
}

fn write_pages(folder: &Path, pages: &[(String, Vec<u8>)]) -> Result<(), CliError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| CliError::io("make", folder.display().to_string(), source))?;
    for (name, page) in pages {
        let path = folder.join(name);
        std::fs::write(&path, page)
            .map_err(|source| CliError::io("write", path.display().to_string(), source))?;
    }
    Ok(())
}

/// Every man page with its file name.
fn man_pages() -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let mut main = command();
    main.build();
    let mut pages = vec![("ragctl.1".to_owned(), page(&main)?)];
    for sub in main.get_subcommands().filter(|it| it.get_name() != "help") {
        let name = format!("ragctl-{}", sub.get_name());
        let sub = sub.clone().display_name(name.clone()).bin_name(format!("ragctl {}", sub.get_name()));
        pages.push((format!("{name}.1"), page(&sub)?));
    }
    Ok(pages)
}

fn page(command: &clap::Command) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command.clone())
        .render(&mut bytes)
        .map_err(|source| CliError::io("write", "a man page", source))?;
    Ok(bytes)
}
