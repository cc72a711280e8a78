//! Turns folders of documents into a searchable, navigable knowledge base in one folder on disk.
//!
//! `ragctl` is a command-line program; this library is its inside. It keeps the section tree of every document and the
//! exact place of every passage in its source, searches by meaning, by words, by regular expression and by meaning and
//! words fused, and moves from any hit to its neighbours and its enclosing sections.
//!
//! # Architecture
//!
//! Values flow through a short chain of named types:
//!
//! ```text
//! Source -> Blob =Reader=> Document =Chunker=> Chunk* =ChunkTransformer=> Chunk* =Embedder=> vectors =Store=> index
//! Query -> search -> Hit* -> expand -> Hit* -> render -> text | JSON
//! ```
//!
//! Modules import downward only; `tests/cli/architecture.rs` reads the imports and fails on any other edge.
//!
//! ```text
//!                cli                        argv, terminals, exit codes
//!                 |
//!          mcp -> tools                      the protocol of agents; tools for models, without a protocol
//!                 |
//!               render                      domain -> human text | wire JSON (the only public Serialize)
//!                 |
//!                eval                       use cases measured
//!                 |
//!          ingest + search                  use cases: the only modules that know several stages
//!         /   |    |    |    |    |   \
//!   source read chunk transform embed rerank store   stages: siblings never import each other
//!         \   |    |    |    |    |   /
//!     filter, query, hub -> local -> content, http, bert   content imports nothing of ours and does no I/O
//! ```
//!
//! In reading order:
//!
//! - [`content`]: [`Document`](content::Document), [`Section`](content::Section) in one pre-order arena,
//!   [`Chunk`](content::Chunk), [`NamedEntity`](content::NamedEntity), [`Vector`](content::Vector)s, ids,
//!   [`Span`](content::Span)s, and the way from a span back to the source.
//! - [`source`]: from paths to candidates with ignore rules, URIs, and everything left out counted with its reason; archives
//!   expanded to their members.
//! - [`read`]: a [`Reader`](read::Reader) a format, charset detection, and worker processes for risky formats.
//! - [`chunk`](mod@chunk), [`transform`]: registries of chunkers and transformers, pure functions from a document to chunks and
//!   from a chunk to the text that is indexed.
//! - `bert`: tokenizer, layers and files of BERT models. `local`: models in folders, by `bert` or through ONNX Runtime.
//! - `http`: requests to servers that the user named. [`hub`]: where models of a hub lie, and how they get there.
//! - [`embed`]: the [`Embedder`](embed::Embedder) trait, the built-in models, dense and sparse models in folders.
//! - [`rerank`]: the [`Reranker`](rerank::Reranker) trait, and scoring within a time budget.
//! - [`filter`]: the filter language, its parser and its reference meaning.
//! - [`query`]: the language of text queries, its parser and its printed form.
//! - [`store`]: the [`Store`](store::Store) trait with its capabilities, the embedded store (SQLite as the truth, a
//!   tantivy index and memory-mapped vectors derived from it), and [`Restricted`](store::Restricted), any store behind a
//!   base filter.
//! - [`ingest`](mod@ingest): refresh policies and the pipeline on all cores.
//! - [`search`](mod@search): one request type, fusion, neighbours, zooming.
//! - [`eval`]: questions with known answers, measures, comparisons, thresholds.
//! - [`render`]: wire JSON with its schemas, and text for people.
//! - [`tools`]: the tools that models call, their definitions and answers within a budget, and the trace of calls.
//! - [`mcp`]: those tools over the Model Context Protocol; the only asynchronous code.
//! - [`cli`]: arguments, commands, exit codes.
//!
//! # Invariants
//!
//! - The bytes of a Markdown, text or code chunk's place in its source are its urtext. Chunk spans minus overlaps tile
//!   the document's text.
//! - The same input gives the same ids, chunks, vectors and search output on any machine, with any number of threads.
//! - A writer prepares the next generation beside the visible one and makes it visible in one durable transaction. A
//!   reader sees one whole generation. Whatever kills a writer, the index opens, answers and passes `ragctl verify`.
//! - SQLite holds everything; text index and vectors can be rebuilt from it (`ragctl reindex`).
//! - Nothing touches the network but what the user named: the address of a page or a model, or one to listen on.
//! - No input makes the program panic, hang or take memory without bound: parsers that cannot promise it run in worker
//!   processes with limits, and a failing file is reported while the run goes on.
//!
//! # Choices, and what they were measured against
//!
//! - *Vectors are searched exactly*: an int8 scan with rescoring in f32 costs 0.5 ms at 10,000 and 6.4 ms at 100,000 chunks
//!   of 384 dimensions on one thread, opens at once, and filters make it faster. A graph index takes longer to load
//!   than the scan takes to answer.
//! - *Sparse vectors are an inverted index, searched exactly*: a query has some dozens of tokens, so that adding up their postings
//!   reads a small part of the file: 4.4 ms of one core for 30 tokens over 100,000 chunks of 150 weights (90 MB). A weight takes
//!   two bytes and is within 1/2048 of what the model gave. Products have no upper bound; a score of `d / (d + q)` keeps their
//!   order, is at most 1 and the same however an index grew, where a cosine would order otherwise. Through the layers and the head
//!   of a DistilBERT model 250 tokens take 0.70 s of one core, 0.25 s of them the head. The weight in fusion is that of dense
//!   models in folders and is not measured: no trained sparse model was at hand.
//! - *Own query parser over tantivy*: tantivy's parser misreads several forms of Lucene's syntax and can loop for ever.
//! - *SQLite as the truth*: it answers while another process writes; redb and fjall refuse a second process.
//! - *BERT by own code, in integers*: 8-bit weights times 13-bit activations add up exactly, so that vectors are bit-identical on
//!   every machine and in any batch; nothing is unpacked at start, and a query of eight tokens costs 5 ms. In one run on a busy machine
//!   MiniLM embedded 7.1 passages of 252 tokens a CPU-second, ONNX Runtime 6.6 in f32 and 8.9 in dynamic int8, whose vectors depend on
//!   the batch. candle is 2.4 times slower than ONNX Runtime in f32 and adds 136 crates and nine CPU-minutes to a build.
//! - *Convex fusion with the model's own weight, scores scaled from zero, every candidate with both scores*: SciFact nDCG@10 is
//!   0.694 for text and 0.698 for hybrid. Scaled from each list's worst score hybrid is below text (0.688), and where a
//!   chunk behind the end of one list counts 0 there, the order depends on how long the lists are (0.696 with 100, 0.688
//!   with 200). Equal-weight reciprocal ranks are ruined by one weak list (0.596, measured with another BM25).
//! - *One fixed order of stages behind the lists*: rerank, near-duplicates, diversity, limits, merging. Reranking sees the whole
//!   pool; merging comes last, so that only what would be returned counts as a hit. Whatever a stage leaves out makes
//!   room for further candidates, which are asked for until there are enough or none are left.
//! - *Measures are trec_eval's*: order by score in single precision, equal scores by descending id. They agree with
//!   pytrec_eval exactly on four sets (`tools/eval-testdata.py`).
//! - *Thresholds are chosen from questions, never guessed*: they are kept with what they belong to and refused with anything else. No
//!   fused score is held against one; a hybrid search looks at the best cosine or BM25, whichever tells better.

mod bert;
pub mod chunk;
pub mod cli;
pub mod content;
pub mod embed;
pub mod eval;
pub mod filter;
#[cfg(feature = "http")]
mod http;
pub mod hub;
pub mod ingest;
mod local;
pub mod mcp;
pub mod query;
pub mod read;
pub mod render;
pub mod rerank;
pub mod search;
pub mod source;
pub mod store;
pub mod tools;
pub mod transform;
