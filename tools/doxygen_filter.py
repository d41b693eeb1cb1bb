#!/usr/bin/env python3
"""doxygen_filter.py HEADER: the header with its // comments in the form Doxygen reads.

Comments that start a line become ///, the slots of our header comments (Requires, Ensures, …)
become paragraphs with a title, and what Doxygen would take for a command or a tag is escaped.
"""

import pathlib
import re
import sys

SLOTS = "Requires|Ensures|Limits|Fails|Numerics|Proof|Source|Guarantee|Not promised|Domain|Result|Cost"
COMMENT = re.compile(r"^(\s*)//(?!/) ?(.*)$")
SLOT = re.compile(rf"^({SLOTS})\s\s+(.*)$")


def escaped(text):
    """Doxygen's own signs made plain, and `code` made a tag."""
    text = re.sub(r"([\\@#<>&])", r"\\\1", text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text).replace("`", "'")


def filtered(lines):
    at_top = True
    for line in lines:
        comment = COMMENT.match(line)
        if not comment:
            at_top = False
            yield line
            continue
        indent, text = comment.groups()
        prefix = f"{indent}///"
        if at_top:
            yield f"{prefix} @file"
            at_top = False
        slot = SLOT.match(text)
        if slot:
            yield f"{prefix} @par {slot[1]}\n{prefix} {escaped(slot[2])}"
        else:
            yield f"{prefix} {escaped(text.lstrip())}"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    print("\n".join(filtered(text.splitlines())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
