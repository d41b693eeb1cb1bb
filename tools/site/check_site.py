#!/usr/bin/env python3
"""check_site.py SITE: fails where a link of a static site leads nowhere, or a page loads something from elsewhere."""

import html.parser
import pathlib
import re
import sys
import urllib.parse

# Attributes by which a page loads something. A link that a reader may follow is none.
LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src"),
         ("audio", "src"), ("object", "data"), ("form", "action"), ("use", "href"), ("embed", "src")}
ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
IN_STYLE = re.compile(r"""(?:@import\s+|url\()\s*["']?((?:https?:)?//[^"')\s]+)""", re.IGNORECASE)


class Page(html.parser.HTMLParser):
    """The anchors, links and loads of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key == "id" or (tag == "a" and key == "name"):
                self.anchors.add(value)
            if value and (tag, key) in LOADS:
                self.loads.append(value)
            elif value and (tag, key) == ("a", "href"):
                self.links.append(value)


def problems_of_site(site, later=()):
    """What is wrong with the pages under `site`. Files in `later` will be there."""
    pages = {path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8"))
             for path in sorted(site.rglob("*.html")) if "reference" not in path.relative_to(site).parts}
    for name, page in pages.items():
        for target in page.loads:
            if ELSEWHERE.match(target):
                yield f"{name}: loads {target} from another host"
        for target in [*page.links, *(load for load in page.loads if not ELSEWHERE.match(load))]:
            yield from problems_of_link(site, pages, name, target, later)
    for path in sorted(site.rglob("*.css")):
        for target in IN_STYLE.findall(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(site)}: loads {target} from another host"


def problems_of_link(site, pages, name, target, later):
    if re.match(r"[a-z][a-z0-9+.-]*:", target, re.IGNORECASE):
        return
    file, _, anchor = urllib.parse.unquote(target).partition("#")
    path = (site / name).parent / file.partition("?")[0] if file else site / name
    path = path / "index.html" if path.is_dir() else path
    try:
        place = path.resolve().relative_to(site.resolve()).as_posix()
    except ValueError:
        yield f"{name}: the link to {target} leaves the site"
        return
    if place in later:
        return
    if not path.exists():
        yield f"{name}: the link to {target} leads nowhere"
    elif anchor and place in pages and anchor not in pages[place].anchors:
        yield f"{name}: {target} has no such anchor"


def main():
    problems = list(problems_of_site(pathlib.Path(sys.argv[1])))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
