#!/usr/bin/env python3
"""build_site.py ROOT SOURCE SITE: makes a static site of the documents, run by `./run docs`.

  1. Stages the documents in SOURCE/pages, laid out as in the repository, so that links between them hold. A source
     file or a folder that a document links to becomes a page of its own. `stage` says what else is changed.
  2. Runs mkdocs on them, in strict mode, into SITE.
  3. Looks at every page that came out: all links and anchors lead somewhere, and nothing is loaded from another host.

The first step needs nothing but Python, so that the tests can repeat it.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from check_docs import files, slug  # noqa: E402
from check_site import problems_of_site  # noqa: E402

# What the navigation shows, in this order. Pages that do not exist are left out; a pattern stands for those that do.
NAVIGATION = [
    "README.md",
    ("Manual", ["docs/start.md", "docs/choosing.md", "docs/cookbook.md", "docs/release-file.md", "docs/expressions.md",
                "docs/query.md", "docs/python.md", "docs/postgresql.md", "docs/spark.md", "docs/inspect.md",
                "docs/reports.md", "docs/accounting.md", "docs/shared-ledger.md", "docs/mistakes.md",
                "docs/glossary.md"]),
    ("Theory", [("Proofs", ["proofs/README.md", "proofs/*.md", "proofs/coq/README.md"]), "docs/certificates.md",
                "docs/language.md", "docs/floating-point.md", ("Papers", ["docs/papers/README.md", "docs/papers/*.md"]),
                "docs/bibliography.md", "docs/peers.md", "docs/testing.md"]),
    ("Library", ["docs/tour.md", "ARCHITECTURE.md", "examples/README.md", "corpus/README.md", "reference.md"]),
    ("Project", ["TRUST.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]
# Titles in menus, where the first heading says too much or too little.
TITLES = {"README.md": "Home", "docs/start.md": "Ten minutes to a page", "docs/tour.md": "A tour of the library",
          "docs/language.md": "The mechanism language", "proofs/README.md": "Overview",
          "proofs/coq/README.md": "Proofs in Coq", "docs/papers/README.md": "Overview", "docs/reports.md": "Reports"}
LANGUAGES = {".cc": "cpp", ".h": "cpp", ".v": "coq", ".py": "python", ".toml": "toml", ".sh": "bash", ".yml": "yaml"}
IMAGES = (".png", ".svg")
HERE = pathlib.Path(__file__).resolve().parent
OURS = ("site.css", "local_search.js")
LINK = re.compile(r"(!?\[(?:[^\]\[]|\[[^\]]*\])*\]\()([^)\s]+)((?:\s+\"[^\"]*\")?\))")
REFERENCE = """\
# C++ reference

Every public header of the library, with what each function requires and ensures, and where that is proved.

<a href="reference/index.html">Open the reference</a>
"""


def is_outside(target):
    return re.match(r"[a-z][a-z0-9+.-]*:", target) is not None


def outside_code(text, change):
    """The text with `change` applied to all of it that is in no fenced block."""
    parts = re.split(r"(^(?:```+|~~~+).*?^(?:```+|~~~+)[ ]*$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))


def with_anchors(text):
    """Every heading with the anchor that forges give it."""
    seen = {}

    def anchored(match):
        name = slug(match[2])
        count = seen[name] = seen.get(name, -1) + 1
        return f"{match[1]}{match[2]} {{#{name}{f'-{count}' if count else ''}}}"

    return outside_code(text, lambda part: re.sub(r"^(#{1,6} +)(.+?)[ #]*$", anchored, part, flags=re.MULTILINE))


def as_python_markdown(part):
    """What forges and Python's Markdown read differently, written so that both agree."""
    part = re.sub(r"^<!-- .*? -->\n", "", part, flags=re.MULTILINE)
    part = re.sub(r"^  - ", "    - ", part, flags=re.MULTILINE)
    part = re.sub(r"^(?![-*] |\d+\. |[ |#]|$)(.*)\n(?=(?:[-*]|\d+\.) )", r"\1\n\n", part, flags=re.MULTILINE)
    return re.sub(r"^\|.*$", lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0]), part,
                  flags=re.MULTILINE)


class Stage:
    """The pages of a site, made from the files of a repository."""

    def __init__(self, root):
        self.root = root
        self.pages = {}  # path in the site: text
        self.copies = set()  # files that are taken as they are
        for name in files(root, ".md"):
            if not name.startswith(("tests/", "tools/", ".")):
                self.add_document(name)
        self.pages["reference.md"] = REFERENCE

    def add_document(self, name):
        self.pages[name] = ""  # so that links back to it do not come here again
        text = (self.root / name).read_text(encoding="utf-8")
        text = outside_code(text, lambda part: self.with_links(name, as_python_markdown(part)))
        title = TITLES.get(name) or next(iter(re.findall(r"^# (.+)$", text, re.MULTILINE)), name)
        hide = "hide: [navigation]\n" if name == "README.md" else ""
        self.pages[name] = f"---\ntitle: {json.dumps(title.replace('`', ''))}\n{hide}---\n\n{with_anchors(text)}"

    def with_links(self, name, part):
        """The links of a document, to where their targets are in the site; not what only looks like one in code."""
        codes = re.findall(r"`[^`\n]*`", part)
        hidden = re.sub(r"`[^`\n]*`", "\0", part)
        linked = LINK.sub(lambda match: match[1] + self.target(name, match[2]) + match[3], hidden)
        return re.sub("\0", lambda _: codes.pop(0), linked)

    def target(self, name, target):
        path, _, anchor = target.partition("#")
        if is_outside(target) or not path:
            return target
        found = ((self.root / name).parent / path).resolve()
        if not found.exists():
            raise FileNotFoundError(f"{name}: the link to {target} leads nowhere")
        page = self.page_of(found.relative_to(self.root.resolve()))
        depth = len(pathlib.PurePosixPath(name).parts) - 1
        return "../" * depth + page + (f"#{anchor}" if anchor else "")

    def page_of(self, path):
        """The path in the site of a file or folder of the repository, which is added where it is new."""
        name = path.as_posix()
        full = self.root / path
        if full.is_dir():
            readme = f"{name}/README.md"
            return readme if (self.root / readme).exists() else self.add_folder(path)
        if path.suffix == ".md":
            if name not in self.pages:
                self.add_document(name)
            return name
        if path.suffix in IMAGES:
            self.copies.add(name)
            return name
        return self.add_source(path)

    def add_source(self, path):
        page = f"{path.as_posix()}.md"
        if page not in self.pages:
            text = (self.root / path).read_text(encoding="utf-8")
            fence = "`" * (3 + max((len(run) for run in re.findall(r"^`{3,}", text, re.MULTILINE)), default=0))
            self.pages[page] = f"# {path.as_posix()}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}{fence}\n"
        return page

    def add_folder(self, path):
        page = f"{path.as_posix()}/index.md"
        if page not in self.pages:
            self.pages[page] = ""
            children = sorted(child for child in (self.root / path).iterdir() if child.is_file())
            lines = [f"- [{child.name}]({child.name}.md)" for child in children if child.suffix not in (".md", *IMAGES)]
            for child in children:
                self.page_of(child.relative_to(self.root))
            self.pages[page] = f"# {path.as_posix()}\n\n" + "\n".join(lines) + "\n"
        return page

    def navigation(self, entries=None):
        """The navigation as mkdocs reads it, without pages that do not exist."""
        shown = []
        for entry in NAVIGATION if entries is None else entries:
            if isinstance(entry, tuple):
                below = self.navigation(entry[1])
                shown.extend([{entry[0]: below}] if below else [])
                continue
            pattern = re.escape(entry).replace(r"\*", r"[^/]*") + r"\Z"
            found = sorted(page for page in self.pages if re.match(pattern, page))
            shown.extend(page for page in found if page not in shown)
        return shown

    def write(self, source):
        folder = source / "pages"
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in self.pages.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        for name in self.copies:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.root / name, folder / name)
        for name in OURS:
            shutil.copy(HERE / name, folder / name)


def configuration(stage, site):
    """What mkdocs is told. JSON is YAML."""
    return {
        "site_name": "Lastbit",
        "site_description": "Statistics about people that give nobody away",
        "docs_dir": "pages",
        "site_dir": str(site),
        "use_directory_urls": False,  # so that the site can be read from a disk
        "strict": True,
        "theme": {
            "name": "material",
            "custom_dir": str(HERE / "theme"),
            "font": False,  # those of the reader, and no request to anybody
            "features": ["navigation.tabs", "navigation.top", "search.highlight"],
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo",
                 "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo",
                 "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
            ],
        },
        "extra_css": ["site.css"],
        "plugins": ["search"],
        "markdown_extensions": ["attr_list", "sane_lists", "pymdownx.superfences", "pymdownx.highlight",
                                {"toc": {"permalink": True, "toc_depth": 3}}],
        "nav": stage.navigation(),
    }


def main():
    root, source, site = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
    stage = Stage(root)
    stage.write(source)
    (source / "mkdocs.yml").write_text(json.dumps(configuration(stage, site), indent=1), encoding="utf-8")
    shutil.rmtree(site, ignore_errors=True)
    subprocess.run(["mkdocs", "build", "--quiet", "--config-file", str(source / "mkdocs.yml")], check=True)
    for unused in ("404.html", "sitemap.xml", "sitemap.xml.gz"):  # they need to know where the site will be
        (site / unused).unlink(missing_ok=True)
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    (site / "search/search_index.js").write_text(f"var __search = {{ index: Promise.resolve({index}) }};\n", "utf-8")
    problems = list(problems_of_site(site, later=("reference/index.html",)))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
