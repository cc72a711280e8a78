//! Long manuals, which hold examples by the line.

/// `ragctl help filter`.
pub(super) const FILTER: &str = r#"Say what a filter means

A filter is a condition on a document's metadata, its labels, and uri, title, section, media_type, ingested_at. It has
one meaning in every command that takes one.

    year >= 2024 AND status IN ("draft", "final")
    owner = "alice" OR owner IS NULL
    NOT archived = true
    title CONTAINS "guide" AND uri STARTS WITH "docs/"
    name LIKE "v1.%"                  % stands for any text, _ for one character
    tags HAS "rust"                   an element of a list
    status IEQUALS "FINAL"            whatever the case; ICONTAINS too
    date >= "2024-06-01"              dates compare as dates
    LABEL("draft", "review")          has one of these labels
    `odd key` = 1                     any key, in backticks
    owner = $who                      with --var who=alice

= != < <= > >= IN NOT IN CONTAINS STARTS WITH ENDS WITH LIKE HAS IEQUALS ICONTAINS IS NULL IS NOT NULL compare; NOT
binds tightest, then AND, then OR; parentheses group. Strings stand in double or single quotes; numbers compare across
integers and decimals, and never equal a string. Where a key is missing or its type does not fit, a comparison is
unknown: that is no match, and NOT of it is none either. IS NULL finds what is missing."#;

/// `ragctl help query`.
pub(super) const QUERY: &str = r#"Say what a text query means

The syntax is that of Lucene's classic query parser, in search --text and in the words of a hybrid search.

    write cache                       either word, the more the better; in any form (caching)
    "write through"                   these words in this order, in this form
    "cache misses"~3                  not more than 3 words apart
    +cache -redis                     required, and excluded
    cache AND NOT redis               the same; && || ! too
    cache OR buffer                   either
    +(cache buffer) AND write         groups
    cach*                             begins so
    *ing                              ends so; ? stands for one character
    wriet~                            at most 2 changes away; wriet~1 at most 1
    /cach(e|ing)/                     a regular expression over whole words
    title:guide                       in a field: title, section, path, uri
    title:(write cache)               a group in a field
    year:2024                         in the metadata, by its key
    year:[2020 TO 2024]               a range with its ends; {2020 TO 2024} without
    date:[2024-01-01 TO *]            an open range; dates compare as dates
    owner:*                           has the key at all
    cache^2 write                     counts twice
    -redis                            everything else
    *:*                               everything
    \+1                               a backslash takes the meaning from a character

AND makes the words on both its sides required, so that a AND b OR c means +a +b c; group what belongs together. What
does not parse is text, such as an odd quote, f(x) or https://example.org, and a note says so; --strict makes it an
error. So is a field that no document has, and a question mark at the end of a question. In a query without operators
a word that looks like a name in code (ERR_KEY, fooBar, std::vec) is required, unless nothing holds it."#;
