#!/usr/bin/env python3
"""check_layers.py [ROOT]: fails on an #include that ARCHITECTURE.md does not allow, and on an edge
there that no #include needs.

The allowed edges are the lines of the block fenced as ```layers in ARCHITECTURE.md:

    module -> module, module        files of the first module may include the others, and whatever
                                    those may include in turn
    module                          this module includes nothing of ours but itself
    module [tests] -> module        further modules for the *_test.cc files of the module

A module is a folder under lastbit/ (`core`, `verify/stability`) or one at the top (`cli`); `lastbit` is the
header lastbit/lastbit.h. Beside the edges it enforces that only headers are included, who may see which
outside library, that no file uses <random>, and that nothing is compiled with fast-math; benchmarks, which
compare us with such things, are free to.
"""

import pathlib
import re
import sys

TOP_MODULES = ("cli", "python", "benchmarks", "examples", "tests")
UMBRELLA = "lastbit/lastbit.h"
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
FENCE = re.compile(r"^```layers\n(.*?)^```", re.MULTILINE | re.DOTALL)
EDGE = re.compile(r"^([\w/]+)(\s*\[tests\])?\s*(?:->\s*(.+))?$")
FAST_MATH = re.compile(r"-ffast-math|-Ofast|-funsafe-math|fast-math")

# Outside headers, the modules that may include them, and whether headers of the module may.
OUTSIDE = (
    (re.compile(r"^(gmp|gmpxx|mpfr|mpf2mpfr)\.h$"), ("numerics",), True),
    (re.compile(r"^(flint/.*|arb(_.*)?|acb(_.*)?|arf|mag|fmpz(_.*)?|fmpq(_.*)?)\.h$"), ("numerics",), True),
    (re.compile(r"^openssl/evp\.h$"), ("random", "accounting"), True),
    (re.compile(r"^openssl/(?!evp\.h$)"), ("random",), True),
    (re.compile(r"^sqlite3\.h$"), ("accounting",), False),
    (re.compile(r"^libpq"), ("postgres",), False),
    (re.compile(r"^duckdb\.h(pp)?$"), ("engines/duckdb",), False),
    (re.compile(r"^z3(\+\+)?\.h$"), ("verify/search",), False),
    (re.compile(r"^toml\+\+/"), ("release",), False),
    (re.compile(r"^utf8proc\.h$"), ("base",), False),
    (re.compile(r"^(zlib|zstd)\.h$"), ("sources",), False),
    (re.compile(r"^editline/"), ("cli",), False),
    (re.compile(r"^nanobind/"), ("python",), True),
)


class Layers:
    """The modules and what each may include, read from the block."""

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
        module, tests, targets = edge.groups()
        names = [name.strip() for name in (targets or "").split(",") if name.strip()]
        table = self.for_tests if tests else self.direct
        if module in table:
            self.problems.append(f"ARCHITECTURE.md: the module `{module}` has two layers lines")
        table[module] = names

    def reject_unknown_and_cycles(self):
        for table in (self.direct, self.for_tests):
            for module, names in table.items():
                for name in [module, *names]:
                    if name not in self.direct:
                        self.problems.append(f"ARCHITECTURE.md: the module `{name}` has no layers line")
        for module, names in self.direct.items():
            if any(module in self.below(name) for name in names):
                self.problems.append(f"ARCHITECTURE.md: the module `{module}` stands on itself")

    def below(self, module):
        """The module and everything it stands on."""
        found, waiting = set(), [module]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self.direct.get(name, []))
        return found

    def allowed(self, module, is_test):
        modules = self.below(module)
        for extra in self.for_tests.get(module, []) if is_test else []:
            modules |= self.below(extra)
        return modules

    def unused(self, included, included_by_tests):
        """The edges that can go: (module, target, is_for_tests).

        Each argument holds, for a module, the other modules that its files (its *_test.cc files) include. An
        edge is in use if a file includes the target itself, or something that no other edge reaches.
        """
        for module, targets in self.direct.items():
            wanted = included.get(module, set()) | included_by_tests.get(module, set())
            for target in targets:
                others = self.reach([other for other in targets if other != target])
                if target not in wanted and not wanted & (self.below(target) - others):
                    yield module, target, False
        for module, targets in self.for_tests.items():
            wanted = included_by_tests.get(module, set())
            for target in targets:
                # Whatever the module may include anyway, its tests may as well.
                others = self.below(module) | self.reach([other for other in targets if other != target])
                if target in self.below(module) or (
                    target not in wanted and not wanted & (self.below(target) - others)
                ):
                    yield module, target, True

    def reach(self, modules):
        """The modules and everything they stand on."""
        return set().union(*map(self.below, modules))

    def module_of(self, path):
        """The module a path like lastbit/core/metric.h lies in, or None."""
        parts = path.split("/")[:-1]
        if not parts:
            return None
        if parts[0] != "lastbit":
            return parts[0] if parts[0] in TOP_MODULES else None
        if path == UMBRELLA:
            return "lastbit"
        for length in range(len(parts), 1, -1):
            name = "/".join(parts[1:length])
            if name in self.direct:
                return name
        return None


def check_quoted(layers, path, module, target):
    """The problem with `#include "target"` in a file of `module`, or None."""
    top = target.split("/")[0]
    if top != "lastbit" and top not in TOP_MODULES:
        return f'write the path from the root of the repository instead of "{target}"'
    if not target.endswith(".h"):
        return f'"{target}" is not a header; only headers may be included'
    other = layers.module_of(target)
    if other is None:
        return f'"{target}" lies in no module of ARCHITECTURE.md'
    if other not in layers.allowed(module, path.endswith("_test.cc")):
        return f"the module `{module}` may not include `{other}` (see ARCHITECTURE.md)"
    return None


def check_outside(path, module, target):
    """The problem with including the outside header `target`, or None."""
    # A benchmark measures us against these very libraries.
    if module == "benchmarks":
        return None
    if target == "random":
        return "<random> is not exact and not secure; draw from lastbit/random"
    for pattern, modules, in_headers in OUTSIDE:
        if not pattern.match(target):
            continue
        if module not in modules:
            return f"only {', '.join(modules)} may include <{target}>"
        if not in_headers and path.endswith(".h"):
            return f"<{target}> may be included by .cc files only"
    return None


def check_source(layers, root, path):
    module = layers.module_of(path)
    if module is None or module not in layers.direct:
        yield f"{path}: lies in no module; add its folder to the layers block of ARCHITECTURE.md"
        return
    for number, line in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
        problem = None
        include = INCLUDE.match(line)
        if include:
            quoted = include[1] == '"'
            problem = check_outside(path, module, include[2])
            if problem is None and quoted:
                problem = check_quoted(layers, path, module, include[2])
        elif line.lstrip().startswith("#pragma") and FAST_MATH.search(line) and module != "benchmarks":
            problem = "fast-math changes results; it is banned"
        if problem:
            yield f"{path}:{number}: {problem}"


def check_edges(layers, root, paths):
    """A problem for each edge of the block that no file needs."""
    included, included_by_tests = {}, {}
    for path in paths:
        module = layers.module_of(path)
        table = included_by_tests if path.endswith("_test.cc") else included
        for line in (root / path).read_text(encoding="utf-8").splitlines():
            include = INCLUDE.match(line)
            other = layers.module_of(include[2]) if include and include[1] == '"' else None
            if other not in (None, module):
                table.setdefault(module, set()).add(other)
    for module, target, is_for_tests in layers.unused(included, included_by_tests):
        tests = " [tests]" if is_for_tests else ""
        yield f"ARCHITECTURE.md: no file needs the edge `{module}{tests} -> {target}`; remove it"


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
            if not re.match(r"(build|\.git|third_party)/", name):
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
