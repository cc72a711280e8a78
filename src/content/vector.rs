//! Vectors of texts, in the two forms that models give them.
//!
//! A dense vector has a component for each dimension. A sparse one has a weight for each token of a vocabulary and names only
//! those that are not zero, some 20 to 300 of 30,000.

/// The form of a model's vectors.
///
/// # Stability: [`name`](Self::name) is stored in format 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VectorKind {
    /// One component a dimension.
    #[default]
    Dense,
    /// Weights of some tokens.
    Sparse,
}

impl VectorKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Dense, Self::Sparse];

    /// The name used in files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The weight of a token, by the token's id.
pub type TokenWeight = (u32, f32);

/// The vector of one text.
#[derive(Clone, Debug, PartialEq)]
pub enum Vector {
    /// Components, L2-normalised, or all zero.
    Dense(Vec<f32>),
    /// Weights above zero, by ascending ids.
    Sparse(Vec<TokenWeight>),
}

/// A borrowed [`Vector`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VectorRef<'a> {
    /// See [`Vector::Dense`].
    Dense(&'a [f32]),
    /// See [`Vector::Sparse`].
    Sparse(&'a [TokenWeight]),
}

impl Vector {
    /// Borrows it.
    pub fn as_ref(&self) -> VectorRef<'_> {
        match self {
            Self::Dense(values) => VectorRef::Dense(values),
            Self::Sparse(weights) => VectorRef::Sparse(weights),
        }
    }

    /// The vector at length 1, or zero; dense ones are so already.
    #[must_use]
    pub fn into_unit(self) -> Self {
        match self {
            Self::Sparse(mut weights) => {
                let length = self_dot(&weights).sqrt();
                weights.iter_mut().for_each(|(_, weight)| *weight = (f64::from(*weight) / length) as f32);
                Self::Sparse(weights)
            }
            dense => dense,
        }
    }
}

impl VectorRef<'_> {
    /// Its kind.
    pub fn kind(self) -> VectorKind {
        match self {
            Self::Dense(_) => VectorKind::Dense,
            Self::Sparse(_) => VectorKind::Sparse,
        }
    }

    /// Whether it says nothing: the text has no token that the model knows.
    pub fn is_zero(self) -> bool {
        match self {
            Self::Dense(values) => values.iter().all(|&it| it == 0.0),
            Self::Sparse(weights) => weights.is_empty(),
        }
    }

    /// The dot product, in the order of components or ids; 0 for vectors of two kinds, which say nothing about each other.
    pub fn dot(self, other: VectorRef<'_>) -> f32 {
        match (self, other) {
            (Self::Dense(a), VectorRef::Dense(b)) => a.iter().zip(b).map(|(a, b)| a * b).sum(),
            (Self::Sparse(a), VectorRef::Sparse(b)) => sparse_dot(a, b),
            _ => 0.0,
        }
    }
}

fn sparse_dot(a: &[TokenWeight], b: &[TokenWeight]) -> f32 {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut sum = 0.0;
    while let (Some(&&(left, x)), Some(&&(right, y))) = (a.peek(), b.peek()) {
        if left == right {
            sum += x * y;
        }
        if left <= right {
            a.next();
        }
        if right <= left {
            b.next();
        }
    }
    sum
}

fn self_dot(weights: &[TokenWeight]) -> f64 {
    weights.iter().map(|&(_, weight)| f64::from(weight) * f64::from(weight)).sum()
}

/// The vectors of some texts, in their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Vectors {
    /// Dense ones, one behind the other.
    Dense {
        /// Components a vector.
        dimension: usize,
        /// `n x dimension` values, row-major.
        values: Vec<f32>,
    },
    /// Sparse ones.
    Sparse(Vec<Vec<TokenWeight>>),
}

impl Vectors {
    /// The components of dense vectors, one behind the other; nothing of sparse ones.
    pub fn values(&self) -> &[f32] {
        match self {
            Self::Dense { values, .. } => values,
            Self::Sparse(_) => &[],
        }
    }

    /// One vector a text.
    pub fn into_rows(self) -> Vec<Vector> {
        match self {
            Self::Dense { dimension, values } => {
                values.chunks_exact(dimension.max(1)).map(|it| Vector::Dense(it.to_vec())).collect()
            }
            Self::Sparse(rows) => rows.into_iter().map(Vector::Sparse).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_vectors_meet_where_their_tokens_do() {
        let check = |a: &[TokenWeight], b: &[TokenWeight], expected: f32| {
            assert_eq!(VectorRef::Sparse(a).dot(VectorRef::Sparse(b)), expected);
            assert_eq!(VectorRef::Sparse(b).dot(VectorRef::Sparse(a)), expected);
        };
        check(&[], &[(1, 2.0)], 0.0);
        check(&[(1, 2.0), (7, 3.0)], &[(1, 4.0), (5, 1.0), (7, 0.5)], 9.5);
        check(&[(1, 2.0)], &[(2, 2.0)], 0.0);
        assert_eq!(VectorRef::Sparse(&[(0, 1.0)]).dot(VectorRef::Dense(&[1.0])), 0.0);
    }

    #[test]
    fn units_have_length_1() {
        let unit = Vector::Sparse(vec![(3, 3.0), (9, 4.0)]).into_unit();
        assert_eq!(unit, Vector::Sparse(vec![(3, 0.6), (9, 0.8)]));
        assert_eq!(Vector::Sparse(vec![]).into_unit(), Vector::Sparse(vec![]));
    }

    #[test]
    fn batches_fall_apart_into_their_texts() {
        let dense = Vectors::Dense { dimension: 2, values: vec![1.0, 0.0, 0.0, 1.0] };
        assert_eq!(dense.into_rows(), [Vector::Dense(vec![1.0, 0.0]), Vector::Dense(vec![0.0, 1.0])]);
        let sparse = Vectors::Sparse(vec![vec![], vec![(1, 1.0)]]);
        assert_eq!(sparse.into_rows(), [Vector::Sparse(vec![]), Vector::Sparse(vec![(1, 1.0)])]);
        for kind in VectorKind::ALL {
            assert_eq!(VectorKind::from_name(kind.name()), Some(kind));
        }
    }
}
