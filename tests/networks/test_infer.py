"""From tables to networks."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import gramian as gm
from gramian.errors import ConstantColumnWarning, InputError, InputTypeError
from gramian.networks import Network, infer
from gramian.networks.infer import METHODS


def chain(n, p=8, seed=0):
    """Each variable follows the one before it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p))
    for k in range(1, p):
        X[:, k] = 0.8 * X[:, k - 1] + 0.6 * X[:, k]
    return X


def links(network):
    return {tuple(sorted(pair)) for pair in network.edges[["source", "target"]].to_numpy().tolist()}


CHAIN = {(f"x{k}", f"x{k + 1}") for k in range(7)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "extra"), [("partial", 2), ("glasso", 10), ("neighbourhood", 2)]
)
def test_conditional_methods_find_a_chain_without_its_shortcuts(method, extra):
    found = links(infer(chain(500), method))
    assert found >= CHAIN and len(found - CHAIN) <= extra


def test_correlation_finds_the_shortcuts_too():
    assert len(links(infer(chain(500))) - CHAIN) > 15


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_stability_keeps_what_half_samples_agree_on(method):
    network = infer(chain(300), method, stability=0.9, n_subsamples=20)
    assert links(network) >= CHAIN
    assert network.edges["frequency"].between(0.9, 1.0).all()
    same = infer(chain(300), method, stability=0.9, n_subsamples=20)
    pd.testing.assert_frame_equal(network.edges, same.edges)


@pytest.mark.slow
def test_signs_names_and_labels_are_kept():
    X = chain(200)
    X[:, 3] *= -1
    names = [f"gene {k}" for k in range(8)]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        network = infer(frame, "partial")
        assert network.names == names
        signs = network.edges.set_index(["source", "target"])["weight"]
        assert signs["gene 2", "gene 3"] < 0 < signs["gene 0", "gene 1"]
        assert (infer(frame, "partial", signed=False).weights > 0).all()


@pytest.mark.parametrize(
    ("rule", "count"),
    [({"density": 0.25}, 7), ({"threshold": 1.0}, 0), ({"threshold": 0.0}, 28), ({"fdr": 1.0}, 28)],
)
def test_rules_give_the_edges_they_promise(rule, count):
    assert infer(chain(60), **rule).n_edges == count


@pytest.mark.slow
def test_false_discoveries_are_rare():
    share = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((30, 40))
        X[:, 1:10] = 0.9 * X[:, :1] + 0.44 * X[:, 1:10]  # a clique of 45 true pairs
        found = infer(X, fdr=0.1).edges
        true = found["source"].str[1:].astype(int).lt(10) & found["target"].str[1:].astype(int).lt(
            10
        )
        share.append(1 - true.mean())
    assert np.mean(share) <= 0.1 + 2 * np.std(share) / np.sqrt(40)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("correlation", {}),
        ("glasso", {"penalty": 0.95}),
        ("neighbourhood", {"penalty": 0.95}),
    ],
)
def test_more_columns_than_rows(method, options):
    X = np.random.default_rng(0).standard_normal((6, 50))
    X[:, 1] = X[:, 0] + 1e-3 * X[:, 1]
    assert ("x0", "x1") in links(infer(X, method, **options))


@pytest.mark.slow
def test_constant_columns_are_named_and_have_no_edges():
    X = chain(50)
    X[:, 2] = 0.1
    for method in METHODS:
        with pytest.warns(ConstantColumnWarning, match="x2"):
            network = infer(X, method)
        assert network.degree()["x2"] == 0


@pytest.mark.parametrize(
    ("X", "options", "words"),
    [
        (np.full((5, 3), np.nan), {}, "NaN"),
        (chain(2), {}, "minimum of 3"),
        (chain(9)[:, :1], {}, "at least 2"),
        (chain(9), {"method": "magic"}, "magic"),
        (chain(9), {"fdr": 0.1, "density": 0.1}, "one of them"),
        (chain(9), {"method": "glasso", "fdr": 0.1}, "p-values"),
        (chain(9), {"penalty": 0.1}, "penalty"),
        (chain(9), {"method": "glasso", "shrinkage": 0.1}, "shrinkage"),
        (chain(9), {"method": "glasso", "penalty": -1.0}, "positive"),
        (chain(9), {"density": 2.0}, "between 0 and 1"),
        (chain(9), {"density": True}, "between 0 and 1"),
        (chain(9), {"stability": 0.0}, "share"),
        (chain(9), {"stability": 0.5, "n_subsamples": 1}, "at least 2"),
        (chain(5), {"stability": 0.5}, "6 rows"),
        (chain(9), {"join": "xor"}, "and"),
        (pd.DataFrame(chain(9)[:, :2], columns=["a", "a"]), {}, "columns named .a."),
    ],
)
def test_refusals(X, options, words):
    with pytest.raises(InputError, match=words) as error:
        infer(X, **options)
    assert len(str(error.value)) <= 400


def test_sparse_tables_are_refused():
    from scipy import sparse

    with pytest.raises(InputTypeError, match="sparse"):
        infer(sparse.csr_array(np.eye(4)))


@pytest.mark.slow
def test_the_callers_table_is_not_changed():
    X = chain(30)
    X.flags.writeable = False
    for method in METHODS:
        infer(X, method)


@pytest.mark.slow
def test_networks_enter_graph_kernels():
    networks = [infer(chain(40, seed=s), density=0.3) for s in range(4)]
    K = gm.kernels.graph.EdgeOverlap().normalized()(networks)
    np.testing.assert_allclose(np.diag(K), 1.0)
    assert gm.KernelPCA(2, kernel=gm.kernels.graph.EdgeOverlap()).fit(networks).inertia_ > 0


def test_network_counts_neighbours():
    A = np.zeros((5, 5))
    A[0, 1:4] = A[1:4, 0] = [0.5, -2.0, 1.0]
    A[1, 2] = A[2, 1] = 3.0
    network = Network(A, names=list("abcde"))
    assert (network.n_nodes, network.n_edges) == (5, 4)
    assert network.density == pytest.approx(0.4)
    assert network.degree().tolist() == [3, 2, 2, 1, 0]
    assert network.degree(weighted=True).tolist() == [3.5, 3.5, 5.0, 1.0, 0.0]
    assert network.hubs(3) == ["a", "c", "b"] and network.hubs(9) == ["a", "c", "b", "d"]
    assert network.subnetwork(["c", "a"]).weights.tolist() == [-2.0]
    with pytest.raises(InputError, match="'z'"):
        network.subnetwork(["z"])
    assert repr(network) == "Network(5 nodes, 4 edges, 1 of them negative)"


def test_network_to_networkx():
    graph = infer(chain(60), density=0.2).to_networkx()
    network = infer(chain(60), density=0.2)
    assert set(graph) == set(network.names)
    for row in network.edges.itertuples():
        assert graph[row.source][row.target]["weight"] == row.weight
        assert graph[row.source][row.target]["q_value"] == row.q_value


def test_edges_may_be_given_in_any_order():
    network = Network.from_edges("abc", [(2, 1), (1, 0)], [0.5, -0.5], {"rank": [1, 2]})
    assert network.edges.to_numpy().tolist() == [["a", "b", -0.5, 2], ["b", "c", 0.5, 1]]
    with pytest.raises(InputError, match="weight 0"):
        Network.from_edges("ab", [(0, 1)], [0.0])
    with pytest.raises(InputError, match="2 for 1 edges"):
        Network([[0, 1], [1, 0]], edge_values={"x": [1, 2]})
