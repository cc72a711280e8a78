//! What the files of a model's folder say about the way from a text to its vector, beside the weights: the modules of
//! sentence-transformers (`modules.json`, `router_config.json` and the configuration of each), else the architecture.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::bert::folder::{FolderError, json};

/// How a text's vector comes from its tokens'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    /// That of the first token.
    First,
    /// Their mean.
    Mean,
}

/// How a text's weights come from the logits of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SpladePooling {
    /// Over the tokens.
    pub(super) strategy: Strategy,
    /// How often `log(1 + x)` is taken of what is above zero.
    pub(super) n_logs: usize,
}

/// What is made of all tokens' weights for one token of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    /// The largest (SPLADE v2, Formal et al. 2021).
    Max,
    /// Their sum (SPLADE, Formal et al. 2021).
    Sum,
}

/// How queries are embedded where they do not go through the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QueryWeights {
    /// By the array `weight` of a safetensors file, one weight a token.
    Array(PathBuf),
    /// By a JSON object with the weights of tokens.
    Json(PathBuf),
}

/// What the folder holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// A transformer whose outputs are pooled to one dense vector.
    Dense(Pooling),
    /// A vector for each token in this folder, averaged.
    Static(PathBuf),
    /// A masked language model whose logits are pooled to weights of tokens.
    Sparse {
        /// The folder of the transformer.
        transformer: PathBuf,
        /// How.
        pooling: SpladePooling,
        /// `None` where queries are embedded as passages are.
        query: Option<QueryWeights>,
    },
}

/// One module: the last part of its type, and its folder below the model's.
type Module = (String, PathBuf);

impl Layout {
    /// Reads it from the files in `folder`.
    ///
    /// # Errors
    ///
    /// When a file is damaged, or the modules are others than those that can be run.
    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        let modules = json(folder, "modules.json")?.unwrap_or_default();
        let modules: Vec<Module> = modules
            .as_array()
            .into_iter()
            .flatten()
            .map(|it| (last_part(&it["type"]), PathBuf::from(it["path"].as_str().unwrap_or_default())))
            .collect();
        let names: Vec<&str> = modules.iter().map(|(kind, _)| kind.as_str()).collect();
        match names.as_slice() {
            [] => Self::without_modules(folder),
            ["Router" | "Asym"] => routed(folder),
            ["StaticEmbedding"] | ["StaticEmbedding", "Normalize"] => {
                Ok(Self::Static(folder.join(&modules[0].1)))
            }
            ["MLMTransformer" | "Transformer", "SpladePooling"] => {
                let pooling = SpladePooling::read(folder, &modules[1].1)?;
                Ok(Self::Sparse { transformer: folder.join(&modules[0].1), pooling, query: None })
            }
            [..] => {
                let is_known = |kind: &str| ["Transformer", "Pooling", "Normalize"].contains(&kind);
                if let Some(other) = names.iter().find(|kind| !is_known(kind)) {
                    let detail = format!("it has a layer '{other}' behind the transformer");
                    return Err(unsupported(folder, detail));
                }
                let pooling = modules.iter().find(|(kind, _)| kind == "Pooling");
                let place = pooling.map_or_else(|| PathBuf::from("1_Pooling"), |(_, path)| path.clone());
                dense_pooling(folder, &place).map(Self::Dense)
            }
        }
    }

    /// A folder as transformers writes it: masked language models are there for sparse vectors, pooled as SPLADE's authors do;
    /// weights of tokens beside one (`idf.json`) are for queries.
    fn without_modules(folder: &Path) -> Result<Self, FolderError> {
        let pooling_of_dense = PathBuf::from("1_Pooling");
        let config = json(folder, "config.json")?.unwrap_or_default();
        if config["model_type"] == "model2vec" {
            return Ok(Self::Static(folder.to_owned()));
        }
        let mut names = config["architectures"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let is_masked = names.any(|it| it.ends_with("ForMaskedLM"));
        if !is_masked || folder.join(&pooling_of_dense).exists() {
            return dense_pooling(folder, &pooling_of_dense).map(Self::Dense);
        }
        let idf = folder.join("idf.json");
        Ok(Self::Sparse {
            transformer: folder.to_owned(),
            pooling: SpladePooling { strategy: Strategy::Max, n_logs: 1 },
            query: idf.is_file().then_some(QueryWeights::Json(idf)),
        })
    }
}

/// One way for documents, another for queries.
fn routed(folder: &Path) -> Result<Layout, FolderError> {
    let config = json(folder, "router_config.json")?.ok_or_else(|| FolderError::File {
        path: folder.join("router_config.json"),
        detail: "there is none, and modules.json names a router".to_owned(),
    })?;
    let route = |name: &str| -> Vec<Module> {
        let modules = config["structure"][name].as_array().into_iter().flatten().filter_map(Value::as_str);
        modules.map(|id| (last_part(&config["types"][id]), PathBuf::from(id))).collect()
    };
    let (document, query) = (route("document"), route("query"));
    let names = |route: &[Module]| route.iter().map(|(kind, _)| kind.clone()).collect::<Vec<_>>().join(" > ");
    let (transformer, pooling) = match document.as_slice() {
        [(kind, transformer), (pooling, place)]
            if ["MLMTransformer", "Transformer"].contains(&kind.as_str()) && pooling == "SpladePooling" =>
        {
            (folder.join(transformer), SpladePooling::read(folder, place)?)
        }
        _ => {
            let detail = format!(
                "its router_config.json leads documents through '{}', not 'MLMTransformer > SpladePooling'",
                names(&document)
            );
            return Err(unsupported(folder, detail));
        }
    };
    let query = match query.as_slice() {
        [(kind, place)] if ["SparseStaticEmbedding", "IDF"].contains(&kind.as_str()) => {
            let config = json(folder, &place.join("config.json").to_string_lossy())?.unwrap_or_default();
            let file = config["path"].as_str().filter(|it| it.ends_with(".json"));
            Some(match file {
                // The name of a file on the machine where the model was made, which lies beside the model here.
                Some(file) => QueryWeights::Json(
                    [folder.join(place).join(file), folder.join(file), folder.join("idf.json")]
                        .into_iter()
                        .find(|it| it.is_file())
                        .unwrap_or_else(|| folder.join(file)),
                ),
                None => QueryWeights::Array(folder.join(place).join("model.safetensors")),
            })
        }
        same if same == document => None,
        other => {
            let detail = format!(
                "its router_config.json leads queries through '{}', neither the documents' way nor 'SparseStaticEmbedding'",
                names(other)
            );
            return Err(unsupported(folder, detail));
        }
    };
    Ok(Layout::Sparse { transformer, pooling, query })
}

impl SpladePooling {
    fn read(folder: &Path, place: &Path) -> Result<Self, FolderError> {
        let name = place.join("config.json");
        let config = json(folder, &name.to_string_lossy())?.unwrap_or_default();
        let unknown = |key: &str, value: &str| {
            let detail = format!("{} says {key} '{value}', which is unknown", name.display());
            unsupported(folder, detail)
        };
        // Both keys have been there since the module is; what stands here is its own default.
        let strategy = match config["pooling_strategy"].as_str() {
            Some("max") | None => Strategy::Max,
            Some("sum") => Strategy::Sum,
            Some(other) => return Err(unknown("pooling_strategy", other)),
        };
        let n_logs = match config["activation_function"].as_str() {
            Some("relu") | None => 1,
            Some("log1p_relu") => 2,
            Some(other) => return Err(unknown("activation_function", other)),
        };
        Ok(Self { strategy, n_logs })
    }
}

/// What sentence-transformers says of dense pooling; the mean where it says nothing.
fn dense_pooling(folder: &Path, place: &Path) -> Result<Pooling, FolderError> {
    let config = json(folder, &place.join("config.json").to_string_lossy())?.unwrap_or_default();
    let is_set = |key: &str| config[key].as_bool() == Some(true);
    match (is_set("pooling_mode_cls_token"), is_set("pooling_mode_mean_tokens")) {
        (true, false) => Ok(Pooling::First),
        (false, true) => Ok(Pooling::Mean),
        _ if config.is_null() => Ok(Pooling::Mean),
        _ => Err(unsupported(folder, "its pooling is neither the first token nor the mean".to_owned())),
    }
}

fn last_part(kind: &Value) -> String {
    kind.as_str().unwrap_or_default().rsplit('.').next().unwrap_or_default().to_owned()
}

fn unsupported(folder: &Path, detail: String) -> FolderError {
    FolderError::Unsupported { path: folder.to_owned(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the layout of a folder with these files.
    fn read(files: &[(&str, &str)]) -> Result<Layout, String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let strip = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_owned();
        let layout = Layout::read(folder.path()).map_err(|error| error.to_string())?;
        Ok(match layout {
            Layout::Sparse { transformer, pooling, query } => Layout::Sparse {
                transformer: strip(transformer),
                pooling,
                query: query.map(|it| match it {
                    QueryWeights::Array(path) => QueryWeights::Array(strip(path)),
                    QueryWeights::Json(path) => QueryWeights::Json(strip(path)),
                }),
            },
            Layout::Static(path) => Layout::Static(strip(path)),
            dense => dense,
        })
    }

    fn sparse(transformer: &str, strategy: Strategy, n_logs: usize, query: Option<QueryWeights>) -> Layout {
        Layout::Sparse { transformer: transformer.into(), pooling: SpladePooling { strategy, n_logs }, query }
    }

    const MASKED: (&str, &str) = ("config.json", "{\"architectures\": [\"BertForMaskedLM\"]}");
    const SPLADE: (&str, &str) = (
        "modules.json",
        "[{\"path\": \"\", \"type\": \"sentence_transformers.sparse_encoder.models.MLMTransformer\"},
          {\"path\": \"1_SpladePooling\", \"type\": \"sentence_transformers.sparse_encoder.models.SpladePooling\"}]",
    );
    const ROUTER: (&str, &str) =
        ("modules.json", "[{\"path\": \"\", \"type\": \"sentence_transformers.models.Router\"}]");
    const ROUTES: (&str, &str) = (
        "router_config.json",
        "{\"types\": {\"query_0_IDF\": \"a.SparseStaticEmbedding\", \"\": \"a.MLMTransformer\", \"d\": \"a.SpladePooling\"},
          \"structure\": {\"query\": [\"query_0_IDF\"], \"document\": [\"\", \"d\"]}}",
    );

    #[test]
    fn folders_say_what_they_hold() {
        let check = |files: &[(&str, &str)], expected: Layout| assert_eq!(read(files).unwrap(), expected);
        check(&[], Layout::Dense(Pooling::Mean));
        check(&[("config.json", "{\"architectures\": [\"BertModel\"]}")], Layout::Dense(Pooling::Mean));
        let tokens = |path: &str| Layout::Static(path.into());
        check(&[("config.json", "{\"model_type\": \"model2vec\"}")], tokens(""));
        check(
            &[("modules.json", "[{\"type\": \"a.StaticEmbedding\"}, {\"type\": \"a.Normalize\"}]")],
            tokens(""),
        );
        let nested = "[{\"path\": \"0_StaticEmbedding\", \"type\": \"a.StaticEmbedding\"}]";
        check(&[("modules.json", nested)], tokens("0_StaticEmbedding"));
        check(&[MASKED], sparse("", Strategy::Max, 1, None));
        check(
            &[MASKED, ("1_Pooling/config.json", "{\"pooling_mode_cls_token\": true}")],
            Layout::Dense(Pooling::First),
        );
        check(
            &[MASKED, ("idf.json", "{}")],
            sparse("", Strategy::Max, 1, Some(QueryWeights::Json("idf.json".into()))),
        );
        check(&[SPLADE], sparse("", Strategy::Max, 1, None));
        let config = "{\"pooling_strategy\": \"sum\", \"activation_function\": \"log1p_relu\"}";
        check(&[SPLADE, ("1_SpladePooling/config.json", config)], sparse("", Strategy::Sum, 2, None));
        let array = QueryWeights::Array("query_0_IDF/model.safetensors".into());
        check(&[ROUTER, ROUTES], sparse("", Strategy::Max, 1, Some(array)));
        let named = ("query_0_IDF/config.json", "{\"path\": \"somewhere/idf.json\"}");
        let json = QueryWeights::Json("idf.json".into());
        check(&[ROUTER, ROUTES, named, ("idf.json", "{}")], sparse("", Strategy::Max, 1, Some(json)));
    }

    #[test]
    fn what_would_give_wrong_vectors_is_refused() {
        let check = |files: &[(&str, &str)], expected: &str| {
            let error = read(files).unwrap_err();
            assert!(error.contains(expected), "{error}");
        };
        check(
            &[("1_Pooling/config.json", "{\"pooling_mode_max_tokens\": true}")],
            "neither the first token nor the mean",
        );
        check(&[("modules.json", "[{\"type\": \"sentence_transformers.models.Dense\"}]")], "a layer 'Dense'");
        let unknown = |config| ("1_SpladePooling/config.json", config);
        check(
            &[SPLADE, unknown("{\"pooling_strategy\": \"mean\"}")],
            "1_SpladePooling/config.json says pooling_strategy 'mean'",
        );
        check(&[SPLADE, unknown("{\"activation_function\": \"gelu\"}")], "activation_function 'gelu'");
        check(&[SPLADE, unknown("{")], "cannot read");
        check(&[ROUTER], "router_config.json");
        check(&[ROUTER, ("router_config.json", "{}")], "leads documents through ''");
        let routes = ROUTES.1.replace("a.SparseStaticEmbedding", "a.Dense");
        check(&[ROUTER, ("router_config.json", &routes)], "leads queries through 'Dense'");
    }
}
