"""Install a wheel alone in fresh environments, and run what a reader of README.md would run.

    python tools/try_wheel.py dist

One environment for each of Python 3.11 to 3.14 that is installed, and for this interpreter.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# The examples of the reference. Modules that need a GPU's libraries are left out.
EXAMPLES = """
import doctest, importlib, pkgutil, sys, warnings
import gramian, numpy
warnings.simplefilter("ignore")
failed = tried = 0
for part in pkgutil.walk_packages(gramian.__path__, "gramian."):
    if part.name.endswith("__main__"):
        continue
    try:
        module = importlib.import_module(part.name)
    except ImportError as error:
        if error.name not in ("torch", "triton", "cupy", "dask", "distributed", "numba"):
            raise
        continue
    # As the tests do, examples may say gm and np.
    result = doctest.testmod(module, extraglobs={"gm": gramian, "np": numpy})
    failed, tried = failed + result.failed, tried + result.attempted
print(f"{tried} lines of examples, {failed} failed")
sys.exit(failed > 0 or tried < 500)
"""


def interpreters() -> list[str]:
    """Return the Pythons to try."""
    found = [shutil.which(f"python{version}") for version in VERSIONS]
    # A shim of pyenv may stand for a version that is not installed.
    runs = [path for path in found if path and not subprocess.run([path, "-c", ""]).returncode]
    return list(dict.fromkeys([sys.executable, *runs]))


def try_wheel(python: str, wheel: Path) -> None:
    """Run README.md and a report with the wheel alone, then the examples of the reference."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", f"{folder}/env"], check=True)
        run = Path(folder) / "env" / ("Scripts" if sys.platform == "win32" else "bin")
        pip = [run / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"{wheel}[plot]"], check=True)
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        code = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.S))
        options = {"check": True, "cwd": folder, "stdout": subprocess.DEVNULL}
        subprocess.run([run / "python", "-c", code], **options)
        subprocess.run([run / "gramian", "datasets", "iris", "-o", "iris.csv"], **options)
        subprocess.run([run / "gramian", "report", "iris.csv", "-o", "iris.html"], **options)
        extras = f"{wheel}[plot,graphs,blocks,app,widget]"  # what the examples of docstrings need
        subprocess.run([*pip, extras], check=True)
        subprocess.run([run / "python", "-c", EXAMPLES], check=True, cwd=folder)
        version = subprocess.run(
            [run / "gramian", "--version"], check=True, capture_output=True, text=True
        )
        print(f"{python}: {version.stdout.strip()}", flush=True)


def main() -> None:
    """Try the wheel of a folder everywhere."""
    (wheel,) = Path(sys.argv[1]).resolve().glob("*.whl")
    for python in interpreters():
        try_wheel(python, wheel)


if __name__ == "__main__":
    main()
