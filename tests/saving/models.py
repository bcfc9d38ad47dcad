"""One fit of everything that can be saved."""

import numpy as np
import pandas as pd
from scipy import sparse

import gramian as gm
from gramian.kernels import graph, sequence

rng = np.random.default_rng(3)
X = rng.normal(size=(24, 4)) @ np.diag([3.0, 2.0, 1.0, 0.5]) + [5.0, -3.0, 0.0, 100.0]
NEW = rng.normal(size=(5, 4)) + np.array([5.0, -3.0, 0.0, 100.0])
FRAME = pd.DataFrame(X, columns=list("abcd"), index=[f"row {k}" for k in range(24)])
D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=-1))
NEW_D = np.sqrt(((NEW[:, None] - X[None]) ** 2).sum(axis=-1))
WEIGHT = np.where(np.arange(24) < 3, 0.0, 1.0 + np.arange(24))
COLOUR = pd.DataFrame({"colour": ["red", "blue", "green"] * 8}, index=FRAME.index)
COUNTS = np.random.default_rng(4).poisson(3.0, size=(24, 5)).astype(float)
ANSWERS = pd.DataFrame(
    {
        "colour": ["red", "blue", "green"] * 8,
        "taste": [True, False] * 12,
        "stars": [1, 2, 3, None] * 6,
        "word": ["a", None, "b", "a", "c", "c"] * 4,
    },
    index=FRAME.index,
).astype({"stars": "category"})

GRAPHS = [
    ([[0, 1, 0], [1, 0, 1], [0, 1, 0]], ["C", "O", "C"]),
    ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], ["C", "C", "O"]),
    ([[0, 1], [1, 0]], ["O", "O"]),
    ([[0, 2.5, 0, 0], [2.5, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]], ["C", "N", ("x", 1), 7]),
]
BLOCKS = {"one": X[:, :2], "two": X[:, 2:]}
WORDS = ["ACGTAC", "ACGACC", "GGTATT", "TTTACG", "CAT"]


KP, K = gm.KernelPCA, gm.kernels
nearly = K.Gaussian(scale=2.0)
# What makes a fit and new rows for it, by name.
FITS = {
    "pca": lambda: (gm.PCA(2).fit(X), NEW),
    "pca scaled, labelled, weighted": lambda: (
        gm.PCA(3, scale=True).fit(FRAME, sample_weight=WEIGHT),
        FRAME[:5] + 1.0,
    ),
    "pca of columns first": lambda: (gm.PCA(2).fit(np.asfortranarray(X)), NEW),
    "pca single precision": lambda: (gm.PCA(2).fit(X.astype("f4")), NEW.astype("f4")),
    "pca sparse": lambda: (gm.PCA(2).fit(sparse.csr_array(X)), sparse.csr_array(NEW)),
    "pca column weights": lambda: (gm.PCA(2, column_weight=[1, 2, 3, 4]).fit(X), NEW),
    "pca blocks": lambda: (gm.PCA(2).partial_fit(X[:9]).partial_fit(X[9:]), NEW),
    "pca krylov": lambda: (gm.PCA(2, solver="krylov", random_state=1).fit(X), NEW),
    "pca output frames": lambda: (gm.PCA(2).set_output(transform="pandas").fit(FRAME), FRAME[:3]),
    "pca whitened": lambda: (gm.PCA(2, whiten=True).fit(X), NEW),
    "rotated": lambda: (gm.PCA(3, scale=True).fit(FRAME).rotate("oblimin"), FRAME[:3] + 0.5),
    "rotated answers": lambda: (gm.MCA(3).fit(ANSWERS).rotate("varimax", 2), ANSWERS[:4]),
    "robust pca": lambda: (
        gm.RobustPCA(2, scale=True, random_state=0).fit(FRAME, sample_weight=WEIGHT),
        FRAME[:5] + 1.0,
    ),
    "robust pca spherical": lambda: (gm.RobustPCA(2, method="spherical").fit(X), NEW),
    "robust pca pursuit": lambda: (gm.RobustPCA(2, method="pursuit").fit(X), NEW),
    "sparse pca": lambda: (gm.SparsePCA(2, n_nonzero=2, scale=True).fit(FRAME), FRAME[:3]),
    "design": lambda: (
        gm.Design(remove="colour").fit(FRAME.join(COLOUR)),
        FRAME.join(COLOUR)[:6],
    ),
    "ca": lambda: (gm.CA(2).fit(COUNTS), COUNTS[:3]),
    "ca sparse, weighted": lambda: (
        gm.CA(2).fit(sparse.csr_array(COUNTS), sample_weight=WEIGHT),
        sparse.csr_array(COUNTS[:3]),
    ),
    "mca": lambda: (gm.MCA(2).fit(ANSWERS), ANSWERS[:4]),
    "famd": lambda: (
        gm.FAMD(2).fit(FRAME.join(ANSWERS), sample_weight=WEIGHT),
        FRAME.join(ANSWERS)[:4],
    ),
    "mfa": lambda: (
        gm.MFA(2, groups={"n": ["a", "b"], "s": ["colour"], "c": ["d"]}, kinds={"c": "c"}).fit(
            FRAME.join(ANSWERS)
        ),
        FRAME.join(ANSWERS)[:4],
    ),
    "mfa of counts": lambda: (
        gm.MFA(2, groups={"one": [0, 1], "two": [2, 4]}, kinds={"one": "counts", "two": "f"}).fit(
            COUNTS, sample_weight=WEIGHT
        ),
        COUNTS[:3],
    ),
    "statis": lambda: (
        gm.STATIS(2).fit(BLOCKS),
        {"one": NEW[:, :2], "two": NEW[:, 2:]},
    ),
    "distatis": lambda: (
        gm.DISTATIS(2).fit({"one": D, "two": D**0.5}),
        {"one": NEW_D, "two": NEW_D},
    ),
    "kernel pca": lambda: (KP(3).fit(FRAME), FRAME[:4] + 0.1),
    "kernel pca scaled": lambda: (KP(3, scale=True).fit(FRAME, sample_weight=WEIGHT), FRAME[:4]),
    "kernel pca weighted": lambda: (KP(3).fit(X, sample_weight=WEIGHT), NEW),
    "kernel pca span": lambda: (KP(2, formulation="span").fit(X), NEW),
    "kernel pca precomputed": lambda: (
        KP(2, kernel="precomputed", indefinite="clip").fit(X @ X.T),
        NEW @ X.T,
    ),
    "kernel pca krein": lambda: (
        KP(2, kernel=K.Sigmoid(scale=0.01), indefinite="krein").fit(X - X.mean(axis=0)),
        NEW - X.mean(axis=0),
    ),
    "kernel pca nystrom": lambda: (KP(2, approximation=gm.Nystrom(9, random_state=2)).fit(X), NEW),
    "kernel pca kmeans": lambda: (
        KP(2, approximation=gm.Nystrom(5, landmarks="kmeans")).fit(X),
        NEW,
    ),
    "kernel pca fourier": lambda: (KP(2, approximation=gm.RandomFourier(20)).fit(X), NEW),
    "kernel pca sparse": lambda: (
        KP(2, kernel="linear").fit(sparse.csr_array(X)),
        sparse.csr_array(NEW),
    ),
    "kernel pca learned scales": lambda: (KP(2, kernel=K.Gaussian(scale="learn")).fit(X), NEW),
    "kernel pca columns": lambda: (
        KP(2, kernel=K.Columns(nearly, ["a", "c"]) + K.Columns(K.Linear(), ["b"])).fit(FRAME),
        FRAME[:3],
    ),
    "nystrom": lambda: (gm.Nystrom(6).fit(X), NEW),
    "fourier": lambda: (gm.RandomFourier(8, random_state=5).fit(X), NEW),
    "classical mds": lambda: (gm.ClassicalMDS(2).fit(FRAME), FRAME[:3]),
    "classical mds cityblock": lambda: (
        gm.ClassicalMDS(2, metric="cityblock", correction="cailliez").fit(X),
        NEW,
    ),
    "classical mds gower": lambda: (
        gm.ClassicalMDS(2, metric="gower", correction="lingoes").fit(FRAME.join(COLOUR)),
        FRAME.join(COLOUR)[:4],
    ),
    "classical mds distances": lambda: (gm.ClassicalMDS(2, metric="precomputed").fit(D), NEW_D),
    "classical mds landmarks": lambda: (gm.ClassicalMDS(2, landmarks=8).fit(X), NEW),
    "mds": lambda: (gm.MDS(2, n_init=2, random_state=4).fit(FRAME), FRAME[:3]),
    "mds ordinal": lambda: (gm.MDS(2, scaling="ordinal", n_init=1).fit(X), NEW),
    "mds interval distances": lambda: (
        gm.MDS(2, metric="precomputed", scaling="interval", n_init=1).fit(D),
        NEW_D,
    ),
    "mds sammon": lambda: (gm.MDS(2, pair_weight="sammon", n_init=1).fit(X), NEW),
    "graphs": lambda: (KP(2, kernel=graph.WeisfeilerLehman(n_iter=2)).fit(GRAPHS), GRAPHS[1:]),
    "graphs normalized": lambda: (
        KP(2, kernel=(graph.ShortestPath() + graph.VertexHistogram()).normalized()).fit(GRAPHS),
        GRAPHS[:2],
    ),
    "graphs nystrom": lambda: (
        KP(2, kernel=graph.WeisfeilerLehman(), approximation=gm.Nystrom(3)).fit(GRAPHS),
        GRAPHS[1:],
    ),
    "sequences": lambda: (KP(2, kernel=sequence.Spectrum(k=2)).fit(WORDS), ["ACG", "TTT"]),
    "sequences gapped": lambda: (
        KP(2, kernel=sequence.Subsequence(length=2).normalized()).fit(WORDS),
        WORDS[1:3],
    ),
    "several kernels": lambda: (
        gm.MultiKernelPCA(2, kernels={"one": K.Gaussian(), "two": K.Linear()}).fit(BLOCKS),
        {"one": NEW[:, :2], "two": NEW[:, 2:]},
    ),
    "several kernels, one of words": lambda: (
        gm.MultiKernelPCA(
            2, kernels={"one": K.Gaussian(), "two": sequence.Spectrum(k=2)}, combine="mean"
        ).fit({"one": X[:5], "two": WORDS}),
        {"one": NEW[:2], "two": WORDS[1:3]},
    ),
}


def kernels():
    G = K.Gaussian(scale=1.5)
    return [
        K.Linear(),
        K.Polynomial(degree=3, offset=0.5, scale=0.1),
        G,
        K.Exponential(),
        K.Laplacian(scale=3.0),
        K.Matern(nu=0.7, scale=2.0),
        K.Matern(nu=np.inf),
        K.RationalQuadratic(alpha=2.0),
        K.Cosine(),
        K.FromDistance("cityblock"),
        2.0 * G + K.Linear() ** 2,
        (0.01 * K.Linear()).exp() * 1e-3,
        G.polynomial([0.0, 1.0, 0.5]),
        G.on(np.tanh),
        K.Polynomial(2).normalized(),
        K.Columns(G, slice(0, 2)) + K.Columns(K.Linear(), [3]),
    ]
