"""Check the types of the JavaScript modules by their JSDoc: `tsc` of TypeScript, strict.

`python tools/check_scripts.py` needs Node.js; `npx` fetches the compiler once.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TYPESCRIPT = "typescript@5.9.3"
ROOT = Path(__file__).parents[1] / "src" / "gramian" / "_browser"
OPTIONS = {
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "target": "es2022",
    "module": "es2022",
    "moduleResolution": "bundler",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": [],
}


def main() -> int:
    """Check all modules, beside each other as they are served."""
    npx = shutil.which("npx")
    if npx is None:
        print("npx is missing: install Node.js")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        for part in ("map", "app"):
            shutil.copytree(ROOT / part / "static", Path(folder) / part)
        settings = {"compilerOptions": OPTIONS, "include": ["*/*.js"]}
        (Path(folder) / "tsconfig.json").write_text(json.dumps(settings))
        command = [npx, "--yes", "--package", TYPESCRIPT, "tsc", "-p", folder]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
