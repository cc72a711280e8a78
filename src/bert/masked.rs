//! The head of a masked language model: from the last layer's outputs to a logit for each token of the vocabulary.

use serde_json::Value;

use crate::bert::Damaged;
use crate::bert::encoder::{Encoder, Norm};
use crate::bert::math;
use crate::bert::matrix::{Matrix, Scratch};

/// Outputs multiplied by the table of tokens at a time, as many as [`Matrix`] takes with one pass over its weights: 64 rows of 30,522
/// logits are 8 MB.
const BLOCK: usize = 64;

/// A dense layer with its activation and normalisation, and the table of tokens with a bias each.
#[derive(Debug)]
pub(super) struct MaskedHead {
    pub(super) transform: Matrix,
    pub(super) norm: Norm,
    pub(super) decoder: Matrix,
}

impl MaskedHead {
    /// Hands the logits of each row of `states` to `each`, in order: as many values as the vocabulary has tokens.
    pub(super) fn logits(&self, encoder: &Encoder, states: &[f32], each: &mut dyn FnMut(&[f32])) {
        let (cpu, width) = (encoder.cpu, encoder.width());
        let (mut scratch, mut hidden, mut logits) = (Scratch::default(), Vec::new(), Vec::new());
        let nothing = vec![0.0; BLOCK * width];
        for states in states.chunks(BLOCK * width) {
            self.transform.apply(cpu, states, &mut scratch, &mut hidden);
            cpu.run(
                #[inline(always)]
                || {
                    math::gelu(&mut hidden);
                    math::add_and_normalise(
                        &mut hidden,
                        &nothing,
                        &self.norm.weight,
                        &self.norm.bias,
                        encoder.epsilon,
                    );
                },
            );
            self.decoder.apply(cpu, &hidden, &mut scratch, &mut logits);
            logits.chunks_exact(self.decoder.n_rows()).for_each(&mut *each);
        }
    }
}

/// Architectures whose layers are those of BERT, under names of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// BERT (Devlin et al. 2018).
    Bert,
    /// DistilBERT (Sanh et al. 2019): BERT without types of tokens.
    DistilBert,
}

/// What DistilBERT calls the parts of BERT; the first that matches counts.
const DISTIL_PARTS: &[(&str, &str)] = &[
    ("attention.self.query", "attention.q_lin"),
    ("attention.self.key", "attention.k_lin"),
    ("attention.self.value", "attention.v_lin"),
    ("attention.output.dense", "attention.out_lin"),
    ("attention.output.LayerNorm", "sa_layer_norm"),
    ("intermediate.dense", "ffn.lin1"),
    ("output.dense", "ffn.lin2"),
    ("output.LayerNorm", "output_layer_norm"),
    ("cls.predictions.transform.dense", "vocab_transform"),
    ("cls.predictions.transform.LayerNorm", "vocab_layer_norm"),
    ("cls.predictions.decoder", "vocab_projector"),
    ("cls.predictions.bias", "vocab_projector.bias"),
];

impl Family {
    /// The one with this `model_type`.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        match name {
            "bert" => Some(Self::Bert),
            "distilbert" => Some(Self::DistilBert),
            _ => None,
        }
    }

    /// The value of BERT's setting `key`.
    pub(super) fn setting<'a>(self, config: &'a Value, key: &str) -> &'a Value {
        let key = match (self, key) {
            (Self::DistilBert, "hidden_size") => "dim",
            (Self::DistilBert, "intermediate_size") => "hidden_dim",
            (Self::DistilBert, "num_hidden_layers") => "n_layers",
            (Self::DistilBert, "num_attention_heads") => "n_heads",
            (Self::DistilBert, "hidden_act") => "activation",
            (_, key) => key,
        };
        &config[key]
    }

    /// A size, which must be there.
    pub(super) fn size(self, config: &Value, key: &str) -> Result<usize, Damaged> {
        let value = self.setting(config, key).as_u64().and_then(|it| usize::try_from(it).ok());
        value.filter(|it| *it > 0).ok_or(Damaged("a size is missing in config.json"))
    }

    /// The family's name of the array that BERT calls `name`.
    pub(super) fn array(self, name: &str) -> String {
        if self == Self::Bert {
            return name.to_owned();
        }
        let name = name.replace("encoder.layer.", "transformer.layer.");
        let part = DISTIL_PARTS.iter().find(|(part, _)| name.contains(part));
        part.map_or_else(|| name.clone(), |(part, other)| name.replace(part, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distilbert_has_other_names_for_the_same_arrays() {
        let check = |name: &str, expected: &str| assert_eq!(Family::DistilBert.array(name), expected);
        check("embeddings.word_embeddings.weight", "embeddings.word_embeddings.weight");
        check("encoder.layer.3.attention.self.key.bias", "transformer.layer.3.attention.k_lin.bias");
        check(
            "encoder.layer.0.attention.output.dense.weight",
            "transformer.layer.0.attention.out_lin.weight",
        );
        check("encoder.layer.0.attention.output.LayerNorm.bias", "transformer.layer.0.sa_layer_norm.bias");
        check("encoder.layer.0.output.dense.weight", "transformer.layer.0.ffn.lin2.weight");
        check("encoder.layer.0.output.LayerNorm.weight", "transformer.layer.0.output_layer_norm.weight");
        check("cls.predictions.bias", "vocab_projector.bias");
        check("cls.predictions.decoder.weight", "vocab_projector.weight");
        assert_eq!(Family::Bert.array("encoder.layer.0.output.dense"), "encoder.layer.0.output.dense");
    }
}
