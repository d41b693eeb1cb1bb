#!/usr/bin/env python3
"""check_documents.py ROOT: fails where a document shows code or output that no example has.

In README.md and docs/*.md, every block fenced as ```cpp must stand, line for line, in some
examples/*/main.cc (there it may be indented), and every block fenced as ```text in some
examples/*/output.txt. What such a file holds was compiled, run and compared by the other tests.
"""

import pathlib
import re
import sys

FENCE = re.compile(r"^```(cpp|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCE_OF = {"cpp": "main.cc", "text": "output.txt"}
DEEPEST = 8


def stands_in(block, source):
    """Whether the lines of the block follow one another in the source, all indented alike."""
    for depth in range(DEEPEST + 1):
        lines = ["" if not line else " " * depth + line for line in block.splitlines()]
        if "\n" + "\n".join(lines) + "\n" in "\n" + source:
            return True
    return False


def check(root):
    sources = {
        kind: [path.read_text(encoding="utf-8") for path in sorted(root.glob(f"examples/*/{name}"))]
        for kind, name in SOURCE_OF.items()
    }
    problems = []
    for document in [root / "README.md", *sorted(root.glob("docs/*.md"))]:
        text = document.read_text(encoding="utf-8")
        for block in FENCE.finditer(text):
            kind, body = block[1], block[2]
            if not any(stands_in(body, source) for source in sources[kind]):
                line = text.count("\n", 0, block.start()) + 1
                problems.append(f"{document.relative_to(root)}:{line}: no examples/*/{SOURCE_OF[kind]} has this block")
    return problems


def main():
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
