
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'ragctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'ragctl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'ragctl' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('ingest', 'ingest', [CompletionResultType]::ParameterValue, 'Read documents into the index')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search by meaning, words or pattern')
            [CompletionResult]::new('expand', 'expand', [CompletionResultType]::ParameterValue, 'Print a chunk with its neighbours')
            [CompletionResult]::new('zoom', 'zoom', [CompletionResultType]::ParameterValue, 'Print the whole text around an id: a chunk''s section, a section''s parent')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print what stands at an id: a chunk, a section''s text, a document''s record')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Print the section tree of a document, of a part of it, or of all')
            [CompletionResult]::new('sections', 'sections', [CompletionResultType]::ParameterValue, 'List sections, one a line')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List documents, one a line')
            [CompletionResult]::new('filter', 'filter', [CompletionResultType]::ParameterValue, 'Say what a filter means')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Say what a text query means')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Print what the index holds: counts, model, sizes, versions')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove documents from the index; files are never touched')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check every invariant of the index')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Look whether program, machine and index are in order')
            [CompletionResult]::new('reindex', 'reindex', [CompletionResultType]::ParameterValue, 'Build the text index and the vector files anew from the database')
            [CompletionResult]::new('eval', 'eval', [CompletionResultType]::ParameterValue, 'Measure how good the answers are, with questions whose answers are known')
            [CompletionResult]::new('calibrate', 'calibrate', [CompletionResultType]::ParameterValue, 'Choose a threshold from questions that the index answers and questions that it does not')
            [CompletionResult]::new('reembed', 'reembed', [CompletionResultType]::ParameterValue, 'Embed the stored passages with another model, or go on with what was begun')
            [CompletionResult]::new('models', 'models', [CompletionResultType]::ParameterValue, 'List the embedding models: built in, on this machine, to be downloaded')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Serve the index to agents over MCP')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'Print the tools for models')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Run a tool as a model would')
            [CompletionResult]::new('trace', 'trace', [CompletionResultType]::ParameterValue, 'Say what a trace shows')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print the section tree and text of a file, without any index')
            [CompletionResult]::new('chunk', 'chunk', [CompletionResultType]::ParameterValue, 'Print the chunks of a file, without any index')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of a kind of output, or list the kinds')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a man page, or write all of them into a folder')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;ingest' {
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read paths from this file, one a line (- for standard input)')
            [CompletionResult]::new('--uri', '--uri', [CompletionResultType]::ParameterName, 'Name the document on standard input')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read everything in this format, whatever the names say')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'Take only files that match this glob (repeatable)')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'Leave out files and folders that match this glob (repeatable)')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Take only files of this format (repeatable)')
            [CompletionResult]::new('--type', '--type', [CompletionResultType]::ParameterName, 'Take only files of this format (repeatable)')
            [CompletionResult]::new('--max-file-size', '--max-file-size', [CompletionResultType]::ParameterName, 'Leave out files larger than this, such as 500k or 32M')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'Go so many folders deep; 1 takes the files of the folder itself')
            [CompletionResult]::new('--refresh', '--refresh', [CompletionResultType]::ParameterName, 'Decide when stored documents are read again: never, changed, always, older-than=7d, or GLOB:POLICY (repeatable)')
            [CompletionResult]::new('--lang', '--lang', [CompletionResultType]::ParameterName, 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open encrypted files with this password')
            [CompletionResult]::new('--chunker', '--chunker', [CompletionResultType]::ParameterName, 'Cut sections that are too long with this chunker')
            [CompletionResult]::new('--max-chunk-size', '--max-chunk-size', [CompletionResultType]::ParameterName, 'Make chunks of at most so many characters')
            [CompletionResult]::new('--overlap', '--overlap', [CompletionResultType]::ParameterName, 'Let pieces of one section share at most so many characters')
            [CompletionResult]::new('--min-chunk-size', '--min-chunk-size', [CompletionResultType]::ParameterName, 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none')
            [CompletionResult]::new('--transform', '--transform', [CompletionResultType]::ParameterName, 'Transform the chunks'' texts before they are indexed, in this order; none for no change')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Embed with this model (ragctl models lists them)')
            [CompletionResult]::new('--endpoint', '--endpoint', [CompletionResultType]::ParameterName, 'Address of an openai:NAME model, such as http://localhost:11434/v1')
            [CompletionResult]::new('--query-prefix', '--query-prefix', [CompletionResultType]::ParameterName, 'Put this in front of every query (default: what the model is known to want)')
            [CompletionResult]::new('--passage-prefix', '--passage-prefix', [CompletionResultType]::ParameterName, 'Put this in front of every passage (default: what the model is known to want)')
            [CompletionResult]::new('--meta', '--meta', [CompletionResultType]::ParameterName, 'Put metadata on every document: key=text or key:=json (repeatable)')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Put a label on every document (repeatable)')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use so many threads, at most 256; 0 for one a core')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use so many threads, at most 256; 0 for one a core')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait so many seconds for another writer')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--hidden', '--hidden', [CompletionResultType]::ParameterName, 'Take hidden files and folders too')
            [CompletionResult]::new('--no-ignore', '--no-ignore', [CompletionResultType]::ParameterName, 'Pay no attention to ignore files')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'Follow symbolic links')
            [CompletionResult]::new('--follow', '--follow', [CompletionResultType]::ParameterName, 'Follow symbolic links')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case')
            [CompletionResult]::new('--archives', '--archives', [CompletionResultType]::ParameterName, 'Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case')
            [CompletionResult]::new('--prune', '--prune', [CompletionResultType]::ParameterName, 'Remove documents under the given paths whose files are gone')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Say what would happen and write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Say what would happen and write nothing')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the report as one JSON object')
            [CompletionResult]::new('--jsonl', '--jsonl', [CompletionResultType]::ParameterName, 'Print a JSON line a file as it happens, and the report last')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;search' {
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order the hits of --regex so')
            [CompletionResult]::new('--fusion', '--fusion', [CompletionResultType]::ParameterName, 'Fuse the lists of a hybrid search so')
            [CompletionResult]::new('--weight', '--weight', [CompletionResultType]::ParameterName, 'Weigh the vector list so, 0 to 1 (default: the model''s own, 0.5 for rrf)')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Search the vectors of this model of the index (default: the one that ragctl info lists first)')
            [CompletionResult]::new('--endpoint', '--endpoint', [CompletionResultType]::ParameterName, 'Ask the model behind this address, and not the one that the index names')
            [CompletionResult]::new('--operator', '--operator', [CompletionResultType]::ParameterName, 'Take words without a sign of a text query as optional (or) or required (and)')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Return at most so many hits')
            [CompletionResult]::new('--top-k', '--top-k', [CompletionResultType]::ParameterName, 'Return at most so many hits')
            [CompletionResult]::new('--threshold', '--threshold', [CompletionResultType]::ParameterName, 'Drop hits of --vector and --text below this score, or below what ragctl calibrate chose')
            [CompletionResult]::new('--rerank', '--rerank', [CompletionResultType]::ParameterName, 'Judge the best candidates anew with this reranker, which reads query and passage together')
            [CompletionResult]::new('--pool', '--pool', [CompletionResultType]::ParameterName, 'Give so many candidates to --rerank')
            [CompletionResult]::new('--rerank-budget', '--rerank-budget', [CompletionResultType]::ParameterName, 'Keep the order as it was, and say so, when --rerank takes longer; 0 for as long as it takes')
            [CompletionResult]::new('--mmr', '--mmr', [CompletionResultType]::ParameterName, 'Prefer passages that differ from those before: 1 looks at relevance only, 0 at the differences only')
            [CompletionResult]::new('--per', '--per', [CompletionResultType]::ParameterName, 'Take at most so many passages of one document or section: document:2, section:1 (repeatable)')
            [CompletionResult]::new('--cap', '--cap', [CompletionResultType]::ParameterName, 'Return at most so many hits of those that --top-k lets pass')
            [CompletionResult]::new('--trace', '--trace', [CompletionResultType]::ParameterName, 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Search only where this expression holds (repeatable, all must hold)')
            [CompletionResult]::new('--filter', '--filter', [CompletionResultType]::ParameterName, 'Search only where this expression holds (repeatable, all must hold)')
            [CompletionResult]::new('--var', '--var', [CompletionResultType]::ParameterName, 'Bind $name in filters: name=text or name:=json (repeatable)')
            [CompletionResult]::new('--path-prefix', '--path-prefix', [CompletionResultType]::ParameterName, 'Search only documents at or below this path (repeatable)')
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Search only documents with this label (repeatable, all must be there)')
            [CompletionResult]::new('--expand', '--expand', [CompletionResultType]::ParameterName, 'Add so many neighbours of each hit, after all hits')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--hybrid', '--hybrid', [CompletionResultType]::ParameterName, 'Search by meaning and words (default)')
            [CompletionResult]::new('--vector', '--vector', [CompletionResultType]::ParameterName, 'Search by meaning; the score is the cosine similarity (of a sparse model see ragctl help models)')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Search by words; the score is bm25/(bm25+3)')
            [CompletionResult]::new('--regex', '--regex', [CompletionResultType]::ParameterName, 'Search by regular expression (Rust syntax)')
            [CompletionResult]::new('-i', '-i', [CompletionResultType]::ParameterName, 'Ignore case in --regex')
            [CompletionResult]::new('--ignore-case', '--ignore-case', [CompletionResultType]::ParameterName, 'Ignore case in --regex')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Match whole words in --regex')
            [CompletionResult]::new('--word-regexp', '--word-regexp', [CompletionResultType]::ParameterName, 'Match whole words in --regex')
            [CompletionResult]::new('-F', '-F ', [CompletionResultType]::ParameterName, 'Take the pattern of --regex literally')
            [CompletionResult]::new('--fixed-strings', '--fixed-strings', [CompletionResultType]::ParameterName, 'Take the pattern of --regex literally')
            [CompletionResult]::new('-U', '-U ', [CompletionResultType]::ParameterName, 'Let `.` in --regex match line ends too')
            [CompletionResult]::new('--multiline', '--multiline', [CompletionResultType]::ParameterName, 'Let `.` in --regex match line ends too')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Take what does not parse in a text query as an error instead of text (see ragctl help query)')
            [CompletionResult]::new('--dedupe', '--dedupe', [CompletionResultType]::ParameterName, 'Leave out passages that say nearly the same as a better one, such as those of a file stored twice')
            [CompletionResult]::new('--auto-merge', '--auto-merge', [CompletionResultType]::ParameterName, 'Return a section in place of its passages where more than half of them are among the hits')
            [CompletionResult]::new('--trace-text', '--trace-text', [CompletionResultType]::ParameterName, 'Trace the texts that were shown too')
            [CompletionResult]::new('--entities-only', '--entities-only', [CompletionResultType]::ParameterName, 'Search only named entities')
            [CompletionResult]::new('--snippet', '--snippet', [CompletionResultType]::ParameterName, 'Print the part of each passage around the match (default)')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Print whole passages')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Print how often --regex matches in each document instead of passages, all documents')
            [CompletionResult]::new('--count', '--count', [CompletionResultType]::ParameterName, 'Print how often --regex matches in each document instead of passages, all documents')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Print only the documents in which --regex matches, all of them')
            [CompletionResult]::new('--files-with-matches', '--files-with-matches', [CompletionResultType]::ParameterName, 'Print only the documents in which --regex matches, all of them')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say how each score came about')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--jsonl', '--jsonl', [CompletionResultType]::ParameterName, 'Print one JSON object a hit, a line each')
            [CompletionResult]::new('--no-text', '--no-text', [CompletionResultType]::ParameterName, 'Leave the texts out')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;expand' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Take so many chunks before and after')
            [CompletionResult]::new('--neighbours', '--neighbours', [CompletionResultType]::ParameterName, 'Take so many chunks before and after')
            [CompletionResult]::new('--neighbors', '--neighbors', [CompletionResultType]::ParameterName, 'Take so many chunks before and after')
            [CompletionResult]::new('--within', '--within', [CompletionResultType]::ParameterName, 'Stay within this')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;zoom' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Step so many levels out')
            [CompletionResult]::new('--levels', '--levels', [CompletionResultType]::ParameterName, 'Step so many levels out')
            [CompletionResult]::new('--max-chars', '--max-chars', [CompletionResultType]::ParameterName, 'Cut the text at so many characters, behind a chunk if one fits')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;show' {
            [CompletionResult]::new('--max-chars', '--max-chars', [CompletionResultType]::ParameterName, 'Cut a section''s text at so many characters, behind a chunk if one fits')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;tree' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;sections' {
            [CompletionResult]::new('--title', '--title', [CompletionResultType]::ParameterName, 'Only sections whose title contains this, whatever the case')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;list' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;filter' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;filter;check' {
            [CompletionResult]::new('--var', '--var', [CompletionResultType]::ParameterName, 'Bind $name: name=text or name:=json (repeatable)')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;filter;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;filter;help;check' {
            break
        }
        'ragctl;filter;help;help' {
            break
        }
        'ragctl;query' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print how a text query is understood')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;query;check' {
            [CompletionResult]::new('--operator', '--operator', [CompletionResultType]::ParameterName, 'Take words without a sign as optional (or) or required (and)')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Take what does not parse as an error instead of text')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;query;help' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print how a text query is understood')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;query;help;check' {
            break
        }
        'ragctl;query;help;help' {
            break
        }
        'ragctl;info' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;remove' {
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait so many seconds for another writer')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Take paths as folders, and remove everything at and below them')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Take paths as folders, and remove everything at and below them')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Say what would be removed and write nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Say what would be removed and write nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;verify' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;doctor' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;reindex' {
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait so many seconds for another writer')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;eval' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Ask all questions and measure the answers')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Compare two ways to search, query by query')
            [CompletionResult]::new('ablate', 'ablate', [CompletionResultType]::ParameterValue, 'Measure what each stage is worth, by leaving out one at a time')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;eval;run' {
            [CompletionResult]::new('--beir', '--beir', [CompletionResultType]::ParameterName, 'Use the corpus, queries and judgements in this folder, in the form of BEIR')
            [CompletionResult]::new('--split', '--split', [CompletionResultType]::ParameterName, 'Use these judgements of --beir')
            [CompletionResult]::new('--queries', '--queries', [CompletionResultType]::ParameterName, 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text')
            [CompletionResult]::new('--qrels', '--qrels', [CompletionResultType]::ParameterName, 'Read judgements from this file: TREC''s four columns, or BEIR''s three')
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Ask a temporary index of this corpus, JSON lines with _id, title and text')
            [CompletionResult]::new('--corpus-index', '--corpus-index', [CompletionResultType]::ParameterName, 'Keep the index of the corpus in this folder, and use it again')
            [CompletionResult]::new('--topic-field', '--topic-field', [CompletionResultType]::ParameterName, 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)')
            [CompletionResult]::new('--id-from', '--id-from', [CompletionResultType]::ParameterName, 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--depth', '--depth', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--metric', '--metric', [CompletionResultType]::ParameterName, 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Embed the corpus with this model; without a corpus, search with this one of the index''s models')
            [CompletionResult]::new('--lang', '--lang', [CompletionResultType]::ParameterName, 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open encrypted files with this password')
            [CompletionResult]::new('--chunker', '--chunker', [CompletionResultType]::ParameterName, 'Cut sections that are too long with this chunker')
            [CompletionResult]::new('--max-chunk-size', '--max-chunk-size', [CompletionResultType]::ParameterName, 'Make chunks of at most so many characters')
            [CompletionResult]::new('--overlap', '--overlap', [CompletionResultType]::ParameterName, 'Let pieces of one section share at most so many characters')
            [CompletionResult]::new('--min-chunk-size', '--min-chunk-size', [CompletionResultType]::ParameterName, 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none')
            [CompletionResult]::new('--transform', '--transform', [CompletionResultType]::ParameterName, 'Transform the chunks'' texts before they are indexed, in this order; none for no change')
            [CompletionResult]::new('--mode', '--mode', [CompletionResultType]::ParameterName, 'Search so: text, vector, hybrid or all (repeatable; default: hybrid, or what --setup says)')
            [CompletionResult]::new('--stages', '--stages', [CompletionResultType]::ParameterName, 'Fuse and take the candidates through these stages: fusion=rrf,weight=0.3,mmr=0.5,dedupe,per=document:2,rerank=NAME')
            [CompletionResult]::new('--setup', '--setup', [CompletionResultType]::ParameterName, 'Search in this way too: a mode and stages as one word, such as hybrid,fusion=rrf (repeatable)')
            [CompletionResult]::new('--run', '--run', [CompletionResultType]::ParameterName, 'Measure the results in this file, in TREC''s form, instead of searching (repeatable)')
            [CompletionResult]::new('--threshold', '--threshold', [CompletionResultType]::ParameterName, 'Find nothing below this score, or below what ragctl calibrate chose, as ragctl search does')
            [CompletionResult]::new('--run-out', '--run-out', [CompletionResultType]::ParameterName, 'Write the documents found into this file, in TREC''s form')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write a report with plots into this file')
            [CompletionResult]::new('--fail-under', '--fail-under', [CompletionResultType]::ParameterName, 'End with exit status 4 when a mean is below this: nDCG@10=0.7 (repeatable)')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object, with the values of every query')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;eval;compare' {
            [CompletionResult]::new('--beir', '--beir', [CompletionResultType]::ParameterName, 'Use the corpus, queries and judgements in this folder, in the form of BEIR')
            [CompletionResult]::new('--split', '--split', [CompletionResultType]::ParameterName, 'Use these judgements of --beir')
            [CompletionResult]::new('--queries', '--queries', [CompletionResultType]::ParameterName, 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text')
            [CompletionResult]::new('--qrels', '--qrels', [CompletionResultType]::ParameterName, 'Read judgements from this file: TREC''s four columns, or BEIR''s three')
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Ask a temporary index of this corpus, JSON lines with _id, title and text')
            [CompletionResult]::new('--corpus-index', '--corpus-index', [CompletionResultType]::ParameterName, 'Keep the index of the corpus in this folder, and use it again')
            [CompletionResult]::new('--topic-field', '--topic-field', [CompletionResultType]::ParameterName, 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)')
            [CompletionResult]::new('--id-from', '--id-from', [CompletionResultType]::ParameterName, 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--depth', '--depth', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--metric', '--metric', [CompletionResultType]::ParameterName, 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Embed the corpus with this model; without a corpus, search with this one of the index''s models')
            [CompletionResult]::new('--lang', '--lang', [CompletionResultType]::ParameterName, 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open encrypted files with this password')
            [CompletionResult]::new('--chunker', '--chunker', [CompletionResultType]::ParameterName, 'Cut sections that are too long with this chunker')
            [CompletionResult]::new('--max-chunk-size', '--max-chunk-size', [CompletionResultType]::ParameterName, 'Make chunks of at most so many characters')
            [CompletionResult]::new('--overlap', '--overlap', [CompletionResultType]::ParameterName, 'Let pieces of one section share at most so many characters')
            [CompletionResult]::new('--min-chunk-size', '--min-chunk-size', [CompletionResultType]::ParameterName, 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none')
            [CompletionResult]::new('--transform', '--transform', [CompletionResultType]::ParameterName, 'Transform the chunks'' texts before they are indexed, in this order; none for no change')
            [CompletionResult]::new('--html', '--html', [CompletionResultType]::ParameterName, 'Write a report with plots into this file')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object, with the values of every query')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;eval;ablate' {
            [CompletionResult]::new('--beir', '--beir', [CompletionResultType]::ParameterName, 'Use the corpus, queries and judgements in this folder, in the form of BEIR')
            [CompletionResult]::new('--split', '--split', [CompletionResultType]::ParameterName, 'Use these judgements of --beir')
            [CompletionResult]::new('--queries', '--queries', [CompletionResultType]::ParameterName, 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text')
            [CompletionResult]::new('--qrels', '--qrels', [CompletionResultType]::ParameterName, 'Read judgements from this file: TREC''s four columns, or BEIR''s three')
            [CompletionResult]::new('--corpus', '--corpus', [CompletionResultType]::ParameterName, 'Ask a temporary index of this corpus, JSON lines with _id, title and text')
            [CompletionResult]::new('--corpus-index', '--corpus-index', [CompletionResultType]::ParameterName, 'Keep the index of the corpus in this folder, and use it again')
            [CompletionResult]::new('--topic-field', '--topic-field', [CompletionResultType]::ParameterName, 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)')
            [CompletionResult]::new('--id-from', '--id-from', [CompletionResultType]::ParameterName, 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--depth', '--depth', [CompletionResultType]::ParameterName, 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does')
            [CompletionResult]::new('--metric', '--metric', [CompletionResultType]::ParameterName, 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Embed the corpus with this model; without a corpus, search with this one of the index''s models')
            [CompletionResult]::new('--lang', '--lang', [CompletionResultType]::ParameterName, 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open encrypted files with this password')
            [CompletionResult]::new('--chunker', '--chunker', [CompletionResultType]::ParameterName, 'Cut sections that are too long with this chunker')
            [CompletionResult]::new('--max-chunk-size', '--max-chunk-size', [CompletionResultType]::ParameterName, 'Make chunks of at most so many characters')
            [CompletionResult]::new('--overlap', '--overlap', [CompletionResultType]::ParameterName, 'Let pieces of one section share at most so many characters')
            [CompletionResult]::new('--min-chunk-size', '--min-chunk-size', [CompletionResultType]::ParameterName, 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none')
            [CompletionResult]::new('--transform', '--transform', [CompletionResultType]::ParameterName, 'Transform the chunks'' texts before they are indexed, in this order; none for no change')
            [CompletionResult]::new('--setup', '--setup', [CompletionResultType]::ParameterName, 'Start from this way to search: a mode and stages as one word')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;eval;help' {
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Ask all questions and measure the answers')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Compare two ways to search, query by query')
            [CompletionResult]::new('ablate', 'ablate', [CompletionResultType]::ParameterValue, 'Measure what each stage is worth, by leaving out one at a time')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;eval;help;run' {
            break
        }
        'ragctl;eval;help;compare' {
            break
        }
        'ragctl;eval;help;ablate' {
            break
        }
        'ragctl;eval;help;help' {
            break
        }
        'ragctl;calibrate' {
            [CompletionResult]::new('--in', '--in', [CompletionResultType]::ParameterName, 'Questions that the index answers, one a line')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'Questions that it does not answer, one a line')
            [CompletionResult]::new('--mode', '--mode', [CompletionResultType]::ParameterName, 'Calibrate searches of this mode')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Search with the vectors of this model of the index (default: the preferred one); each has its own threshold')
            [CompletionResult]::new('--rerank', '--rerank', [CompletionResultType]::ParameterName, 'Calibrate the scores of this reranker')
            [CompletionResult]::new('--pool', '--pool', [CompletionResultType]::ParameterName, 'Give so many candidates to --rerank')
            [CompletionResult]::new('--max-false-answers', '--max-false-answers', [CompletionResultType]::ParameterName, 'Answer at most this share of the questions that are not answered, 0 to 1, and refuse as few others as that allows')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait so many seconds for another writer')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Keep nothing')
            [CompletionResult]::new('--dry-run', '--dry-run', [CompletionResultType]::ParameterName, 'Keep nothing')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;reembed' {
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Embed with this model (ragctl models lists them)')
            [CompletionResult]::new('--endpoint', '--endpoint', [CompletionResultType]::ParameterName, 'Address of an openai:NAME model, such as http://localhost:11434/v1')
            [CompletionResult]::new('--query-prefix', '--query-prefix', [CompletionResultType]::ParameterName, 'Put this in front of every query (default: what the model is known to want)')
            [CompletionResult]::new('--passage-prefix', '--passage-prefix', [CompletionResultType]::ParameterName, 'Put this in front of every passage (default: what the model is known to want)')
            [CompletionResult]::new('--drop', '--drop', [CompletionResultType]::ParameterName, 'Remove this model with its vectors instead')
            [CompletionResult]::new('-j', '-j', [CompletionResultType]::ParameterName, 'Use so many threads, at most 256; 0 for one a core')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Use so many threads, at most 256; 0 for one a core')
            [CompletionResult]::new('--lock-timeout', '--lock-timeout', [CompletionResultType]::ParameterName, 'Wait so many seconds for another writer')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--keep', '--keep', [CompletionResultType]::ParameterName, 'Keep the model that is preferred now beside the new one; search --model chooses')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;models' {
            [CompletionResult]::new('--measure', '--measure', [CompletionResultType]::ParameterName, 'Measure how many passages a second these models embed on this machine; all that are here, if none is named')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('pull', 'pull', [CompletionResultType]::ParameterValue, 'Download a model from a hub')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;models;pull' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;models;help' {
            [CompletionResult]::new('pull', 'pull', [CompletionResultType]::ParameterValue, 'Download a model from a hub')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;models;help;pull' {
            break
        }
        'ragctl;models;help;help' {
            break
        }
        'ragctl;mcp' {
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Show nothing but documents with this label (repeatable, all must be there)')
            [CompletionResult]::new('--budget', '--budget', [CompletionResultType]::ParameterName, 'Answer with at most about so many tokens: whole results, best first')
            [CompletionResult]::new('--trace', '--trace', [CompletionResultType]::ParameterName, 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds')
            [CompletionResult]::new('--about', '--about', [CompletionResultType]::ParameterName, 'Put the passages about this topic into the server''s instructions, found by meaning')
            [CompletionResult]::new('-k', '-k', [CompletionResultType]::ParameterName, 'So many passages about the topic')
            [CompletionResult]::new('--top-k', '--top-k', [CompletionResultType]::ParameterName, 'So many passages about the topic')
            [CompletionResult]::new('--http', '--http', [CompletionResultType]::ParameterName, 'Listen on this address, as 127.0.0.1:8123, rather than on standard input')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Answer only clients that send this token (Authorization: Bearer TOKEN)')
            [CompletionResult]::new('--allow-host', '--allow-host', [CompletionResultType]::ParameterName, 'Answer under this name too, as docs.example.com (repeatable)')
            [CompletionResult]::new('--allow-origin', '--allow-origin', [CompletionResultType]::ParameterName, 'Answer web pages of this origin, such as `https://app.example.com:443` (repeatable); others are refused')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--entities-only', '--entities-only', [CompletionResultType]::ParameterName, 'Show nothing but named entities')
            [CompletionResult]::new('--trace-text', '--trace-text', [CompletionResultType]::ParameterName, 'Trace the texts that were shown too')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;tools' {
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Show nothing but documents with this label (repeatable, all must be there)')
            [CompletionResult]::new('--shape', '--shape', [CompletionResultType]::ParameterName, 'Write the array for this API')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--entities-only', '--entities-only', [CompletionResultType]::ParameterName, 'Show nothing but named entities')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;call' {
            [CompletionResult]::new('--label', '--label', [CompletionResultType]::ParameterName, 'Show nothing but documents with this label (repeatable, all must be there)')
            [CompletionResult]::new('--budget', '--budget', [CompletionResultType]::ParameterName, 'Answer with at most about so many tokens: whole results, best first')
            [CompletionResult]::new('--trace', '--trace', [CompletionResultType]::ParameterName, 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--entities-only', '--entities-only', [CompletionResultType]::ParameterName, 'Show nothing but named entities')
            [CompletionResult]::new('--trace-text', '--trace-text', [CompletionResultType]::ParameterName, 'Trace the texts that were shown too')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print the structured answer')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;trace' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print JSON')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;read' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read it in this format, whatever its name says')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open an encrypted file with this password')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Print the text only')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;chunk' {
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Read it in this format, whatever its name says')
            [CompletionResult]::new('--lang', '--lang', [CompletionResultType]::ParameterName, 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Open encrypted files with this password')
            [CompletionResult]::new('--chunker', '--chunker', [CompletionResultType]::ParameterName, 'Cut sections that are too long with this chunker')
            [CompletionResult]::new('--max-chunk-size', '--max-chunk-size', [CompletionResultType]::ParameterName, 'Make chunks of at most so many characters')
            [CompletionResult]::new('--overlap', '--overlap', [CompletionResultType]::ParameterName, 'Let pieces of one section share at most so many characters')
            [CompletionResult]::new('--min-chunk-size', '--min-chunk-size', [CompletionResultType]::ParameterName, 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none')
            [CompletionResult]::new('--transform', '--transform', [CompletionResultType]::ParameterName, 'Transform the chunks'' texts before they are indexed, in this order; none for no change')
            [CompletionResult]::new('--model', '--model', [CompletionResultType]::ParameterName, 'Make chunks that this model can read (default: static, which reads any length)')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--full-page', '--full-page', [CompletionResultType]::ParameterName, 'Keep navigation, footers and other boilerplate of HTML pages')
            [CompletionResult]::new('--links', '--links', [CompletionResultType]::ParameterName, 'Write links of HTML pages as `[text](target)`, not as their text alone')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;schema' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;completions' {
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write every page into this folder')
            [CompletionResult]::new('--index', '--index', [CompletionResultType]::ParameterName, 'Use the index in this folder')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colour the output')
            [CompletionResult]::new('--base-filter', '--base-filter', [CompletionResultType]::ParameterName, 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)')
            [CompletionResult]::new('--ort-lib', '--ort-lib', [CompletionResultType]::ParameterName, 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)')
            [CompletionResult]::new('--offline', '--offline', [CompletionResultType]::ParameterName, 'Use no network, whatever else is said')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Print no notes, summaries and progress')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'ragctl;help' {
            [CompletionResult]::new('ingest', 'ingest', [CompletionResultType]::ParameterValue, 'Read documents into the index')
            [CompletionResult]::new('search', 'search', [CompletionResultType]::ParameterValue, 'Search by meaning, words or pattern')
            [CompletionResult]::new('expand', 'expand', [CompletionResultType]::ParameterValue, 'Print a chunk with its neighbours')
            [CompletionResult]::new('zoom', 'zoom', [CompletionResultType]::ParameterValue, 'Print the whole text around an id: a chunk''s section, a section''s parent')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Print what stands at an id: a chunk, a section''s text, a document''s record')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Print the section tree of a document, of a part of it, or of all')
            [CompletionResult]::new('sections', 'sections', [CompletionResultType]::ParameterValue, 'List sections, one a line')
            [CompletionResult]::new('list', 'list', [CompletionResultType]::ParameterValue, 'List documents, one a line')
            [CompletionResult]::new('filter', 'filter', [CompletionResultType]::ParameterValue, 'Say what a filter means')
            [CompletionResult]::new('query', 'query', [CompletionResultType]::ParameterValue, 'Say what a text query means')
            [CompletionResult]::new('info', 'info', [CompletionResultType]::ParameterValue, 'Print what the index holds: counts, model, sizes, versions')
            [CompletionResult]::new('remove', 'remove', [CompletionResultType]::ParameterValue, 'Remove documents from the index; files are never touched')
            [CompletionResult]::new('verify', 'verify', [CompletionResultType]::ParameterValue, 'Check every invariant of the index')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Look whether program, machine and index are in order')
            [CompletionResult]::new('reindex', 'reindex', [CompletionResultType]::ParameterValue, 'Build the text index and the vector files anew from the database')
            [CompletionResult]::new('eval', 'eval', [CompletionResultType]::ParameterValue, 'Measure how good the answers are, with questions whose answers are known')
            [CompletionResult]::new('calibrate', 'calibrate', [CompletionResultType]::ParameterValue, 'Choose a threshold from questions that the index answers and questions that it does not')
            [CompletionResult]::new('reembed', 'reembed', [CompletionResultType]::ParameterValue, 'Embed the stored passages with another model, or go on with what was begun')
            [CompletionResult]::new('models', 'models', [CompletionResultType]::ParameterValue, 'List the embedding models: built in, on this machine, to be downloaded')
            [CompletionResult]::new('mcp', 'mcp', [CompletionResultType]::ParameterValue, 'Serve the index to agents over MCP')
            [CompletionResult]::new('tools', 'tools', [CompletionResultType]::ParameterValue, 'Print the tools for models')
            [CompletionResult]::new('call', 'call', [CompletionResultType]::ParameterValue, 'Run a tool as a model would')
            [CompletionResult]::new('trace', 'trace', [CompletionResultType]::ParameterValue, 'Say what a trace shows')
            [CompletionResult]::new('read', 'read', [CompletionResultType]::ParameterValue, 'Print the section tree and text of a file, without any index')
            [CompletionResult]::new('chunk', 'chunk', [CompletionResultType]::ParameterValue, 'Print the chunks of a file, without any index')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of a kind of output, or list the kinds')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print the completions for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print a man page, or write all of them into a folder')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'ragctl;help;ingest' {
            break
        }
        'ragctl;help;search' {
            break
        }
        'ragctl;help;expand' {
            break
        }
        'ragctl;help;zoom' {
            break
        }
        'ragctl;help;show' {
            break
        }
        'ragctl;help;tree' {
            break
        }
        'ragctl;help;sections' {
            break
        }
        'ragctl;help;list' {
            break
        }
        'ragctl;help;filter' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass')
            break
        }
        'ragctl;help;filter;check' {
            break
        }
        'ragctl;help;query' {
            [CompletionResult]::new('check', 'check', [CompletionResultType]::ParameterValue, 'Print how a text query is understood')
            break
        }
        'ragctl;help;query;check' {
            break
        }
        'ragctl;help;info' {
            break
        }
        'ragctl;help;remove' {
            break
        }
        'ragctl;help;verify' {
            break
        }
        'ragctl;help;doctor' {
            break
        }
        'ragctl;help;reindex' {
            break
        }
        'ragctl;help;eval' {
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Ask all questions and measure the answers')
            [CompletionResult]::new('compare', 'compare', [CompletionResultType]::ParameterValue, 'Compare two ways to search, query by query')
            [CompletionResult]::new('ablate', 'ablate', [CompletionResultType]::ParameterValue, 'Measure what each stage is worth, by leaving out one at a time')
            break
        }
        'ragctl;help;eval;run' {
            break
        }
        'ragctl;help;eval;compare' {
            break
        }
        'ragctl;help;eval;ablate' {
            break
        }
        'ragctl;help;calibrate' {
            break
        }
        'ragctl;help;reembed' {
            break
        }
        'ragctl;help;models' {
            [CompletionResult]::new('pull', 'pull', [CompletionResultType]::ParameterValue, 'Download a model from a hub')
            break
        }
        'ragctl;help;models;pull' {
            break
        }
        'ragctl;help;mcp' {
            break
        }
        'ragctl;help;tools' {
            break
        }
        'ragctl;help;call' {
            break
        }
        'ragctl;help;trace' {
            break
        }
        'ragctl;help;read' {
            break
        }
        'ragctl;help;chunk' {
            break
        }
        'ragctl;help;schema' {
            break
        }
        'ragctl;help;completions' {
            break
        }
        'ragctl;help;man' {
            break
        }
        'ragctl;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
