#!/usr/bin/env python3
"""check_documents.py ROOT: fails where a document shows what is not there.

In README.md and docs/*.md, every block fenced as ```cpp must stand, line for line, in some
examples/*/main.cc (there it may be indented), and every block fenced as ```text in some
examples/*/output.txt. What such a file holds was compiled, run and compared by the other tests. In
these and in proofs/*.md, every test named as `SubjectTest.Behaviour` must stand in a *_test.cc.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^```(cpp|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TEST_NAME = re.compile(r"`(\w+Test)\.(\w+)`")
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\((\w+),\s*(\w+)", re.MULTILINE)
SOURCE_OF = {"cpp": "main.cc", "text": "output.txt"}
DEEPEST = 8


def stands_in(block, source):
    """Whether the lines of the block follow one another in the source, all indented alike."""
    for depth in range(DEEPEST + 1):
        lines = ["" if not line else " " * depth + line for line in block.splitlines()]
        if "\n" + "\n".join(lines) + "\n" in "\n" + source:
            return True
    return False


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


def check_blocks(root):
    sources = {
        kind: [path.read_text(encoding="utf-8") for path in sorted(root.glob(f"examples/*/{name}"))]
        for kind, name in SOURCE_OF.items()
    }
    for document in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
        text = document.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            kind, body = block[1], block[2]
            if not any(stands_in(body, source) for source in sources[kind]):
                place = f"{document.relative_to(root)}:{line_of(text, block)}"
                yield f"{place}: no examples/*/{SOURCE_OF[kind]} has this block"


def check_test_names(root):
    known = set()
    for path in root.glob("lastbit/**/*_test.cc"):
        known.update(TEST.findall(path.read_text(encoding="utf-8")))
    for document in sorted([root / "README.md", *root.glob("docs/*.md"), *root.glob("proofs/*.md")]):
        text = document.read_text(encoding="utf-8")
        for name in TEST_NAME.finditer(text):
            if name.groups() not in known:
                place = f"{document.relative_to(root)}:{line_of(text, name)}"
                yield f"{place}: there is no test {name[1]}.{name[2]}"


def check(root):
    return [*check_blocks(root), *check_test_names(root)]


def main():
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
