"""Check a built site: links lead somewhere, pictures show something, nothing comes from outside.

python tools/check_site.py build/site
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}
NAMED = {"canonical", "alternate", "next", "prev", "author", "license"}  # links that load nothing
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


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
        named = set((dict(attrs).get("rel") or "").split()) & NAMED
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            if value and (tag, name) in LOADED and not named:
                self.loaded.append(value)
            elif value and name == "srcset":
                self.loaded += [part.split()[0] for part in value.split(",") if part.strip()]
            elif value and (tag, name) == ("a", "href"):
                self.links.append(value)


def problems(folder: Path) -> list[str]:
    """Return one line for each dead link, each empty picture and each resource from outside."""
    root = folder.resolve()
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    if root / "index.html" not in pages:
        return [f"{folder}: no index.html: the site was not built"]
    found = []
    for path, page in pages.items():
        here = path.relative_to(root)
        for link in page.loaded + page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{here}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                found.append(f"{here}: no such file: {link}")
                continue
            if not target.stat().st_size:
                found.append(f"{here}: an empty file: {link}")
            anchor = unquote(parts.fragment)
            if anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{here}: no such anchor: {link}")
    for path in sorted(root.rglob("*.css")):
        for match in STYLE_URL.finditer(path.read_text(encoding="utf-8")):
            url = urlsplit(match[1] or match[2])
            here = path.relative_to(root)
            if url.scheme in ("http", "https") or url.netloc:
                found.append(f"{here}: loads {match[1] or match[2]}")
            elif not url.scheme and url.path and not (path.parent / unquote(url.path)).is_file():
                found.append(f"{here}: no such file: {url.path}")
    return found + [
        f"{path.relative_to(root)}: an example without a figure"
        for path in sorted(root.glob("gallery/*/*.html"))
        if path.name != "index.html" and not any("_images/" in link for link in pages[path].loaded)
    ]


def main() -> int:
    """Print the problems; return 1 where there are any."""
    found = problems(Path(sys.argv[1]))
    print("\n".join(found) or "no dead links, no empty pictures, nothing loaded from outside")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
