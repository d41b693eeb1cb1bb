"""Tests of tools/site: what documents become, and that a site with a mistake is caught."""

import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from tool_case import ROOT, ToolCase

sys.path.insert(0, str(ROOT / "tools" / "site"))
import build_site  # noqa: E402
import check_site  # noqa: E402


class StageTest(ToolCase):
    def staged(self, **documents):
        for name, text in documents.items():
            self.write(name.replace("__", "/") + ".md", text)
        return build_site.Stage(self.tree).pages

    def test_links_between_documents_hold(self):
        pages = self.staged(README="# R\n\n[a](docs/a.md#b) [o](https://x.org/a.md)\n", docs__a="# A\n\n## B\n\n[r](../README.md)\n")
        self.assertIn("[a](docs/a.md#b) [o](https://x.org/a.md)", pages["README.md"])
        self.assertIn("[r](../README.md)", pages["docs/a.md"])

    def test_sources_and_folders_become_pages(self):
        self.write("lib/x.cc", "int x;  // ```\n")
        self.write("lib/sub/y.h", "```\n")
        pages = self.staged(README="# R\n", docs__a="# A\n\n[x](../lib/x.cc), [all](../lib), [`y`](../lib/sub/y.h)\n")
        self.assertIn("[x](../lib/x.cc.md), [all](../lib/index.md), [`y`](../lib/sub/y.h.md)", pages["docs/a.md"])
        self.assertIn("```cpp\nint x;", pages["lib/x.cc.md"])
        self.assertIn("- [x.cc](x.cc.md)", pages["lib/index.md"])
        self.assertIn("``````cpp\n```\n``````\n", pages["lib/sub/y.h.md"])

    def test_links_that_lead_nowhere_are_named(self):
        with self.assertRaisesRegex(FileNotFoundError, r"docs/a\.md: the link to b\.md leads nowhere"):
            self.staged(README="# R\n", docs__a="[b](b.md)\n")

    def test_code_is_left_alone(self):
        text = "# A\n\n`[a](b)` and\n\n```toml\n# not a heading\n[x](y)\n```\n\n## A\n"
        page = self.staged(README="# R\n", a=text)["a.md"]
        self.assertIn("`[a](b)` and\n\n```toml\n# not a heading\n[x](y)\n```\n\n## A {#a-1}\n", page)

    def test_marks_go_and_lists_are_lists(self):
        page = self.staged(README="# R\n", a="# A\n\n<!-- not run: no -->\n```sh\nx\n```\n\ntext:\n- one\n  more\n- two\n")["a.md"]
        self.assertIn("\n\n```sh\nx\n```\n\ntext:\n\n- one\n  more\n- two\n", page)

    def test_navigation_has_what_exists_in_order(self):
        self.staged(README="# R\n", docs__glossary="# G\n", docs__start="# S\n", proofs__core="# C\n", proofs__README="# P\n")
        navigation = build_site.Stage(self.tree).navigation()
        self.assertEqual(navigation[:3], ["README.md", {"Manual": ["docs/start.md", "docs/glossary.md"]},
                                          {"Theory": [{"Proofs": ["proofs/README.md", "proofs/core.md"]}]}])


class CheckSiteTest(ToolCase):
    def problems(self, **pages):
        for name, text in pages.items():
            self.write(f"{name}.html", text)
        return list(check_site.problems_of_site(self.tree))

    def test_links_that_lead_somewhere_are_fine(self):
        self.assertEqual(self.problems(a='<h1 id="x"><a href="b.html#y">b</a><a href="#x">x</a>', b='<p id="y">'
                                       '<a href="https://x.org/">outside</a><img src="a.html">'), [])

    def test_links_that_do_not_are_named(self):
        for link, problem in (("c.html", "leads nowhere"), ("#z", "no such anchor"), ("../../x.html", "leaves the site")):
            (found,) = self.problems(a=f'<a href="{link}">')
            self.assertIn(problem, found)

    def test_loads_from_elsewhere_are_named(self):
        for page in ('<script src="https://x.org/a.js">', '<link rel="stylesheet" href="//x.org/a.css">',
                     '<img src="http://x.org/a.png">'):
            self.assertRegex(self.problems(a=page)[0], "from another host")
        self.write("a.css", "@import 'https://x.org/b.css'; p { background: url(//x.org/c.png) }")
        self.assertEqual(len(self.problems(a="<p>")), 2)


class ManualTest(unittest.TestCase):
    """The documents of this repository."""

    def test_every_link_of_every_page_leads_to_a_page(self):
        stage = build_site.Stage(ROOT)
        for name, text in stage.pages.items():
            text = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
            for _, target, _ in build_site.LINK.findall(text):
                path = target.partition("#")[0]
                if path and not build_site.is_outside(target):
                    place = pathlib.PurePosixPath(name).parent / path
                    place = (ROOT / place).resolve().relative_to(ROOT).as_posix()
                    self.assertTrue(place in stage.pages or place in stage.copies, f"{name}: {target}")

    @unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed; ./run docs installs it")
    def test_the_site_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder) / "site"
            sys.argv = ["build_site.py", str(ROOT), str(pathlib.Path(folder) / "source"), str(site)]
            self.assertEqual(build_site.main(), 0)
            self.assertIn("__search", (site / "search/search_index.js").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
