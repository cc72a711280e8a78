# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_ragctl_global_optspecs
    string join \n index= color= base-filter= offline ort-lib= q/quiet h/help V/version
end

function __fish_ragctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_ragctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_ragctl_using_subcommand
    set -l cmd (__fish_ragctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c ragctl -n "__fish_ragctl_needs_command" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_needs_command" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_needs_command" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_needs_command" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_needs_command" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_needs_command" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_needs_command" -s V -l version -d 'Print version'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "ingest" -d 'Read documents into the index'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "search" -d 'Search by meaning, words or pattern'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "expand" -d 'Print a chunk with its neighbours'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "zoom" -d 'Print the whole text around an id: a chunk\'s section, a section\'s parent'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "show" -d 'Print what stands at an id: a chunk, a section\'s text, a document\'s record'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "tree" -d 'Print the section tree of a document, of a part of it, or of all'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "sections" -d 'List sections, one a line'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "list" -d 'List documents, one a line'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "filter" -d 'Say what a filter means'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "query" -d 'Say what a text query means'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "info" -d 'Print what the index holds: counts, model, sizes, versions'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "remove" -d 'Remove documents from the index; files are never touched'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "verify" -d 'Check every invariant of the index'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "doctor" -d 'Look whether program, machine and index are in order'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "reindex" -d 'Build the text index and the vector files anew from the database'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "eval" -d 'Measure how good the answers are, with questions whose answers are known'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "calibrate" -d 'Choose a threshold from questions that the index answers and questions that it does not'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "reembed" -d 'Embed the stored passages with another model, or go on with what was begun'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "models" -d 'List the embedding models: built in, on this machine, to be downloaded'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "mcp" -d 'Serve the index to agents over MCP'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "tools" -d 'Print the tools for models'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "call" -d 'Run a tool as a model would'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "trace" -d 'Say what a trace shows'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "read" -d 'Print the section tree and text of a file, without any index'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "chunk" -d 'Print the chunks of a file, without any index'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "schema" -d 'Print the JSON Schema of a kind of output, or list the kinds'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "completions" -d 'Print the completions for a shell'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "man" -d 'Print a man page, or write all of them into a folder'
complete -c ragctl -n "__fish_ragctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l files-from -d 'Read paths from this file, one a line (- for standard input)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l uri -d 'Name the document on standard input' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l format -d 'Read everything in this format, whatever the names say' -r -f -a "markdown\t'CommonMark and GFM with YAML or TOML front matter, MDX, Quarto'
html\t'Web pages: main content, with navigation and other furniture dropped'
pdf\t'PDF text in reading order, sections from tags, outline or type, page numbers'
notebook\t'Jupyter notebooks: Markdown, code and text outputs, cell by cell'
docx\t'Word documents: headings, lists, tables, notes and comments'
pptx\t'PowerPoint presentations: a section for each slide, speaker notes and comments'
xlsx\t'Excel workbooks: a section for each sheet, tables with their head rows'
csv\t'comma-, semicolon-, tab- and bar-separated values as one table'
epub\t'EPUB books: chapters in reading order, headings and the table of contents'
eml\t'mail messages: subject, people, date, body, forwarded messages'
rtf\t'Rich Text Format: headings, lists, tables, notes'
odt\t'OpenDocument texts: headings, lists, tables, notes'
odp\t'OpenDocument presentations: a section for each slide, speaker notes'
ods\t'OpenDocument spreadsheets: a section for each sheet'
entity\t'named entities, one JSON object each'
code\t'source code, one section for each top-level item'
text\t'plain text with underlined titles, and the headings of reStructuredText, AsciiDoc and Org'"
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l include -d 'Take only files that match this glob (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l exclude -d 'Leave out files and folders that match this glob (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s t -l type -d 'Take only files of this format (repeatable)' -r -f -a "markdown\t'CommonMark and GFM with YAML or TOML front matter, MDX, Quarto'
html\t'Web pages: main content, with navigation and other furniture dropped'
pdf\t'PDF text in reading order, sections from tags, outline or type, page numbers'
notebook\t'Jupyter notebooks: Markdown, code and text outputs, cell by cell'
docx\t'Word documents: headings, lists, tables, notes and comments'
pptx\t'PowerPoint presentations: a section for each slide, speaker notes and comments'
xlsx\t'Excel workbooks: a section for each sheet, tables with their head rows'
csv\t'comma-, semicolon-, tab- and bar-separated values as one table'
epub\t'EPUB books: chapters in reading order, headings and the table of contents'
eml\t'mail messages: subject, people, date, body, forwarded messages'
rtf\t'Rich Text Format: headings, lists, tables, notes'
odt\t'OpenDocument texts: headings, lists, tables, notes'
odp\t'OpenDocument presentations: a section for each slide, speaker notes'
ods\t'OpenDocument spreadsheets: a section for each sheet'
entity\t'named entities, one JSON object each'
code\t'source code, one section for each top-level item'
text\t'plain text with underlined titles, and the headings of reStructuredText, AsciiDoc and Org'"
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l max-file-size -d 'Leave out files larger than this, such as 500k or 32M' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l max-depth -d 'Go so many folders deep; 1 takes the files of the folder itself' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l refresh -d 'Decide when stored documents are read again: never, changed, always, older-than=7d, or GLOB:POLICY (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l lang -d 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l password -d 'Open encrypted files with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l chunker -d 'Cut sections that are too long with this chunker' -r -f -a "section\t'Keeps paragraphs, list items, tables and code whole where it can'
sentence\t'Fills chunks with whole sentences, across paragraphs'
window\t'Fills chunks to the limit, cutting between words, for chunks of one length'"
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l max-chunk-size -d 'Make chunks of at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l overlap -d 'Let pieces of one section share at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l min-chunk-size -d 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l transform -d 'Transform the chunks\' texts before they are indexed, in this order; none for no change' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l model -d 'Embed with this model (ragctl models lists them)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l endpoint -d 'Address of an openai:NAME model, such as http://localhost:11434/v1' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l query-prefix -d 'Put this in front of every query (default: what the model is known to want)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l passage-prefix -d 'Put this in front of every passage (default: what the model is known to want)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l meta -d 'Put metadata on every document: key=text or key:=json (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l label -d 'Put a label on every document (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s j -l threads -d 'Use so many threads, at most 256; 0 for one a core' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l lock-timeout -d 'Wait so many seconds for another writer' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l hidden -d 'Take hidden files and folders too'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l no-ignore -d 'Pay no attention to ignore files'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s L -l follow -d 'Follow symbolic links'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s z -l archives -d 'Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l prune -d 'Remove documents under the given paths whose files are gone'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s n -l dry-run -d 'Say what would happen and write nothing'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l json -d 'Print the report as one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l jsonl -d 'Print a JSON line a file as it happens, and the report last'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand ingest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l sort -d 'Order the hits of --regex so' -r -f -a "document\t'As the passages stand: by URI, then by place (default)'
matches\t'Most matches first'"
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l fusion -d 'Fuse the lists of a hybrid search so' -r -f -a "convex\t'Scores over their list\'s best, weighted (default)'
rrf\t'Reciprocal ranks'
rsf\t'Relative scores: from the list\'s worst to its best, weighted'
dbsf\t'Distribution-based scores: three standard deviations around the list\'s mean, weighted'"
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l weight -d 'Weigh the vector list so, 0 to 1 (default: the model\'s own, 0.5 for rrf)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l model -d 'Search the vectors of this model of the index (default: the one that ragctl info lists first)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l endpoint -d 'Ask the model behind this address, and not the one that the index names' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l operator -d 'Take words without a sign of a text query as optional (or) or required (and)' -r -f -a "or\t'Optional; the more of them, the better'
and\t'Required'"
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s k -l top-k -d 'Return at most so many hits' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l threshold -d 'Drop hits of --vector and --text below this score, or below what ragctl calibrate chose' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l rerank -d 'Judge the best candidates anew with this reranker, which reads query and passage together' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l pool -d 'Give so many candidates to --rerank' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l rerank-budget -d 'Keep the order as it was, and say so, when --rerank takes longer; 0 for as long as it takes' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l mmr -d 'Prefer passages that differ from those before: 1 looks at relevance only, 0 at the differences only' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l per -d 'Take at most so many passages of one document or section: document:2, section:1 (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l cap -d 'Return at most so many hits of those that --top-k lets pass' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l trace -d 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s f -l filter -d 'Search only where this expression holds (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l var -d 'Bind $name in filters: name=text or name:=json (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l path-prefix -d 'Search only documents at or below this path (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l label -d 'Search only documents with this label (repeatable, all must be there)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l expand -d 'Add so many neighbours of each hit, after all hits' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l hybrid -d 'Search by meaning and words (default)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l vector -d 'Search by meaning; the score is the cosine similarity (of a sparse model see ragctl help models)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l text -d 'Search by words; the score is bm25/(bm25+3)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l regex -d 'Search by regular expression (Rust syntax)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s i -l ignore-case -d 'Ignore case in --regex'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s w -l word-regexp -d 'Match whole words in --regex'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s F -l fixed-strings -d 'Take the pattern of --regex literally'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s U -l multiline -d 'Let `.` in --regex match line ends too'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l strict -d 'Take what does not parse in a text query as an error instead of text (see ragctl help query)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l dedupe -d 'Leave out passages that say nearly the same as a better one, such as those of a file stored twice'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l auto-merge -d 'Return a section in place of its passages where more than half of them are among the hits'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l trace-text -d 'Trace the texts that were shown too'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l entities-only -d 'Search only named entities'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l snippet -d 'Print the part of each passage around the match (default)'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l full -d 'Print whole passages'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s c -l count -d 'Print how often --regex matches in each document instead of passages, all documents'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s l -l files-with-matches -d 'Print only the documents in which --regex matches, all of them'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l explain -d 'Say how each score came about'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l jsonl -d 'Print one JSON object a hit, a line each'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l no-text -d 'Leave the texts out'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand search" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -s n -l neighbours -l neighbors -d 'Take so many chunks before and after' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l within -d 'Stay within this' -r -f -a "document\t'The document'
section\t'The section'"
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand expand" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -s l -l levels -d 'Step so many levels out' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l max-chars -d 'Cut the text at so many characters, behind a chunk if one fits' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand zoom" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l max-chars -d 'Cut a section\'s text at so many characters, behind a chunk if one fits' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand tree" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l title -d 'Only sections whose title contains this, whatever the case' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand sections" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand list" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Print a filter\'s tree, the keys that it reads, and how many documents and chunks pass'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l var -d 'Bind $name: name=text or name:=json (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from help" -f -a "check" -d 'Print a filter\'s tree, the keys that it reads, and how many documents and chunks pass'
complete -c ragctl -n "__fish_ragctl_using_subcommand filter; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -f -a "check" -d 'Print how a text query is understood'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and not __fish_seen_subcommand_from check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l operator -d 'Take words without a sign as optional (or) or required (and)' -r -f -a "or\t'Optional; the more of them, the better'
and\t'Required'"
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l strict -d 'Take what does not parse as an error instead of text'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from help" -f -a "check" -d 'Print how a text query is understood'
complete -c ragctl -n "__fish_ragctl_using_subcommand query; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand info" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l lock-timeout -d 'Wait so many seconds for another writer' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -s r -l recursive -d 'Take paths as folders, and remove everything at and below them'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -s n -l dry-run -d 'Say what would be removed and write nothing'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand remove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l lock-timeout -d 'Wait so many seconds for another writer' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand reindex" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -f -a "run" -d 'Ask all questions and measure the answers'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -f -a "compare" -d 'Compare two ways to search, query by query'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -f -a "ablate" -d 'Measure what each stage is worth, by leaving out one at a time'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and not __fish_seen_subcommand_from run compare ablate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l beir -d 'Use the corpus, queries and judgements in this folder, in the form of BEIR' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l split -d 'Use these judgements of --beir' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l queries -d 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l qrels -d 'Read judgements from this file: TREC\'s four columns, or BEIR\'s three' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l corpus -d 'Ask a temporary index of this corpus, JSON lines with _id, title and text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l corpus-index -d 'Keep the index of the corpus in this folder, and use it again' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l topic-field -d 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l id-from -d 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -s k -l depth -d 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l metric -d 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l model -d 'Embed the corpus with this model; without a corpus, search with this one of the index\'s models' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l lang -d 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l password -d 'Open encrypted files with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l chunker -d 'Cut sections that are too long with this chunker' -r -f -a "section\t'Keeps paragraphs, list items, tables and code whole where it can'
sentence\t'Fills chunks with whole sentences, across paragraphs'
window\t'Fills chunks to the limit, cutting between words, for chunks of one length'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l max-chunk-size -d 'Make chunks of at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l overlap -d 'Let pieces of one section share at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l min-chunk-size -d 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l transform -d 'Transform the chunks\' texts before they are indexed, in this order; none for no change' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l mode -d 'Search so: text, vector, hybrid or all (repeatable; default: hybrid, or what --setup says)' -r -f -a "text\t'Words'
vector\t'Meaning'
hybrid\t'Meaning and words, fused'
all\t'Each of them'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l stages -d 'Fuse and take the candidates through these stages: fusion=rrf,weight=0.3,mmr=0.5,dedupe,per=document:2,rerank=NAME' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l setup -d 'Search in this way too: a mode and stages as one word, such as hybrid,fusion=rrf (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l run -d 'Measure the results in this file, in TREC\'s form, instead of searching (repeatable)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l threshold -d 'Find nothing below this score, or below what ragctl calibrate chose, as ragctl search does' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l run-out -d 'Write the documents found into this file, in TREC\'s form' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l html -d 'Write a report with plots into this file' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l fail-under -d 'End with exit status 4 when a mean is below this: nDCG@10=0.7 (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l json -d 'Print one JSON object, with the values of every query'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l beir -d 'Use the corpus, queries and judgements in this folder, in the form of BEIR' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l split -d 'Use these judgements of --beir' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l queries -d 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l qrels -d 'Read judgements from this file: TREC\'s four columns, or BEIR\'s three' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l corpus -d 'Ask a temporary index of this corpus, JSON lines with _id, title and text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l corpus-index -d 'Keep the index of the corpus in this folder, and use it again' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l topic-field -d 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l id-from -d 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -s k -l depth -d 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l metric -d 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l model -d 'Embed the corpus with this model; without a corpus, search with this one of the index\'s models' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l lang -d 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l password -d 'Open encrypted files with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l chunker -d 'Cut sections that are too long with this chunker' -r -f -a "section\t'Keeps paragraphs, list items, tables and code whole where it can'
sentence\t'Fills chunks with whole sentences, across paragraphs'
window\t'Fills chunks to the limit, cutting between words, for chunks of one length'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l max-chunk-size -d 'Make chunks of at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l overlap -d 'Let pieces of one section share at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l min-chunk-size -d 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l transform -d 'Transform the chunks\' texts before they are indexed, in this order; none for no change' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l html -d 'Write a report with plots into this file' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l json -d 'Print one JSON object, with the values of every query'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from compare" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l beir -d 'Use the corpus, queries and judgements in this folder, in the form of BEIR' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l split -d 'Use these judgements of --beir' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l queries -d 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l qrels -d 'Read judgements from this file: TREC\'s four columns, or BEIR\'s three' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l corpus -d 'Ask a temporary index of this corpus, JSON lines with _id, title and text' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l corpus-index -d 'Keep the index of the corpus in this folder, and use it again' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l topic-field -d 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l id-from -d 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -s k -l depth -d 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l metric -d 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l model -d 'Embed the corpus with this model; without a corpus, search with this one of the index\'s models' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l lang -d 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l password -d 'Open encrypted files with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l chunker -d 'Cut sections that are too long with this chunker' -r -f -a "section\t'Keeps paragraphs, list items, tables and code whole where it can'
sentence\t'Fills chunks with whole sentences, across paragraphs'
window\t'Fills chunks to the limit, cutting between words, for chunks of one length'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l max-chunk-size -d 'Make chunks of at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l overlap -d 'Let pieces of one section share at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l min-chunk-size -d 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l transform -d 'Transform the chunks\' texts before they are indexed, in this order; none for no change' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l setup -d 'Start from this way to search: a mode and stages as one word' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from ablate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "run" -d 'Ask all questions and measure the answers'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "compare" -d 'Compare two ways to search, query by query'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "ablate" -d 'Measure what each stage is worth, by leaving out one at a time'
complete -c ragctl -n "__fish_ragctl_using_subcommand eval; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l in -d 'Questions that the index answers, one a line' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l out -d 'Questions that it does not answer, one a line' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l mode -d 'Calibrate searches of this mode' -r -f -a "text\t'Words'
vector\t'Meaning'
hybrid\t'Meaning and words, fused'"
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l model -d 'Search with the vectors of this model of the index (default: the preferred one); each has its own threshold' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l rerank -d 'Calibrate the scores of this reranker' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l pool -d 'Give so many candidates to --rerank' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l max-false-answers -d 'Answer at most this share of the questions that are not answered, 0 to 1, and refuse as few others as that allows' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l lock-timeout -d 'Wait so many seconds for another writer' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -s n -l dry-run -d 'Keep nothing'
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand calibrate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l model -d 'Embed with this model (ragctl models lists them)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l endpoint -d 'Address of an openai:NAME model, such as http://localhost:11434/v1' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l query-prefix -d 'Put this in front of every query (default: what the model is known to want)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l passage-prefix -d 'Put this in front of every passage (default: what the model is known to want)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l drop -d 'Remove this model with its vectors instead' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -s j -l threads -d 'Use so many threads, at most 256; 0 for one a core' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l lock-timeout -d 'Wait so many seconds for another writer' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l keep -d 'Keep the model that is preferred now beside the new one; search --model chooses'
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand reembed" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l measure -d 'Measure how many passages a second these models embed on this machine; all that are here, if none is named' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -f -a "pull" -d 'Download a model from a hub'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and not __fish_seen_subcommand_from pull help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from pull" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from help" -f -a "pull" -d 'Download a model from a hub'
complete -c ragctl -n "__fish_ragctl_using_subcommand models; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l label -d 'Show nothing but documents with this label (repeatable, all must be there)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l budget -d 'Answer with at most about so many tokens: whole results, best first' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l trace -d 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l about -d 'Put the passages about this topic into the server\'s instructions, found by meaning' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -s k -l top-k -d 'So many passages about the topic' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l http -d 'Listen on this address, as 127.0.0.1:8123, rather than on standard input' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l token -d 'Answer only clients that send this token (Authorization: Bearer TOKEN)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l allow-host -d 'Answer under this name too, as docs.example.com (repeatable)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l allow-origin -d 'Answer web pages of this origin, such as `https://app.example.com:443` (repeatable); others are refused' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l entities-only -d 'Show nothing but named entities'
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l trace-text -d 'Trace the texts that were shown too'
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand mcp" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l label -d 'Show nothing but documents with this label (repeatable, all must be there)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l shape -d 'Write the array for this API' -r -f -a "mcp\t'name, title, description, inputSchema, annotations'
openai\t'type, function: name, description, parameters (chat completions)'
anthropic\t'name, description, input_schema (messages)'"
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l entities-only -d 'Show nothing but named entities'
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l json -d 'Print JSON'
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand tools" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l label -d 'Show nothing but documents with this label (repeatable, all must be there)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l budget -d 'Answer with at most about so many tokens: whole results, best first' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l trace -d 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l entities-only -d 'Show nothing but named entities'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l trace-text -d 'Trace the texts that were shown too'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l json -d 'Print the structured answer'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand call" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l json -d 'Print JSON'
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand trace" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l format -d 'Read it in this format, whatever its name says' -r -f -a "markdown\t'CommonMark and GFM with YAML or TOML front matter, MDX, Quarto'
html\t'Web pages: main content, with navigation and other furniture dropped'
pdf\t'PDF text in reading order, sections from tags, outline or type, page numbers'
notebook\t'Jupyter notebooks: Markdown, code and text outputs, cell by cell'
docx\t'Word documents: headings, lists, tables, notes and comments'
pptx\t'PowerPoint presentations: a section for each slide, speaker notes and comments'
xlsx\t'Excel workbooks: a section for each sheet, tables with their head rows'
csv\t'comma-, semicolon-, tab- and bar-separated values as one table'
epub\t'EPUB books: chapters in reading order, headings and the table of contents'
eml\t'mail messages: subject, people, date, body, forwarded messages'
rtf\t'Rich Text Format: headings, lists, tables, notes'
odt\t'OpenDocument texts: headings, lists, tables, notes'
odp\t'OpenDocument presentations: a section for each slide, speaker notes'
ods\t'OpenDocument spreadsheets: a section for each sheet'
entity\t'named entities, one JSON object each'
code\t'source code, one section for each top-level item'
text\t'plain text with underlined titles, and the headings of reStructuredText, AsciiDoc and Org'"
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l password -d 'Open an encrypted file with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l text -d 'Print the text only'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand read" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l format -d 'Read it in this format, whatever its name says' -r -f -a "markdown\t'CommonMark and GFM with YAML or TOML front matter, MDX, Quarto'
html\t'Web pages: main content, with navigation and other furniture dropped'
pdf\t'PDF text in reading order, sections from tags, outline or type, page numbers'
notebook\t'Jupyter notebooks: Markdown, code and text outputs, cell by cell'
docx\t'Word documents: headings, lists, tables, notes and comments'
pptx\t'PowerPoint presentations: a section for each slide, speaker notes and comments'
xlsx\t'Excel workbooks: a section for each sheet, tables with their head rows'
csv\t'comma-, semicolon-, tab- and bar-separated values as one table'
epub\t'EPUB books: chapters in reading order, headings and the table of contents'
eml\t'mail messages: subject, people, date, body, forwarded messages'
rtf\t'Rich Text Format: headings, lists, tables, notes'
odt\t'OpenDocument texts: headings, lists, tables, notes'
odp\t'OpenDocument presentations: a section for each slide, speaker notes'
ods\t'OpenDocument spreadsheets: a section for each sheet'
entity\t'named entities, one JSON object each'
code\t'source code, one section for each top-level item'
text\t'plain text with underlined titles, and the headings of reStructuredText, AsciiDoc and Org'"
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l lang -d 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l password -d 'Open encrypted files with this password' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l chunker -d 'Cut sections that are too long with this chunker' -r -f -a "section\t'Keeps paragraphs, list items, tables and code whole where it can'
sentence\t'Fills chunks with whole sentences, across paragraphs'
window\t'Fills chunks to the limit, cutting between words, for chunks of one length'"
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l max-chunk-size -d 'Make chunks of at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l overlap -d 'Let pieces of one section share at most so many characters' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l min-chunk-size -d 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l transform -d 'Transform the chunks\' texts before they are indexed, in this order; none for no change' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l model -d 'Make chunks that this model can read (default: static, which reads any length)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l full-page -d 'Keep navigation, footers and other boilerplate of HTML pages'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l links -d 'Write links of HTML pages as `[text](target)`, not as their text alone'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l json -d 'Print one JSON object'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand chunk" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l dir -d 'Write every page into this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l index -d 'Use the index in this folder' -r -f -a "(__fish_complete_directories)"
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l color -d 'Colour the output' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set; everywhere when CLICOLOR_FORCE is'
always\t'Always'
never\t'Never'"
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l base-filter -d 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)' -r
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l ort-lib -d 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)' -r -F
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -l offline -d 'Use no network, whatever else is said'
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -s q -l quiet -d 'Print no notes, summaries and progress'
complete -c ragctl -n "__fish_ragctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "ingest" -d 'Read documents into the index'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "search" -d 'Search by meaning, words or pattern'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "expand" -d 'Print a chunk with its neighbours'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "zoom" -d 'Print the whole text around an id: a chunk\'s section, a section\'s parent'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "show" -d 'Print what stands at an id: a chunk, a section\'s text, a document\'s record'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "tree" -d 'Print the section tree of a document, of a part of it, or of all'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "sections" -d 'List sections, one a line'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "list" -d 'List documents, one a line'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "filter" -d 'Say what a filter means'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "query" -d 'Say what a text query means'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "info" -d 'Print what the index holds: counts, model, sizes, versions'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "remove" -d 'Remove documents from the index; files are never touched'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "verify" -d 'Check every invariant of the index'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "doctor" -d 'Look whether program, machine and index are in order'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "reindex" -d 'Build the text index and the vector files anew from the database'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "eval" -d 'Measure how good the answers are, with questions whose answers are known'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "calibrate" -d 'Choose a threshold from questions that the index answers and questions that it does not'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "reembed" -d 'Embed the stored passages with another model, or go on with what was begun'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "models" -d 'List the embedding models: built in, on this machine, to be downloaded'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "mcp" -d 'Serve the index to agents over MCP'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "tools" -d 'Print the tools for models'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "call" -d 'Run a tool as a model would'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "trace" -d 'Say what a trace shows'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "read" -d 'Print the section tree and text of a file, without any index'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "chunk" -d 'Print the chunks of a file, without any index'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "schema" -d 'Print the JSON Schema of a kind of output, or list the kinds'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "completions" -d 'Print the completions for a shell'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "man" -d 'Print a man page, or write all of them into a folder'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and not __fish_seen_subcommand_from ingest search expand zoom show tree sections list filter query info remove verify doctor reindex eval calibrate reembed models mcp tools call trace read chunk schema completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from filter" -f -a "check" -d 'Print a filter\'s tree, the keys that it reads, and how many documents and chunks pass'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from query" -f -a "check" -d 'Print how a text query is understood'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "run" -d 'Ask all questions and measure the answers'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "compare" -d 'Compare two ways to search, query by query'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from eval" -f -a "ablate" -d 'Measure what each stage is worth, by leaving out one at a time'
complete -c ragctl -n "__fish_ragctl_using_subcommand help; and __fish_seen_subcommand_from models" -f -a "pull" -d 'Download a model from a hub'
