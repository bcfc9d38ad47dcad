"""Build the site: Markdown pages, a reference from docstrings, a gallery that is executed."""

import importlib
import inspect
import os
import re
import sys
import tomllib
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("MPLBACKEND", "agg")

import gramian  # noqa: E402

project = "Gramian"
author = "The Gramian developers"
copyright = f"2026, {author}"
release = version = gramian.__version__
REPOSITORY = "https://github.com/gramian/gramian/blob/main/"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "numpydoc",
]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["_build", "_templates", "**/*.ipynb", "notebooks/*.py"]
templates_path = ["_templates"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Gramian {release}"
html_static_path = ["_static"]
html_extra_path = ["../build/extra"]  # pages with an interactive map
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autosummary_generate = True
autosummary_imported_members = False
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
numpydoc_xref_param_type = False

GALLERIES = {"gallery": "gallery/capabilities", "documents": "gallery/documents"}
EXAMPLES = [f"../examples/{name}" for name in GALLERIES if (HERE / "../examples" / name).is_dir()]

sphinx_gallery_conf = {
    "examples_dirs": EXAMPLES,
    "gallery_dirs": [GALLERIES[Path(folder).name] for folder in EXAMPLES],
    "filename_pattern": r"/[a-z]",
    "ignore_pattern": r"/_|__init__",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "min_reported_time": 1e9,
    "write_computation_times": False,  # a page that loads scripts from elsewhere
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "show_signature": False,
    "plot_gallery": "True",
    "capture_repr": ("_repr_html_",),  # tables; figures are shown, not named
    "image_scrapers": ("_figures",),
}
warnings.filterwarnings("ignore", message=".*FigureCanvasAgg is non-interactive.*")


def _write_reference() -> None:
    """Write a page for each public namespace that lists its names: none can be left out."""
    folder = HERE / "reference"
    folder.mkdir(exist_ok=True)
    stub = Path(gramian.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    spaces = re.findall(r"^from \. import (\w+) as", stub, re.M)
    top = [name for name in gramian.__all__ if name[0] != "_" and name not in spaces]
    _write_space(folder / "gramian.rst", "gramian", "gramian", top)
    for name in spaces:
        module = getattr(gramian, name)
        _write_space(folder / f"{name}.rst", f"gramian.{name}", module.__name__, module.__all__)
        for part in module.__all__:
            inner = getattr(module, part)
            if inspect.ismodule(inner):
                space = f"gramian.{name}.{part}"
                _write_space(folder / f"{name}.{part}.rst", space, inner.__name__, inner.__all__)


def _write_maps() -> None:
    """Write reports that pages embed: their maps are interactive, and need no network."""
    folder = HERE.parent / "build" / "extra"
    folder.mkdir(parents=True, exist_ok=True)
    for language in ("en", "fr"):
        path = folder / f"wine_{language}.html"
        if not path.exists():
            gramian.report.write(gramian.datasets.wine(), path, language=language)


_SEEN: dict[int, str] = {}  # public objects, each shown in the first namespace that has it


def _write_space(path: Path, title: str, module: str, names: list[str]) -> None:
    space = importlib.import_module(module)
    values = {name: getattr(space, name) for name in sorted(names) if name[0] != "_"}
    shown = [name for name, value in values.items() if not inspect.ismodule(value)]
    shown = [name for name in shown if _SEEN.setdefault(id(values[name]), path.stem) == path.stem]
    first = (inspect.getdoc(space) or title).splitlines()[0]
    lines = [title, "=" * len(title), "", first, "", f".. currentmodule:: {module}", ""]
    for head, wanted in (("Classes", True), ("Functions", False)):
        some = [name for name in shown if inspect.isclass(values[name]) is wanted]
        if some:
            lines += [head, "-" * len(head), "", ".. autosummary::", "   :toctree: generated", ""]
            lines += [*(f"   {name}" for name in some), ""]
    text = "\n".join(lines)
    if not path.exists() or path.read_text() != text:  # an unchanged page is not read again
        path.write_text(text)


def _outside_links(app: object, name: str, source: list[str]) -> None:
    """Turn links to files outside the site into links to the repository."""
    depth = name.count("/")
    up = "../" * (depth + 1)
    source[0] = re.sub(rf"\]\({re.escape(up)}(?!\.\.)([^)]*)\)", rf"]({REPOSITORY}\1)", source[0])


def _escape_bars(
    app: object, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Write |x| as text: reStructuredText would look for a substitution."""
    for k, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith((">>>", "...")):
            lines[k] = re.sub(r"(?<!\\)\|", r"\\|", line)


_WORDS = tomllib.loads((HERE / "parameters.toml").read_text(encoding="utf-8"))


def _describe(
    app: object, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Give parameters that a docstring leaves without a word the description of their name."""
    lines[:] = described(value, lines)


def described(value: object, lines: list[str]) -> list[str]:
    """Return a docstring in which every parameter is described, where its name has a description.

    Methods of one line get a section of parameters. numpydoc reads the result.
    """
    if not callable(value):
        return lines
    lines = [line.expandtabs().rstrip() for line in lines]
    heads = [k for k, line in enumerate(lines[:-1]) if line.strip() and set(lines[k + 1]) == {"-"}]
    sections = {lines[k]: k for k in heads}
    if "Parameters" not in sections:
        try:
            names = [name for name in inspect.signature(value).parameters if name in _WORDS]
        except (TypeError, ValueError):
            return lines
        if inspect.isclass(value) or not names:
            return lines
        at = min([*heads, len(lines)])
        new = [line for name in names for line in (name, f"    {_WORDS[name]}")]
        return [*lines[:at], "", "Parameters", "----------", *new, "", *lines[at:]]
    start = sections["Parameters"] + 2
    stop = min([k for k in heads if k > start], default=len(lines))
    out = lines[:start]
    for k in range(start, stop):
        line = lines[k]
        out.append(line)
        after = lines[k + 1] if k + 1 < len(lines) else ""
        if line and not line.startswith(" ") and not after.startswith(" "):
            names = [part.strip(" *") for part in line.partition(" :")[0].split(",")]
            known = [_WORDS[name] for name in names if name in _WORDS]
            out += [f"    {' '.join(known)}"] if known else []
    return [*out, *lines[stop:]]


def _only_ours(
    app: object, what: str, name: str, value: object, skip: bool, options: object
) -> bool | None:
    """Leave out what a class inherits from another library: it is documented there."""
    own = getattr(value, "fget", None) or getattr(value, "func", None) or value
    home = getattr(own, "__module__", None) or ("builtins" if callable(own) else "gramian")
    return None if home.partition(".")[0] == "gramian" else True


def setup(app: object) -> None:
    """Register what the pages need."""
    app.connect("autodoc-skip-member", _only_ours)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", _describe, priority=100)  # type: ignore[attr-defined]
    app.connect("autodoc-process-docstring", _escape_bars, priority=900)  # type: ignore[attr-defined]
    _write_reference()
    _write_maps()
    app.connect("source-read", _outside_links)  # type: ignore[attr-defined]
