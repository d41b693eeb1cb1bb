"""Runs the blocks of kind python of docs/spark.md, in order."""

import doctest
import pathlib
import re

MASTER = "local[2]"
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "spark.md"
BLOCK = re.compile(r"(?P<before>[^\n]*)\n+```python\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def test_page(spark, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text("utf-8")
    names, ran = {"spark": spark}, 0
    for block in BLOCK.finditer(text):
        if "not run:" in block["before"]:
            continue
        line = text[: block.start("text")].count("\n")
        test = doctest.DocTestParser().get_doctest(block["text"], names, "docs/spark.md", str(PAGE), line)
        found = []
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=found.append, clear_globs=False)
        assert not found, "".join(found)
        names, ran = test.globs, ran + len(test.examples)
    assert ran >= 6
