//! Tests of folders, and the tiny models that other tests use.

use super::*;
use crate::bert::safetensors::tests::file;

/// `n` small numbers that follow no pattern.
fn noise(n: usize, seed: u32) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / (1 << 23) as f32 - 1.0) * 0.5
    };
    (0..n).map(|_| next()).collect()
}

/// What stands on top of a tiny model.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Top {
    Nothing,
    Classifier,
    Masked,
}

/// Writes a model of one layer, width 4, two heads and the words `a` to `e` into a folder.
pub(crate) fn write_tiny(folder: &Path, top: Top) {
    let (width, inner, n_tokens) = (4, 8, 10);
    let layer = "encoder.layer.0.";
    let mut arrays: Vec<(String, Vec<usize>)> = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![n_tokens, width]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![8, width]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, width]),
    ];
    let mut dense = |name: String, rows: usize, columns: usize| {
        arrays.push((format!("{name}.weight"), vec![rows, columns]));
        arrays.push((format!("{name}.bias"), vec![rows]));
    };
    for part in ["query", "key", "value"] {
        dense(format!("{layer}attention.self.{part}"), width, width);
    }
    dense(format!("{layer}attention.output.dense"), width, width);
    dense(format!("{layer}intermediate.dense"), inner, width);
    dense(format!("{layer}output.dense"), width, inner);
    let mut norms = vec![
        "embeddings.LayerNorm".to_owned(),
        format!("{layer}attention.output.LayerNorm"),
        format!("{layer}output.LayerNorm"),
    ];
    match top {
        Top::Nothing => {}
        Top::Classifier => {
            dense("pooler.dense".to_owned(), width, width);
            dense("classifier".to_owned(), 1, width);
        }
        Top::Masked => {
            dense("cls.predictions.transform.dense".to_owned(), width, width);
            norms.push("cls.predictions.transform.LayerNorm".to_owned());
            arrays.push(("cls.predictions.bias".to_owned(), vec![n_tokens]));
        }
    }
    for name in norms {
        arrays.push((format!("{name}.weight"), vec![width]));
        arrays.push((format!("{name}.bias"), vec![width]));
    }
    let values: Vec<Vec<f32>> =
        arrays.iter().zip(1..).map(|((_, shape), seed)| noise(shape.iter().product(), seed)).collect();
    let arrays: Vec<(&str, &[usize], &[f32])> = arrays
        .iter()
        .zip(&values)
        .map(|((name, shape), values)| (name.as_str(), &shape[..], &values[..]))
        .collect();
    std::fs::write(folder.join("model.safetensors"), file(&arrays)).unwrap();
    std::fs::write(folder.join("vocab.txt"), "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\nc\nd\ne\n##b\n").unwrap();
    let config = serde_json::json!({
        "model_type": "bert", "hidden_size": width, "intermediate_size": inner, "num_hidden_layers": 1,
        "num_attention_heads": 2, "max_position_embeddings": 8, "vocab_size": n_tokens, "hidden_act": "gelu",
    });
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
}

#[test]
fn a_folder_is_tokenized_and_encoded() {
    let folder = tempfile::tempdir().unwrap();
    write_tiny(folder.path(), Top::Nothing);
    let model = BertFolder::open(folder.path(), Output::States).unwrap();
    assert_eq!(model.ids("A b, ab x"), [4, 5, 1, 4, 9, 1]);
    assert_eq!((model.max_tokens, model.encoder.width()), (8, 4));
    assert_eq!(model.encode(&[4, 5]).len(), 4 * 4);
    // What is longer than the model reads is cut.
    assert_eq!(model.encode(&[4; 100]).len(), 8 * 4);
    assert!(model.judge(&[4], &[5]).is_none());
}

#[test]
fn a_cross_encoder_judges_pairs() {
    let folder = tempfile::tempdir().unwrap();
    write_tiny(folder.path(), Top::Classifier);
    let model = BertFolder::open(folder.path(), Output::States).unwrap();
    let score = model.judge(&[4], &[5]).unwrap();
    assert_ne!(score, model.judge(&[5], &[4]).unwrap());
    assert!(model.judge(&[4; 50], &[5; 50]).unwrap().is_finite());
}

#[test]
fn logits_are_given_for_each_token_of_a_text_and_of_the_vocabulary() {
    let folder = tempfile::tempdir().unwrap();
    write_tiny(folder.path(), Top::Masked);
    let model = BertFolder::open(folder.path(), Output::Logits).unwrap();
    let logits = |ids: &[u32]| {
        let mut rows = Vec::new();
        model.logits(ids, &mut |row| rows.push(row.to_vec()));
        rows
    };
    let rows = logits(&[4, 5]);
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [10; 4]);
    assert_ne!(rows[1], rows[2]);
    assert_eq!(logits(&[4; 100]).len(), 8);
    let states = BertFolder::open(folder.path(), Output::States).unwrap();
    states.logits(&[4], &mut |_| panic!("it was not opened for logits"));
    write_tiny(folder.path(), Top::Nothing);
    let error = BertFolder::open(folder.path(), Output::Logits).unwrap_err().to_string();
    assert!(error.contains("model.safetensors") && error.contains("ForMaskedLM"), "{error}");
}

#[test]
fn what_cannot_be_run_is_told() {
    let check = |name: &str, content: &str, expected: &str| {
        let folder = tempfile::tempdir().unwrap();
        write_tiny(folder.path(), Top::Nothing);
        std::fs::write(folder.path().join(name), content).unwrap();
        let error = BertFolder::open(folder.path(), Output::States).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(
        "config.json",
        "{\"model_type\": \"xlm-roberta\"}",
        "its architecture is xlm-roberta, neither bert nor distilbert",
    );
    check("config.json", "{", "cannot read");
    check("config.json", "{\"model_type\": \"bert\"}", "a size is missing");
    check("model.safetensors", "", "it is shorter than a header");
    check("vocab.txt", "a\nb\n", "not that of a BERT model");
    check("tokenizer.json", "{\"model\": {\"type\": \"BPE\"}}", "its tokenizer is not WordPiece");
    check("tokenizer_config.json", "{\"do_lower_case\": false}", "upper from lower case");
}
