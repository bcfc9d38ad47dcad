"""Small examples of private functions, one each."""

from gramian._study.language import Name, Options, P, Setting, Voice, python, setting, texts
from gramian._study.language.labels import clean, escape_controls, shorten


def test_setting():
    assert setting("missing='mean'|'median'") == Setting("missing", ("mean", "median"))


def test_python():
    assert python("missing", ("mean",)) == "missing='mean'"
    assert python("sep", ()) == "sep="
    assert python("transpose", None) == "transpose"


def test_options():
    options = Options({"scale": ("--scale", "--no-scale"), "missing": ("--missing", None)})
    assert options("scale", (False,)) == "--no-scale"


def test_texts():
    assert texts("fr")["axis"] == "Axe {k}"


def test_voice():
    assert Voice("fr")("row", name=Name(21)) == "L’individu 21"
    assert Voice().write(P(0.005, floor=0.005)) == "p\xa0≤\xa00.005"


def test_rewrite():
    assert Voice("fr").rewrite("Inertia (%)", "figures") == "Inertie (%)"


def test_escape_controls():
    assert escape_controls("\x1b[2J \u202eabc") == r"\u001b[2J \u202eabc"


def test_clean():
    assert clean("two\nlines") == "two lines"


def test_shorten():
    assert shorten("treatment with a long name, replicate 12", 20) == "treatment wi…cate 12"
