"""Sequence kernels against kernlab, their definitions and what every kernel must do."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from tests.outside._reference import array, load

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.kernels import sequence

SETS = ["words", "dna"]


def stored(name):
    entry = load("kernlab/string_kernels.json")["results"][name]
    return entry["strings"], entry["gram"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_spectrum_of_the_textbook(name, k):
    X, gram = stored(name)
    np.testing.assert_array_equal(
        sequence.Spectrum(k=k).pairwise(X), array(gram[f"TEXTBOOK_spectrum{k}"])
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_subsequences_of_kernlab(name, length):
    X, gram = stored(name)
    kernel = sequence.Subsequence(length=length, decay=0.5)
    expected = array(gram[f"sequence{length}_lambda0.5"])
    np.testing.assert_allclose(kernel.pairwise(X), expected, rtol=1e-10)
    expected = array(gram[f"sequence{length}_lambda0.5_norm"])
    np.testing.assert_allclose(kernel.normalized().pairwise(X), expected, rtol=1e-10, atol=1e-15)


def words(seed, alphabet, number=6, longest=11):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(alphabet), rng.integers(0, longest))) for _ in range(number)]


def near(x, k, m, alphabet):
    """How many runs of x lie within m places of each run of k letters."""
    runs = [x[i : i + k] for i in range(len(x) - k + 1)]
    letters = product(alphabet, repeat=k)
    return [sum(sum(a != b for a, b in zip(r, u, strict=True)) <= m for r in runs) for u in letters]


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ["a", "ab", "abc", "abcd"])
@pytest.mark.parametrize(("k", "m"), [(k, m) for k in (1, 2, 3, 4) for m in range(k)])
def test_mismatches_by_enumeration(alphabet, k, m):
    X = words(k, alphabet)
    F = np.array([near(x, k, m, alphabet) for x in X], dtype=float)
    kernel = sequence.Mismatch(k=k, mismatches=m, alphabet=alphabet)
    np.testing.assert_array_equal(kernel.pairwise(X), F @ F.T)
    np.testing.assert_array_equal(kernel.pairwise(X[:2], X[2:]), F[:2] @ F[2:].T)


def test_the_alphabet_is_that_of_the_training_sequences():
    X = ["abca", "bccab"]
    own, given = sequence.Mismatch(k=2), sequence.Mismatch(k=2, alphabet="abc")
    np.testing.assert_array_equal(own.pairwise(X), given.pairwise(X))
    np.testing.assert_array_equal(own.pairwise(X, ["aa"]), given.pairwise(X, ["aa"]))
    with pytest.raises(InputError, match="alphabet"):
        own.pairwise(X, ["axa"])


def spelled(x, p, decay):
    """The weight of every subsequence of p tokens."""
    found = Counter()
    for at in combinations(range(len(x)), p):
        found[tuple(x[i] for i in at)] += decay ** (at[-1] - at[0] + 1)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("worth", [-1, 1 << 60], ids=["compiled", "scipy"])
@pytest.mark.parametrize("p", [1, 2, 3, 5])
@pytest.mark.parametrize("decay", [0.3, 1.0])
def test_subsequences_by_enumeration(monkeypatch, worth, p, decay):
    monkeypatch.setattr(sequence, "WORTH_COMPILING", worth)
    X, Y = words(p, "abc"), words(p + 50, "abc", 3)
    found = [spelled(x, p, decay) for x in X + Y]
    expected = np.array([[sum(a[u] * b[u] for u in a) for b in found] for a in found], dtype=float)
    kernel = sequence.Subsequence(length=p, decay=decay)
    np.testing.assert_allclose(kernel.pairwise(X), expected[:6, :6], rtol=1e-12)
    np.testing.assert_allclose(kernel.pairwise(X, Y), expected[:6, 6:], rtol=1e-12)
    np.testing.assert_allclose(kernel.diag(Y), np.diag(expected)[6:], rtol=1e-12)


def test_compiled_and_not_give_the_same_numbers(monkeypatch):
    X = words(1, "acgt", 12, 60)
    monkeypatch.setattr(sequence, "WORTH_COMPILING", -1)
    fast = sequence.Subsequence(length=4, decay=0.7).pairwise(X)
    monkeypatch.setattr(sequence, "WORTH_COMPILING", 1 << 60)
    np.testing.assert_allclose(
        fast, sequence.Subsequence(length=4, decay=0.7).pairwise(X), rtol=1e-13
    )


KERNELS = [
    sequence.Spectrum(k=2),
    sequence.Spectrum(k=1).normalized(),
    sequence.Mismatch(k=3, mismatches=1, alphabet="abc"),
    sequence.Subsequence(length=2, decay=0.6),
    0.5 * sequence.Spectrum(k=1) + sequence.Subsequence(length=3) * sequence.Spectrum(k=2),
]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_axioms_on_200_collections(kernel):
    for seed in range(200):
        X = words(seed, "abc", 5)
        K = kernel.pairwise(X)
        scale = np.abs(K).max() or 1.0
        assert (K == K.T).all()
        assert np.linalg.eigvalsh(K)[0] >= -1e-12 * scale
        new = kernel.pairwise(X[:2], X[2:])
        assert np.abs(new - K[:2, 2:]).max() <= 1e-12 * scale


@pytest.mark.parametrize("kernel", [k for k in KERNELS if "alphabet" not in repr(k)], ids=repr)
def test_strings_are_lists_of_letters(kernel):
    X = ["abcab", "ba", "", "cabc"]
    K = kernel.pairwise(X)
    np.testing.assert_allclose(kernel.pairwise([list(x) for x in X]), K, rtol=1e-15)
    mixed = [X[0], tuple(X[1]), X[2], np.array(list(X[3]))]
    np.testing.assert_allclose(kernel.pairwise(mixed), K, rtol=1e-15)
    numbers = [[ord(c) for c in x] for x in X]
    np.testing.assert_allclose(kernel.pairwise(numbers), K, rtol=1e-15)


@pytest.mark.slow
def test_letters_outside_ascii_and_words_as_tokens():
    assert sequence.Spectrum(k=2).pairwise(["naïveté🧬é"], ["té🧬"])[0, 0] == 2.0
    texts = [["the", "cat", "sat"], ["the", "cat", "ran"]]
    np.testing.assert_array_equal(sequence.Spectrum(k=2).pairwise(texts), [[2, 1], [1, 2]])


@pytest.mark.slow
def test_kernel_pca_of_words():
    X = ["kernel", "kernels", "colonel", "principal", "principle", "component"]
    for kernel in (
        sequence.Spectrum(2),
        sequence.Subsequence(2).normalized(),
        sequence.Mismatch(3),
    ):
        fitted = gm.KernelPCA(n_components=2, kernel=kernel).fit(X)
        np.testing.assert_allclose(fitted.transform(X), fitted.coordinates_, atol=1e-12)
        K = fitted.kernel_.pairwise(X)
        expected = gm.KernelPCA(n_components=2, kernel="precomputed").fit(K).eigenvalues_
        np.testing.assert_allclose(fitted.eigenvalues_, expected, rtol=1e-12)
        assert fitted.transform(["corn"]).shape == (1, 2)


BAD = [
    ("abc", InputTypeError, "list of sequences"),
    (3, InputTypeError, "list of sequences"),
    ([], InputError, "0 sequences"),
    (["a", 3], InputTypeError, r"X\[1\]"),
    (["a", None], InputTypeError, r"X\[1\]"),
    ([["a"], ["b", None]], InputError, r"X\[1\]"),
    ([["a"], [["b"]]], InputError, r"X\[1\]"),
    ([np.zeros((2, 2))], InputTypeError, r"X\[0\]"),
]


@pytest.mark.parametrize(("X", "error", "message"), BAD)
def test_sequences_that_are_refused(X, error, message):
    with pytest.raises(error, match=message) as caught:
        sequence.Spectrum().pairwise(X)
    assert len(str(caught.value)) <= 400


PARAMETERS = [
    (sequence.Spectrum(k=0), "k=0"),
    (sequence.Spectrum(k=True), "k=True"),
    (sequence.Mismatch(k=2, mismatches=2), "mismatches=2"),
    (sequence.Mismatch(k=2, mismatches=3), "mismatches=3"),
    (sequence.Mismatch(k=2, mismatches=-1), "mismatches=-1"),
    (sequence.Mismatch(k=2, alphabet="ac"), "alphabet"),
    (sequence.Subsequence(length=0), "length=0"),
    (sequence.Subsequence(decay=0.0), "decay=0.0"),
    (sequence.Subsequence(decay=1.5), "decay=1.5"),
]


@pytest.mark.parametrize(("kernel", "message"), PARAMETERS, ids=[m for _, m in PARAMETERS])
def test_parameters_that_are_refused(kernel, message):
    with pytest.raises(InputError, match=message):
        kernel.pairwise(["ab", "ba"])
