"""One registration: a short name, a word on the command line, a place in model files."""

import subprocess
import sys

import numpy as np
import pytest
from tests.contracts.registry import borrowed

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Gaussian, Kernel, Radial, as_kernel, register
from gramian.kernels.registry import kernel_class, key_of, short_names

X = np.random.default_rng(5).standard_normal((12, 3))


@pytest.fixture(autouse=True)
def registry():
    """What a test registers is gone after it."""
    with borrowed():
        yield


def cauchy():
    """A class of its own for every test."""

    class Cauchy(Radial):
        def __init__(self, scale="median", power=1.0):
            self.scale = scale
            self.power = power

        def profile(self, t):
            return (1.0 + t) ** -self.power

    return Cauchy


WAYS = {
    "call": lambda cls: register(cls, "lorentz"),
    "call, name first": lambda cls: register("lorentz", cls),
    "call by keyword": lambda cls: register(cls, name="lorentz"),
    "decorator": lambda cls: register("lorentz")(cls),
    "decorator by keyword": lambda cls: register(name="lorentz")(cls),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_class_gets_its_name(way):
    cls = cauchy()
    assert WAYS[way](cls) is cls
    assert as_kernel("lorentz") == cls()
    assert isinstance(gm.KernelPCA(2, kernel="lorentz").fit(X).kernel_, cls)
    assert "lorentz" in short_names() and kernel_class("cauchy") is None


def test_without_a_name_it_is_that_of_the_class():
    @register
    class RationalOfMine(cauchy()):
        pass

    assert isinstance(as_kernel("rational_of_mine"), RationalOfMine)
    two = register(cauchy(), "one_name", "another_name")
    assert type(as_kernel("one_name")) is type(as_kernel("another_name")) is two


def test_a_name_is_never_taken_over():
    first = register(cauchy(), "lorentz")

    class Thief(Gaussian):
        pass

    for name in ("lorentz", "gaussian", "rbf", "matern"):
        with pytest.raises(InputError, match="belongs to") as caught:
            register(Thief, name)
        assert len(str(caught.value)) <= 400
    with pytest.raises(InputError, match="precomputed"):
        register(Thief, "precomputed")
    assert kernel_class("lorentz") is first and kernel_class("gaussian") is Gaussian
    assert key_of(Thief) is None


def test_a_class_that_is_defined_again_takes_its_own_place():
    old, new = register(cauchy(), "lorentz"), register(cauchy(), "lorentz")
    assert old is not new and kernel_class("lorentz") is new
    Thief = type("Gaussian", (Gaussian,), {"__module__": Gaussian.__module__})
    with pytest.raises(InputError, match="belongs to"):
        register(Thief, "gaussian")


def test_more_names_for_a_kernel_that_has_one():
    register(Gaussian, "bell")
    assert as_kernel("bell") == as_kernel("gaussian") == as_kernel("rbf") == Gaussian()
    assert key_of(Gaussian) == "kernels.Gaussian"


class Loose(Kernel):
    def __init__(self, *parts):
        self.parts = parts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((int,), "derive it from Kernel"),
        ((Gaussian(1.0), "bell"), "derive it from Kernel"),
        ((Gaussian, Loose), "give one"),
        ((Loose,), "write them out"),
        ((Gaussian, "Bell"), "lower-case"),
        ((Gaussian, "bell:scale=2"), "lower-case"),
        ((Gaussian, ""), "lower-case"),
    ],
    ids=str,
)
def test_refusals(arguments, words):
    with pytest.raises((InputError, InputTypeError), match=words) as caught:
        register(*arguments)
    assert len(str(caught.value)) <= 400
    with pytest.raises(InputError, match="kind"):
        register(cauchy(), "lorentz", kind="tables")


def test_a_kernel_that_needs_arguments_says_so():
    class Needy(Radial):
        def __init__(self, scale):
            self.scale = scale

    register(Needy, "needy")
    with pytest.raises(InputTypeError, match=r"write Needy\("):
        as_kernel("needy")


@pytest.mark.slow
def test_saved_and_loaded(tmp_path):
    cls = register(cauchy(), "lorentz")
    kernel = 0.5 * cls(power=0.7) + gm.kernels.Linear()
    fitted = gm.KernelPCA(2, kernel=kernel).fit(X)
    path = tmp_path / "m.gramian"
    gm.save(fitted, path)
    loaded = gm.load(path)
    assert loaded.kernel == fitted.kernel and type(loaded.kernel_.left.right) is cls
    assert np.array_equal(loaded.transform(X + 0.1), fitted.transform(X + 0.1))


def test_a_kernel_that_is_not_registered_is_not_saved(tmp_path):
    fitted = gm.KernelPCA(2, kernel=cauchy()()).fit(X)
    with pytest.raises(InputError, match=r"gm.kernels.register\(Cauchy\)") as caught:
        gm.save(fitted, tmp_path / "m.gramian")
    assert len(str(caught.value)) <= 400 and list(tmp_path.iterdir()) == []


def test_a_file_of_a_kernel_that_is_not_registered_is_refused(tmp_path):
    path = tmp_path / "m.gramian"
    with borrowed():
        gm.save(gm.KernelPCA(2, kernel=register(cauchy(), "lorentz")()).fit(X), path)
    with pytest.raises(InputError, match=r"kernel 'lorentz', which is not registered") as caught:
        gm.load(path)
    assert "gm.kernels.register" in str(caught.value) and len(str(caught.value)) <= 400


def test_parameters_of_another_class_of_the_same_name_are_refused(tmp_path):
    path = tmp_path / "m.gramian"
    with borrowed():
        gm.save(gm.KernelPCA(2, kernel=register(cauchy(), "lorentz")()).fit(X), path)

    class Lorentz(Radial):
        def __init__(self, width=1.0):
            self.scale = self.width = width

    register(Lorentz, "lorentz")
    with pytest.raises(InputError, match="no such parameter of Lorentz"):
        gm.load(path)


def test_kernels_of_other_kinds_have_names_of_their_own():
    class Length(Kernel):
        takes_vectors = False

        def evaluate(self, pairs):
            return np.multiply.outer([len(x) for x in pairs.X], [len(y) for y in pairs.Y])

    register(Length, "gaussian", kind="sequences")
    assert key_of(Length) == "registered.sequences.gaussian"
    assert kernel_class("gaussian", "sequences") is Length and kernel_class("gaussian") is Gaussian
    assert gm.kernels.graph.Laplacian is kernel_class("laplacian", "graphs")


def test_every_kernel_that_is_offered_is_registered():
    code = {"Callback", "Function"}
    abstract = {"Dot", "Kernel", "Radial"}
    for module in (gm.kernels, gm.kernels.graph, gm.kernels.sequence):
        for name in module.__all__:
            cls = getattr(module, name)
            if isinstance(cls, type) and issubclass(cls, Kernel) and name not in code | abstract:
                place = "kernels" if module is gm.kernels else module.__name__.rsplit(".")[-1]
                assert key_of(cls) == f"{place}.{name}"


@pytest.mark.slow
def test_a_name_brings_no_other_kind_with_it():
    """Looking a kernel up does not import the graph kernels."""
    program = (
        "import sys, gramian as gm; gm.kernels.as_kernel('rbf')\n"
        "print('gramian.kernels.graph' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "False\n", run.stderr
