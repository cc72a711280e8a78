
use builtin;
use str;

set edit:completion:arg-completer[ragctl] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'ragctl'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'ragctl'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand ingest 'Read documents into the index'
            cand search 'Search by meaning, words or pattern'
            cand expand 'Print a chunk with its neighbours'
            cand zoom 'Print the whole text around an id: a chunk''s section, a section''s parent'
            cand show 'Print what stands at an id: a chunk, a section''s text, a document''s record'
            cand tree 'Print the section tree of a document, of a part of it, or of all'
            cand sections 'List sections, one a line'
            cand list 'List documents, one a line'
            cand filter 'Say what a filter means'
            cand query 'Say what a text query means'
            cand info 'Print what the index holds: counts, model, sizes, versions'
            cand remove 'Remove documents from the index; files are never touched'
            cand verify 'Check every invariant of the index'
            cand doctor 'Look whether program, machine and index are in order'
            cand reindex 'Build the text index and the vector files anew from the database'
            cand eval 'Measure how good the answers are, with questions whose answers are known'
            cand calibrate 'Choose a threshold from questions that the index answers and questions that it does not'
            cand reembed 'Embed the stored passages with another model, or go on with what was begun'
            cand models 'List the embedding models: built in, on this machine, to be downloaded'
            cand mcp 'Serve the index to agents over MCP'
            cand tools 'Print the tools for models'
            cand call 'Run a tool as a model would'
            cand trace 'Say what a trace shows'
            cand read 'Print the section tree and text of a file, without any index'
            cand chunk 'Print the chunks of a file, without any index'
            cand schema 'Print the JSON Schema of a kind of output, or list the kinds'
            cand completions 'Print the completions for a shell'
            cand man 'Print a man page, or write all of them into a folder'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;ingest'= {
            cand --files-from 'Read paths from this file, one a line (- for standard input)'
            cand --uri 'Name the document on standard input'
            cand --format 'Read everything in this format, whatever the names say'
            cand --include 'Take only files that match this glob (repeatable)'
            cand --exclude 'Leave out files and folders that match this glob (repeatable)'
            cand -t 'Take only files of this format (repeatable)'
            cand --type 'Take only files of this format (repeatable)'
            cand --max-file-size 'Leave out files larger than this, such as 500k or 32M'
            cand --max-depth 'Go so many folders deep; 1 takes the files of the folder itself'
            cand --refresh 'Decide when stored documents are read again: never, changed, always, older-than=7d, or GLOB:POLICY (repeatable)'
            cand --lang 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each'
            cand --password 'Open encrypted files with this password'
            cand --chunker 'Cut sections that are too long with this chunker'
            cand --max-chunk-size 'Make chunks of at most so many characters'
            cand --overlap 'Let pieces of one section share at most so many characters'
            cand --min-chunk-size 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none'
            cand --transform 'Transform the chunks'' texts before they are indexed, in this order; none for no change'
            cand --model 'Embed with this model (ragctl models lists them)'
            cand --endpoint 'Address of an openai:NAME model, such as http://localhost:11434/v1'
            cand --query-prefix 'Put this in front of every query (default: what the model is known to want)'
            cand --passage-prefix 'Put this in front of every passage (default: what the model is known to want)'
            cand --meta 'Put metadata on every document: key=text or key:=json (repeatable)'
            cand --label 'Put a label on every document (repeatable)'
            cand -j 'Use so many threads, at most 256; 0 for one a core'
            cand --threads 'Use so many threads, at most 256; 0 for one a core'
            cand --lock-timeout 'Wait so many seconds for another writer'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --hidden 'Take hidden files and folders too'
            cand --no-ignore 'Pay no attention to ignore files'
            cand -L 'Follow symbolic links'
            cand --follow 'Follow symbolic links'
            cand -z 'Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case'
            cand --archives 'Open archives (zip, tar, tar.gz, tgz, gz) that are found in folders; those that are named are opened in any case'
            cand --prune 'Remove documents under the given paths whose files are gone'
            cand -n 'Say what would happen and write nothing'
            cand --dry-run 'Say what would happen and write nothing'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --json 'Print the report as one JSON object'
            cand --jsonl 'Print a JSON line a file as it happens, and the report last'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;search'= {
            cand --sort 'Order the hits of --regex so'
            cand --fusion 'Fuse the lists of a hybrid search so'
            cand --weight 'Weigh the vector list so, 0 to 1 (default: the model''s own, 0.5 for rrf)'
            cand --model 'Search the vectors of this model of the index (default: the one that ragctl info lists first)'
            cand --endpoint 'Ask the model behind this address, and not the one that the index names'
            cand --operator 'Take words without a sign of a text query as optional (or) or required (and)'
            cand -k 'Return at most so many hits'
            cand --top-k 'Return at most so many hits'
            cand --threshold 'Drop hits of --vector and --text below this score, or below what ragctl calibrate chose'
            cand --rerank 'Judge the best candidates anew with this reranker, which reads query and passage together'
            cand --pool 'Give so many candidates to --rerank'
            cand --rerank-budget 'Keep the order as it was, and say so, when --rerank takes longer; 0 for as long as it takes'
            cand --mmr 'Prefer passages that differ from those before: 1 looks at relevance only, 0 at the differences only'
            cand --per 'Take at most so many passages of one document or section: document:2, section:1 (repeatable)'
            cand --cap 'Return at most so many hits of those that --top-k lets pass'
            cand --trace 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds'
            cand -f 'Search only where this expression holds (repeatable, all must hold)'
            cand --filter 'Search only where this expression holds (repeatable, all must hold)'
            cand --var 'Bind $name in filters: name=text or name:=json (repeatable)'
            cand --path-prefix 'Search only documents at or below this path (repeatable)'
            cand --label 'Search only documents with this label (repeatable, all must be there)'
            cand --expand 'Add so many neighbours of each hit, after all hits'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --hybrid 'Search by meaning and words (default)'
            cand --vector 'Search by meaning; the score is the cosine similarity (of a sparse model see ragctl help models)'
            cand --text 'Search by words; the score is bm25/(bm25+3)'
            cand --regex 'Search by regular expression (Rust syntax)'
            cand -i 'Ignore case in --regex'
            cand --ignore-case 'Ignore case in --regex'
            cand -w 'Match whole words in --regex'
            cand --word-regexp 'Match whole words in --regex'
            cand -F 'Take the pattern of --regex literally'
            cand --fixed-strings 'Take the pattern of --regex literally'
            cand -U 'Let `.` in --regex match line ends too'
            cand --multiline 'Let `.` in --regex match line ends too'
            cand --strict 'Take what does not parse in a text query as an error instead of text (see ragctl help query)'
            cand --dedupe 'Leave out passages that say nearly the same as a better one, such as those of a file stored twice'
            cand --auto-merge 'Return a section in place of its passages where more than half of them are among the hits'
            cand --trace-text 'Trace the texts that were shown too'
            cand --entities-only 'Search only named entities'
            cand --snippet 'Print the part of each passage around the match (default)'
            cand --full 'Print whole passages'
            cand -c 'Print how often --regex matches in each document instead of passages, all documents'
            cand --count 'Print how often --regex matches in each document instead of passages, all documents'
            cand -l 'Print only the documents in which --regex matches, all of them'
            cand --files-with-matches 'Print only the documents in which --regex matches, all of them'
            cand --explain 'Say how each score came about'
            cand --json 'Print one JSON object'
            cand --jsonl 'Print one JSON object a hit, a line each'
            cand --no-text 'Leave the texts out'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;expand'= {
            cand -n 'Take so many chunks before and after'
            cand --neighbours 'Take so many chunks before and after'
            cand --neighbors 'Take so many chunks before and after'
            cand --within 'Stay within this'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;zoom'= {
            cand -l 'Step so many levels out'
            cand --levels 'Step so many levels out'
            cand --max-chars 'Cut the text at so many characters, behind a chunk if one fits'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;show'= {
            cand --max-chars 'Cut a section''s text at so many characters, behind a chunk if one fits'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;tree'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;sections'= {
            cand --title 'Only sections whose title contains this, whatever the case'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;list'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;filter'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand check 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;filter;check'= {
            cand --var 'Bind $name: name=text or name:=json (repeatable)'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;filter;help'= {
            cand check 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;filter;help;check'= {
        }
        &'ragctl;filter;help;help'= {
        }
        &'ragctl;query'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand check 'Print how a text query is understood'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;query;check'= {
            cand --operator 'Take words without a sign as optional (or) or required (and)'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --strict 'Take what does not parse as an error instead of text'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;query;help'= {
            cand check 'Print how a text query is understood'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;query;help;check'= {
        }
        &'ragctl;query;help;help'= {
        }
        &'ragctl;info'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;remove'= {
            cand --lock-timeout 'Wait so many seconds for another writer'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand -r 'Take paths as folders, and remove everything at and below them'
            cand --recursive 'Take paths as folders, and remove everything at and below them'
            cand -n 'Say what would be removed and write nothing'
            cand --dry-run 'Say what would be removed and write nothing'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;verify'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;doctor'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;reindex'= {
            cand --lock-timeout 'Wait so many seconds for another writer'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;eval'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand run 'Ask all questions and measure the answers'
            cand compare 'Compare two ways to search, query by query'
            cand ablate 'Measure what each stage is worth, by leaving out one at a time'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;eval;run'= {
            cand --beir 'Use the corpus, queries and judgements in this folder, in the form of BEIR'
            cand --split 'Use these judgements of --beir'
            cand --queries 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text'
            cand --qrels 'Read judgements from this file: TREC''s four columns, or BEIR''s three'
            cand --corpus 'Ask a temporary index of this corpus, JSON lines with _id, title and text'
            cand --corpus-index 'Keep the index of the corpus in this folder, and use it again'
            cand --topic-field 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)'
            cand --id-from 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk'
            cand -k 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --depth 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --metric 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)'
            cand --model 'Embed the corpus with this model; without a corpus, search with this one of the index''s models'
            cand --lang 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each'
            cand --password 'Open encrypted files with this password'
            cand --chunker 'Cut sections that are too long with this chunker'
            cand --max-chunk-size 'Make chunks of at most so many characters'
            cand --overlap 'Let pieces of one section share at most so many characters'
            cand --min-chunk-size 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none'
            cand --transform 'Transform the chunks'' texts before they are indexed, in this order; none for no change'
            cand --mode 'Search so: text, vector, hybrid or all (repeatable; default: hybrid, or what --setup says)'
            cand --stages 'Fuse and take the candidates through these stages: fusion=rrf,weight=0.3,mmr=0.5,dedupe,per=document:2,rerank=NAME'
            cand --setup 'Search in this way too: a mode and stages as one word, such as hybrid,fusion=rrf (repeatable)'
            cand --run 'Measure the results in this file, in TREC''s form, instead of searching (repeatable)'
            cand --threshold 'Find nothing below this score, or below what ragctl calibrate chose, as ragctl search does'
            cand --run-out 'Write the documents found into this file, in TREC''s form'
            cand --html 'Write a report with plots into this file'
            cand --fail-under 'End with exit status 4 when a mean is below this: nDCG@10=0.7 (repeatable)'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --json 'Print one JSON object, with the values of every query'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;eval;compare'= {
            cand --beir 'Use the corpus, queries and judgements in this folder, in the form of BEIR'
            cand --split 'Use these judgements of --beir'
            cand --queries 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text'
            cand --qrels 'Read judgements from this file: TREC''s four columns, or BEIR''s three'
            cand --corpus 'Ask a temporary index of this corpus, JSON lines with _id, title and text'
            cand --corpus-index 'Keep the index of the corpus in this folder, and use it again'
            cand --topic-field 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)'
            cand --id-from 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk'
            cand -k 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --depth 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --metric 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)'
            cand --model 'Embed the corpus with this model; without a corpus, search with this one of the index''s models'
            cand --lang 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each'
            cand --password 'Open encrypted files with this password'
            cand --chunker 'Cut sections that are too long with this chunker'
            cand --max-chunk-size 'Make chunks of at most so many characters'
            cand --overlap 'Let pieces of one section share at most so many characters'
            cand --min-chunk-size 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none'
            cand --transform 'Transform the chunks'' texts before they are indexed, in this order; none for no change'
            cand --html 'Write a report with plots into this file'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --json 'Print one JSON object, with the values of every query'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;eval;ablate'= {
            cand --beir 'Use the corpus, queries and judgements in this folder, in the form of BEIR'
            cand --split 'Use these judgements of --beir'
            cand --queries 'Read queries from this file: JSON lines, TREC topics, or lines of id, tab, text'
            cand --qrels 'Read judgements from this file: TREC''s four columns, or BEIR''s three'
            cand --corpus 'Ask a temporary index of this corpus, JSON lines with _id, title and text'
            cand --corpus-index 'Keep the index of the corpus in this folder, and use it again'
            cand --topic-field 'Search for this field of TREC topics, such as title, desc or narr (default: title, else query)'
            cand --id-from 'Take this for the document id of the judgements: uri, stem (the file name without its extension), meta:KEY, section or chunk'
            cand -k 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --depth 'Look at so many documents a query (default: 100, or as many as a metric looks at); a document stands where its best passage does'
            cand --metric 'Measure this: nDCG@K, MRR@K, MAP, recall@K, P@K, success@K (repeatable, or separated by commas)'
            cand --model 'Embed the corpus with this model; without a corpus, search with this one of the index''s models'
            cand --lang 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each'
            cand --password 'Open encrypted files with this password'
            cand --chunker 'Cut sections that are too long with this chunker'
            cand --max-chunk-size 'Make chunks of at most so many characters'
            cand --overlap 'Let pieces of one section share at most so many characters'
            cand --min-chunk-size 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none'
            cand --transform 'Transform the chunks'' texts before they are indexed, in this order; none for no change'
            cand --setup 'Start from this way to search: a mode and stages as one word'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;eval;help'= {
            cand run 'Ask all questions and measure the answers'
            cand compare 'Compare two ways to search, query by query'
            cand ablate 'Measure what each stage is worth, by leaving out one at a time'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;eval;help;run'= {
        }
        &'ragctl;eval;help;compare'= {
        }
        &'ragctl;eval;help;ablate'= {
        }
        &'ragctl;eval;help;help'= {
        }
        &'ragctl;calibrate'= {
            cand --in 'Questions that the index answers, one a line'
            cand --out 'Questions that it does not answer, one a line'
            cand --mode 'Calibrate searches of this mode'
            cand --model 'Search with the vectors of this model of the index (default: the preferred one); each has its own threshold'
            cand --rerank 'Calibrate the scores of this reranker'
            cand --pool 'Give so many candidates to --rerank'
            cand --max-false-answers 'Answer at most this share of the questions that are not answered, 0 to 1, and refuse as few others as that allows'
            cand --lock-timeout 'Wait so many seconds for another writer'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand -n 'Keep nothing'
            cand --dry-run 'Keep nothing'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;reembed'= {
            cand --model 'Embed with this model (ragctl models lists them)'
            cand --endpoint 'Address of an openai:NAME model, such as http://localhost:11434/v1'
            cand --query-prefix 'Put this in front of every query (default: what the model is known to want)'
            cand --passage-prefix 'Put this in front of every passage (default: what the model is known to want)'
            cand --drop 'Remove this model with its vectors instead'
            cand -j 'Use so many threads, at most 256; 0 for one a core'
            cand --threads 'Use so many threads, at most 256; 0 for one a core'
            cand --lock-timeout 'Wait so many seconds for another writer'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --keep 'Keep the model that is preferred now beside the new one; search --model chooses'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;models'= {
            cand --measure 'Measure how many passages a second these models embed on this machine; all that are here, if none is named'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand pull 'Download a model from a hub'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;models;pull'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;models;help'= {
            cand pull 'Download a model from a hub'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;models;help;pull'= {
        }
        &'ragctl;models;help;help'= {
        }
        &'ragctl;mcp'= {
            cand --label 'Show nothing but documents with this label (repeatable, all must be there)'
            cand --budget 'Answer with at most about so many tokens: whole results, best first'
            cand --trace 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds'
            cand --about 'Put the passages about this topic into the server''s instructions, found by meaning'
            cand -k 'So many passages about the topic'
            cand --top-k 'So many passages about the topic'
            cand --http 'Listen on this address, as 127.0.0.1:8123, rather than on standard input'
            cand --token 'Answer only clients that send this token (Authorization: Bearer TOKEN)'
            cand --allow-host 'Answer under this name too, as docs.example.com (repeatable)'
            cand --allow-origin 'Answer web pages of this origin, such as `https://app.example.com:443` (repeatable); others are refused'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --entities-only 'Show nothing but named entities'
            cand --trace-text 'Trace the texts that were shown too'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;tools'= {
            cand --label 'Show nothing but documents with this label (repeatable, all must be there)'
            cand --shape 'Write the array for this API'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --entities-only 'Show nothing but named entities'
            cand --json 'Print JSON'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;call'= {
            cand --label 'Show nothing but documents with this label (repeatable, all must be there)'
            cand --budget 'Answer with at most about so many tokens: whole results, best first'
            cand --trace 'Add a line of JSON to this file for every call: tool, arguments, what was shown, milliseconds'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --entities-only 'Show nothing but named entities'
            cand --trace-text 'Trace the texts that were shown too'
            cand --json 'Print the structured answer'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;trace'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --json 'Print JSON'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;read'= {
            cand --format 'Read it in this format, whatever its name says'
            cand --password 'Open an encrypted file with this password'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --text 'Print the text only'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;chunk'= {
            cand --format 'Read it in this format, whatever its name says'
            cand --lang 'Take all documents to be in this language, as en or de-AT; otherwise it is found out for each'
            cand --password 'Open encrypted files with this password'
            cand --chunker 'Cut sections that are too long with this chunker'
            cand --max-chunk-size 'Make chunks of at most so many characters'
            cand --overlap 'Let pieces of one section share at most so many characters'
            cand --min-chunk-size 'Join neighbouring sections that are shorter than so many characters to one chunk of their parent; 0 joins none'
            cand --transform 'Transform the chunks'' texts before they are indexed, in this order; none for no change'
            cand --model 'Make chunks that this model can read (default: static, which reads any length)'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --full-page 'Keep navigation, footers and other boilerplate of HTML pages'
            cand --links 'Write links of HTML pages as `[text](target)`, not as their text alone'
            cand --json 'Print one JSON object'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;schema'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;completions'= {
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;man'= {
            cand --dir 'Write every page into this folder'
            cand --index 'Use the index in this folder'
            cand --color 'Colour the output'
            cand --base-filter 'Show nothing but what this filter lets pass, in every command (repeatable, all must hold)'
            cand --ort-lib 'Load ONNX Runtime from this file, which models in ONNX format need (libonnxruntime.so, .dylib or .dll)'
            cand --offline 'Use no network, whatever else is said'
            cand -q 'Print no notes, summaries and progress'
            cand --quiet 'Print no notes, summaries and progress'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'ragctl;help'= {
            cand ingest 'Read documents into the index'
            cand search 'Search by meaning, words or pattern'
            cand expand 'Print a chunk with its neighbours'
            cand zoom 'Print the whole text around an id: a chunk''s section, a section''s parent'
            cand show 'Print what stands at an id: a chunk, a section''s text, a document''s record'
            cand tree 'Print the section tree of a document, of a part of it, or of all'
            cand sections 'List sections, one a line'
            cand list 'List documents, one a line'
            cand filter 'Say what a filter means'
            cand query 'Say what a text query means'
            cand info 'Print what the index holds: counts, model, sizes, versions'
            cand remove 'Remove documents from the index; files are never touched'
            cand verify 'Check every invariant of the index'
            cand doctor 'Look whether program, machine and index are in order'
            cand reindex 'Build the text index and the vector files anew from the database'
            cand eval 'Measure how good the answers are, with questions whose answers are known'
            cand calibrate 'Choose a threshold from questions that the index answers and questions that it does not'
            cand reembed 'Embed the stored passages with another model, or go on with what was begun'
            cand models 'List the embedding models: built in, on this machine, to be downloaded'
            cand mcp 'Serve the index to agents over MCP'
            cand tools 'Print the tools for models'
            cand call 'Run a tool as a model would'
            cand trace 'Say what a trace shows'
            cand read 'Print the section tree and text of a file, without any index'
            cand chunk 'Print the chunks of a file, without any index'
            cand schema 'Print the JSON Schema of a kind of output, or list the kinds'
            cand completions 'Print the completions for a shell'
            cand man 'Print a man page, or write all of them into a folder'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'ragctl;help;ingest'= {
        }
        &'ragctl;help;search'= {
        }
        &'ragctl;help;expand'= {
        }
        &'ragctl;help;zoom'= {
        }
        &'ragctl;help;show'= {
        }
        &'ragctl;help;tree'= {
        }
        &'ragctl;help;sections'= {
        }
        &'ragctl;help;list'= {
        }
        &'ragctl;help;filter'= {
            cand check 'Print a filter''s tree, the keys that it reads, and how many documents and chunks pass'
        }
        &'ragctl;help;filter;check'= {
        }
        &'ragctl;help;query'= {
            cand check 'Print how a text query is understood'
        }
        &'ragctl;help;query;check'= {
        }
        &'ragctl;help;info'= {
        }
        &'ragctl;help;remove'= {
        }
        &'ragctl;help;verify'= {
        }
        &'ragctl;help;doctor'= {
        }
        &'ragctl;help;reindex'= {
        }
        &'ragctl;help;eval'= {
            cand run 'Ask all questions and measure the answers'
            cand compare 'Compare two ways to search, query by query'
            cand ablate 'Measure what each stage is worth, by leaving out one at a time'
        }
        &'ragctl;help;eval;run'= {
        }
        &'ragctl;help;eval;compare'= {
        }
        &'ragctl;help;eval;ablate'= {
        }
        &'ragctl;help;calibrate'= {
        }
        &'ragctl;help;reembed'= {
        }
        &'ragctl;help;models'= {
            cand pull 'Download a model from a hub'
        }
        &'ragctl;help;models;pull'= {
        }
        &'ragctl;help;mcp'= {
        }
        &'ragctl;help;tools'= {
        }
        &'ragctl;help;call'= {
        }
        &'ragctl;help;trace'= {
        }
        &'ragctl;help;read'= {
        }
        &'ragctl;help;chunk'= {
        }
        &'ragctl;help;schema'= {
        }
        &'ragctl;help;completions'= {
        }
        &'ragctl;help;man'= {
        }
        &'ragctl;help;help'= {
        }
    ]
    $completions[$command]
}
