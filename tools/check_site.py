"""Check a built site: links inside it lead somewhere, and no page loads anything from outside.

python tools/check_site.py build/site
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src")}


class Page(HTMLParser):
    """The links, the loaded resources and the anchors of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of a tag."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if value and (tag, name) in LOADED:
                self.loaded.append(value)
            elif value and (tag, name) == ("a", "href"):
                self.links.append(value)


def problems(folder: Path) -> list[str]:
    """Return one line for each dead link and each resource from outside."""
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    found = []
    for path, page in pages.items():
        here = path.relative_to(folder.resolve())
        for link in page.loaded + page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{here}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{here}: no such file: {link}")
                continue
            anchors = pages[target].anchors if target in pages else {unquote(parts.fragment)}
            if parts.fragment and unquote(parts.fragment) not in anchors:
                found.append(f"{here}: no such anchor: {link}")
    return found


def main() -> int:
    """Print the problems; return 1 where there are any."""
    found = problems(Path(sys.argv[1]))
    print("\n".join(found) or "no dead links, nothing loaded from outside")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
