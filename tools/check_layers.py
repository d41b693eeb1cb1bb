#!/usr/bin/env python3
"""check_layers.py [ROOT]: fails on an #include that ARCHITECTURE.md does not allow, and on an edge
there that no #include needs.

The allowed edges are the lines of the block fenced as ```layers in ARCHITECTURE.md:

    room -> room, room            files of the first room may include the others, and whatever
                                  those may include in turn
    room                          this room includes nothing of ours but itself
    room [tests] -> room          further rooms for the *_test.cc files of the room

A room is a folder under lastbit/ (`core`, `verify/stability`) or one at the top (`cli`). Beside the
edges it enforces who may see which outside library, that no file uses <random>, and that nothing
is compiled with fast-math; benchmarks, which compare us with such things, are free to.
"""

import pathlib
import re
import sys

TOP_ROOMS = ("cli", "python", "benchmarks", "examples", "tests")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
FENCE = re.compile(r"^```layers\n(.*?)^```", re.MULTILINE | re.DOTALL)
EDGE = re.compile(r"^([\w/]+)(\s*\[tests\])?\s*(?:->\s*(.+))?$")
FAST_MATH = re.compile(r"-ffast-math|-Ofast|-funsafe-math|fast-math")

# Outside headers, the rooms that may include them, and whether headers of the room may.
OUTSIDE = (
    (re.compile(r"^(gmp|gmpxx|mpfr|mpf2mpfr)\.h$"), ("numerics",), True),
    (re.compile(r"^(flint/.*|arb(_.*)?|acb(_.*)?|arf|mag|fmpz(_.*)?|fmpq(_.*)?)\.h$"), ("numerics",), True),
    (re.compile(r"^openssl/evp\.h$"), ("random", "accounting"), True),
    (re.compile(r"^openssl/(?!evp\.h$)"), ("random",), True),
    (re.compile(r"^sqlite3\.h$"), ("accounting",), False),
    (re.compile(r"^duckdb\.h(pp)?$"), ("engines/duckdb",), False),
    (re.compile(r"^z3(\+\+)?\.h$"), ("verify/search",), False),
    (re.compile(r"^toml\+\+/"), ("release",), False),
)


class Layers:
    """The rooms and what each may include, read from the block."""

    def __init__(self, text):
        self.problems = []
        self.direct = {}
        self.for_tests = {}
        block = FENCE.search(text)
        if not block:
            self.problems.append("ARCHITECTURE.md: has no block fenced as ```layers")
            return
        for line in filter(None, map(str.strip, block[1].splitlines())):
            self.add(line)
        self.reject_unknown_and_cycles()

    def add(self, line):
        edge = EDGE.match(line)
        if not edge:
            self.problems.append(f"ARCHITECTURE.md: cannot read the layers line `{line}`")
            return
        room, tests, targets = edge.groups()
        names = [name.strip() for name in (targets or "").split(",") if name.strip()]
        table = self.for_tests if tests else self.direct
        if room in table:
            self.problems.append(f"ARCHITECTURE.md: the room `{room}` has two layers lines")
        table[room] = names

    def reject_unknown_and_cycles(self):
        for table in (self.direct, self.for_tests):
            for room, names in table.items():
                for name in [room, *names]:
                    if name not in self.direct:
                        self.problems.append(f"ARCHITECTURE.md: the room `{name}` has no layers line")
        for room, names in self.direct.items():
            if any(room in self.below(name) for name in names):
                self.problems.append(f"ARCHITECTURE.md: the room `{room}` stands on itself")

    def below(self, room):
        """The room and everything it stands on."""
        found, waiting = set(), [room]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self.direct.get(name, []))
        return found

    def allowed(self, room, is_test):
        rooms = self.below(room)
        for extra in self.for_tests.get(room, []) if is_test else []:
            rooms |= self.below(extra)
        return rooms

    def unused(self, included, included_by_tests):
        """The edges that can go: (room, target, is_for_tests).

        Each argument holds, for a room, the other rooms that its files (its *_test.cc files) include. An
        edge is in use if a file includes the target itself, or something that no other edge reaches.
        """
        for room, targets in self.direct.items():
            wanted = included.get(room, set()) | included_by_tests.get(room, set())
            for target in targets:
                others = self.reach([other for other in targets if other != target])
                if target not in wanted and not wanted & (self.below(target) - others):
                    yield room, target, False
        for room, targets in self.for_tests.items():
            wanted = included_by_tests.get(room, set())
            for target in targets:
                # Whatever the room may include anyway, its tests may as well.
                others = self.below(room) | self.reach([other for other in targets if other != target])
                if target in self.below(room) or (
                    target not in wanted and not wanted & (self.below(target) - others)
                ):
                    yield room, target, True

    def reach(self, rooms):
        """The rooms and everything they stand on."""
        return set().union(*map(self.below, rooms))

    def room_of(self, path):
        """The room a path like lastbit/core/metric.h lies in, or None."""
        parts = path.split("/")[:-1]
        if not parts:
            return None
        if parts[0] != "lastbit":
            return parts[0] if parts[0] in TOP_ROOMS else None
        for length in range(len(parts), 1, -1):
            name = "/".join(parts[1:length])
            if name in self.direct:
                return name
        return None


def check_quoted(layers, path, room, target):
    """The problem with `#include "target"` in a file of `room`, or None."""
    top = target.split("/")[0]
    if top != "lastbit" and top not in TOP_ROOMS:
        return f'write the path from the root of the repository instead of "{target}"'
    other = layers.room_of(target)
    if other is None:
        return f'"{target}" lies in no room of ARCHITECTURE.md'
    if other not in layers.allowed(room, path.endswith("_test.cc")):
        return f"the room `{room}` may not include `{other}` (see ARCHITECTURE.md)"
    return None


def check_outside(path, room, target):
    """The problem with including the outside header `target`, or None."""
    # A benchmark measures us against these very libraries.
    if room == "benchmarks":
        return None
    if target == "random":
        return "<random> is not exact and not secure; draw from lastbit/random"
    for pattern, rooms, in_headers in OUTSIDE:
        if not pattern.match(target):
            continue
        if room not in rooms:
            return f"only {', '.join(rooms)} may include <{target}>"
        if not in_headers and path.endswith(".h"):
            return f"<{target}> may be included by .cc files only"
    return None


def check_source(layers, root, path):
    room = layers.room_of(path)
    if room is None or room not in layers.direct:
        yield f"{path}: lies in no room; add its folder to the layers block of ARCHITECTURE.md"
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        problem = None
        include = INCLUDE.match(line)
        if include:
            quoted = include[1] == '"'
            problem = check_outside(path, room, include[2])
            if problem is None and quoted:
                problem = check_quoted(layers, path, room, include[2])
        elif line.lstrip().startswith("#pragma") and FAST_MATH.search(line) and room != "benchmarks":
            problem = "fast-math changes results; it is banned"
        if problem:
            yield f"{path}:{number}: {problem}"


def check_edges(layers, root, paths):
    """A problem for each edge of the block that no file needs."""
    included, included_by_tests = {}, {}
    for path in paths:
        room = layers.room_of(path)
        table = included_by_tests if path.endswith("_test.cc") else included
        for line in (root / path).read_text(encoding="utf-8").splitlines():
            include = INCLUDE.match(line)
            other = layers.room_of(include[2]) if include and include[1] == '"' else None
            if other not in (None, room):
                table.setdefault(room, set()).add(other)
    for room, target, is_for_tests in layers.unused(included, included_by_tests):
        tests = " [tests]" if is_for_tests else ""
        yield f"ARCHITECTURE.md: no file needs the edge `{room}{tests} -> {target}`; remove it"


def check_build_file(root, path):
    if path.startswith("benchmarks/"):
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        if FAST_MATH.search(line.split("#")[0]):
            yield f"{path}:{number}: fast-math changes results; it is banned"


def files(root, *patterns):
    for pattern in patterns:
        for path in sorted(root.rglob(pattern)):
            name = path.relative_to(root).as_posix()
            if not re.match(r"(build|\.git)/|third_party/.*node_modules/", name):
                yield name


def check(root):
    architecture = root / "ARCHITECTURE.md"
    if not architecture.exists():
        return ["ARCHITECTURE.md: is missing"]
    layers = Layers(architecture.read_text(encoding="utf-8"))
    problems = list(layers.problems)
    # What tests/install builds is a project of its own.
    sources = [path for path in files(root, "*.h", "*.cc") if not path.startswith("tests/install/")]
    for path in sources:
        problems.extend(check_source(layers, root, path))
    # Edges of a block that is wrong, or wrong includes, would only repeat what was said above.
    if not problems:
        problems.extend(check_edges(layers, root, sources))
    for path in files(root, "CMakeLists.txt", "*.cmake", "CMakePresets.json"):
        problems.extend(check_build_file(root, path))
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    problems = check(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
