//! Top-level items of source code, found line by line.
//!
//! No parser: an item starts on an unindented line that declares something, together with the comments, attributes
//! and decorators right above it, and runs to the next item. What looks like an item and is not (in a string that
//! starts at the margin) costs a section too many, never a line of text.

use std::sync::LazyLock;

use regex::Regex;

use super::lines::Lines;
use crate::content::{Heading, SectionKind, Span};

/// Most characters of an item's title: chosen, one line of a tree on a terminal.
const MAX_TITLE_CHARS: usize = 100;

/// How declarations look in one family of languages.
struct Family {
    extensions: &'static [&'static str],
    /// Matches from the line's start: group 1 is what the title leaves out (visibility, modifiers), the rest of the
    /// match the title.
    item: LazyLock<Regex>,
    /// How lines that belong to the item below them start: comments, attributes, decorators.
    attached: &'static [&'static str],
    /// What must not follow: lines that end so declare nothing of their own.
    rejected_end: Option<char>,
    /// A mark that starts and ends text over many lines (when a line holds an odd number of them).
    long_quote: Option<&'static str>,
}

macro_rules! family {
    ([$($extension:literal),+], $attached:expr, $rejected_end:expr, $long_quote:expr, $pattern:expr) => {
        Family {
            extensions: &[$($extension),+],
            item: LazyLock::new(|| Regex::new(concat!("^", $pattern)).expect("the pattern is valid")),
            attached: &$attached,
            rejected_end: $rejected_end,
            long_quote: $long_quote,
        }
    };
}

const SLASHES: [&str; 6] = ["//", "/*", "*", "@", "[", "template"];
const HASHES: [&str; 2] = ["#", "@"];

static FAMILIES: [Family; 19] = [
    family!(
        ["rs"],
        ["//", "/*", "*", "#["],
        None,
        None,
        r#"((?:pub(?:\([^)]*\))?\s+|default\s+|async\s+|unsafe\s+|const\s+|extern\s+"[^"]*"\s+)*)(?:(?:fn|struct|enum|union|trait|type|macro_rules!)\s+\w+|mod\s+\w+\s*\{|impl\b[^{]*)"#
    ),
    family!(
        ["py", "pyi", "pyx"],
        HASHES,
        None,
        Some("\"\"\""),
        r"((?:async\s+)?)(?:def\s+\w+(?:\s*[\(\[])|class\s+\w+(?:\s*[\(\[:]))"
    ),
    family!(
        ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
        ["//", "/*", "*", "@"],
        None,
        None,
        r"((?:export\s+|default\s+|declare\s+|abstract\s+|async\s+)*)(?:function\b\s*\*?\s*[\w$]*|(?:class|interface|enum|namespace|module)\s+[\w$.]+|type\s+[\w$]+\s*[=<]|(?:const|let|var)\s+[\w$]+\s*(?::[^=]*)?=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]*)?=>|[\w$]+\s*=>|class\b))"
    ),
    family!(["go"], ["//", "/*", "*"], None, None, r"()(?:func\s*(?:\([^)]*\)\s*)?\w+|type\s+\w+)"),
    family!(
        ["java", "kt", "kts", "scala", "groovy", "gradle", "cs", "swift", "dart", "fs", "vb", "php", "zig"],
        SLASHES,
        Some(';'),
        None,
        r"((?:<\?php\s+|(?:public|private|protected|internal|fileprivate|open|abstract|final|sealed|static|data|inline|value|partial|readonly|override|suspend|case|implicit|lazy|pub|unsafe|async|export|external|base|mixin)\s+)*)(?:(?:class|interface|@interface|enum|record|struct|trait|object|protocol|extension|actor|namespace|module|mixin|annotation class|enum class|fun|func|function|fn|def|typealias|type)\s+[\w.<>&`]+)"
    ),
    family!(
        ["c", "h", "cpp", "hpp", "cc", "hh", "cxx", "hxx", "cu", "cuh", "m", "mm", "ino"],
        ["//", "/*", "*", "template", "[["],
        Some(';'),
        None,
        r"((?:static\s+|inline\s+|extern\s+|constexpr\s+)*)(?:(?:typedef\s+)?(?:struct|class|enum(?:\s+class)?|union|namespace)\s+[\w:]+|@(?:interface|implementation|protocol)\s+\w+|(?:[A-Za-z_][\w:<>,*&\s~]*[\s*&])?~?[A-Za-z_][\w:~]*\s*\()"
    ),
    family!(
        ["rb", "rake", "gemspec", "cr"],
        HASHES,
        None,
        None,
        r"()(?:(?:class|module)\s+[\w:]+|def\s+[\w.?!=]+)"
    ),
    family!(
        ["sh", "bash", "zsh", "fish", "ksh"],
        ["#"],
        None,
        None,
        r"()(?:function\s+[\w:.-]+|[\w:.-]+\s*\(\s*\))"
    ),
    family!(["lua"], ["--"], None, None, r"((?:local\s+)?)(?:function\s+[\w.:]+|[\w.]+\s*=\s*function\b)"),
    family!(
        ["sql"],
        ["--", "/*", "*"],
        None,
        None,
        r"()(?i:create\s+(?:or\s+replace\s+)?(?:temporary\s+|temp\s+|unique\s+|materialized\s+|unlogged\s+)*(?:table|view|function|procedure|trigger|index|type|schema|sequence)\s+(?:if\s+not\s+exists\s+)?[\w.`\x22\[\]]+)"
    ),
    family!(["pl", "pm"], ["#"], None, None, r"()(?:sub\s+\w+|package\s+[\w:]+)"),
    family!(["r"], ["#"], None, None, r"()[\w.]+\s*(?:<-|=)\s*function\b"),
    family!(
        ["jl"],
        ["#", "@"],
        None,
        Some("\"\"\""),
        r"()(?:(?:function|struct|mutable struct|module|macro|abstract type)\s+[\w.!]+)"
    ),
    family!(
        ["hs", "elm", "purs"],
        ["--", "{-"],
        None,
        None,
        r"()(?:(?:data|newtype|class|instance|type)\s+[A-Z][^=]*|[a-z_][\w']*\s*::)"
    ),
    family!(
        ["ml", "mli"],
        ["(*"],
        None,
        None,
        r"()(?:(?:let(?:\s+rec)?|type|module(?:\s+type)?|class|exception|val|external)\s+[\w']+)"
    ),
    family!(
        ["ex", "exs", "erl", "hrl"],
        ["#", "@", "%", "-spec"],
        None,
        None,
        r"()(?:def(?:module|protocol|impl)\s+[\w.]+|[a-z]\w*\([^)]*\)\s*(?:when\b.*)?->)"
    ),
    family!(
        ["clj", "cljs", "cljc", "lisp", "el", "scm", "rkt"],
        [";"],
        None,
        None,
        r"(\()(?:(?:def[\w-]*|ns|define[\w-]*)\s+\(?[^\s()]+)"
    ),
    family!(
        ["proto", "graphql", "gql", "thrift", "tf", "hcl", "nix", "sol"],
        ["//", "#", "/*", "*", "\"\"\""],
        None,
        None,
        r"()(?:(?:message|service|enum|type|input|interface|union|scalar|struct|exception|contract|library|abstract contract|function|resource|data|module|variable|output|provider|locals|terraform)\b[^{=;]*)"
    ),
    family!(["vue", "svelte", "astro"], ["<!--"], None, None, r"()<(?:template|script|style)\b[^>]*>"),
];

/// File extensions of source code, with and without a family of their own.
pub(super) const EXTENSIONS: &[&str] = &[
    "rs",
    "py",
    "pyi",
    "pyx",
    "js",
    "mjs",
    "cjs",
    "jsx",
    "ts",
    "mts",
    "cts",
    "tsx",
    "go",
    "java",
    "kt",
    "kts",
    "scala",
    "groovy",
    "gradle",
    "cs",
    "swift",
    "dart",
    "fs",
    "vb",
    "php",
    "zig",
    "c",
    "h",
    "cpp",
    "hpp",
    "cc",
    "hh",
    "cxx",
    "hxx",
    "cu",
    "cuh",
    "m",
    "mm",
    "ino",
    "rb",
    "rake",
    "gemspec",
    "cr",
    "sh",
    "bash",
    "zsh",
    "fish",
    "ksh",
    "lua",
    "sql",
    "pl",
    "pm",
    "r",
    "jl",
    "hs",
    "elm",
    "purs",
    "ml",
    "mli",
    "ex",
    "exs",
    "erl",
    "hrl",
    "clj",
    "cljs",
    "cljc",
    "lisp",
    "el",
    "scm",
    "rkt",
    "proto",
    "graphql",
    "gql",
    "thrift",
    "tf",
    "hcl",
    "nix",
    "sol",
    "vue",
    "svelte",
    "astro",
    "css",
    "scss",
    "sass",
    "less",
    "ps1",
    "psm1",
    "bat",
    "cmd",
    "mk",
    "cmake",
    "asm",
    "s",
    "f90",
    "f",
    "pas",
    "d",
    "nim",
    "v",
    "sv",
    "vhd",
    "vhdl",
    "tcl",
    "awk",
    "vim",
    "dockerfile",
];

/// The top-level items of `text`, whose file has this extension; none for languages without a family.
pub(super) fn items(extension: &str, text: &str, lines: &Lines) -> Vec<Heading> {
    let Some(family) = FAMILIES.iter().find(|family| family.extensions.contains(&extension)) else {
        return Vec::new();
    };
    let mut found: Vec<Heading> = Vec::new();
    // Start of the run of attached lines right above.
    let mut attached: Option<usize> = None;
    let mut is_quoted = false;
    let mut is_comment = false;
    for span in lines.spans() {
        let line = span.slice(text).trim_end();
        let was_quoted = is_quoted;
        if let Some(quote) = family.long_quote {
            is_quoted ^= line.matches(quote).count() % 2 == 1;
        }
        if was_quoted {
            attached = None;
            continue;
        }
        let is_attached = family.is_attached(line);
        if line.trim_start().starts_with("/*") && family.attached.contains(&"/*") {
            is_comment = true;
        }
        if is_comment {
            is_comment = !line.contains("*/");
            attached = attached.or(Some(span.start));
            continue;
        }
        if let Some(title) = family.title(line, &text[span.end..]) {
            found.push(item(span, attached, title));
            attached = None;
        } else if is_attached && !line.is_empty() {
            attached = attached.or(Some(span.start));
        } else {
            attached = None;
        }
    }
    found
}

fn item(line: Span, attached: Option<usize>, title: String) -> Heading {
    Heading { start: attached.unwrap_or(line.start), end: line.end, level: 1, title, kind: SectionKind::Item }
}

impl Family {
    /// Whether `line` belongs to the item below it.
    fn is_attached(&self, line: &str) -> bool {
        // In C the return type may stand on a line of its own.
        let is_type = || {
            line.starts_with(char::is_alphabetic)
                && line.chars().all(|c| c.is_alphanumeric() || " _*&:<>,".contains(c))
        };
        self.attached.iter().any(|start| line.trim_start().starts_with(start))
            || (self.rejected_end == Some(';') && is_type())
    }

    /// The title of the item that `line` declares; `rest` is the text after it.
    fn title(&self, line: &str, rest: &str) -> Option<String> {
        if line.starts_with(char::is_whitespace) || self.rejected_end.is_some_and(|end| line.ends_with(end)) {
            return None;
        }
        let groups = self.item.captures(line)?;
        let title = &groups.get(0)?.as_str()[groups.get(1)?.len()..];
        let is_call = title.ends_with('(') && self.rejected_end.is_some();
        if is_call && !(is_declarator(title) && opens_body(line, rest)) {
            return None;
        }
        // `const f = (x) =>` is named `const f`; generic parameters of Rust's impl blocks may have a default.
        let title = if title.starts_with("impl") { title } else { title.split('=').next().unwrap_or(title) };
        let title = title.trim_end_matches(|c: char| c.is_whitespace() || "([{:<-".contains(c));
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        match title.char_indices().nth(MAX_TITLE_CHARS) {
            Some((cut, _)) => Some(format!("{}…", &title[..cut])),
            None => Some(title),
        }
    }
}

/// Whether what stands before a parenthesis in C is a declaration rather than a statement.
fn is_declarator(before: &str) -> bool {
    const STATEMENTS: [&str; 10] =
        ["return", "if", "else", "for", "while", "switch", "case", "do", "goto", "typedef"];
    let first = before.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    !STATEMENTS.contains(&first)
}

/// Whether a brace comes before a semicolon: a definition, not a prototype. Looks at most 20 lines ahead (chosen; no
/// parameter list is longer).
fn opens_body(line: &str, rest: &str) -> bool {
    let ahead = std::iter::once(line).chain(rest.lines().take(20));
    ahead.flat_map(|line| line.chars()).find(|c| matches!(c, '{' | ';')) == Some('{')
}

/// The extensions of every family, for the test that keeps [`EXTENSIONS`] complete.
#[cfg(test)]
pub(super) fn families() -> impl Iterator<Item = &'static [&'static str]> {
    FAMILIES.iter().map(|family| family.extensions)
}
