#!/usr/bin/env python3
"""check_symbols.py BUILD: fails when a module that draws noise links what it must not.

The modules below compute with exact numbers only. A call of the C library's mathematics, or of any
random generator but ours, would show as a symbol of their static libraries; `nm` lists them.
"""

import pathlib
import re
import subprocess
import sys

MODULES = ("random", "core", "transformations", "mechanisms", "accounting", "verify_kernel")
LIBM = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot "
    "lgamma log log10 log1p log2 pow sin sincos sinh tan tanh tgamma"
).split()
GENERATORS = "rand rand_r random random_r srand srandom drand48 erand48 lrand48 mrand48 arc4random".split()
FORBIDDEN = {name + suffix for name in LIBM for suffix in ("", "f", "l")} | set(GENERATORS)
# Vector versions (libmvec), and the finite-only entry points that fast-math would call.
VARIANT = re.compile(r"^_ZGV.*_(%s)f?$|^__(%s)f?l?_finite$" % ("|".join(LIBM), "|".join(LIBM)))
STANDARD = re.compile(
    r"^_ZN?K?St.*(mersenne_twister_engine|linear_congruential_engine|subtract_with_carry_engine|"
    r"random_device|[a-z]_distribution)"
)


def forbidden(symbol):
    symbol = symbol.split("@")[0]
    return symbol in FORBIDDEN or bool(VARIANT.match(symbol) or STANDARD.match(symbol))


def symbols(library):
    """Pairs of object file and symbol name, defined or not."""
    listing = subprocess.run(
        ["nm", "--print-file-name", "--format=posix", str(library)], capture_output=True, text=True, check=True
    ).stdout
    for line in listing.splitlines():
        place, _, rest = line.partition(": ")
        if rest:
            yield place, rest.split()[0]


def check(build):
    libraries = [path for module in MODULES for path in sorted(build.rglob(f"liblastbit_{module}.a"))]
    if not libraries:
        return [f"{build}: holds no library of a module that draws noise; build first"]
    found = {
        f"{place}: refers to `{symbol}`, which is banned where noise is drawn"
        for library in libraries
        for place, symbol in symbols(library)
        if forbidden(symbol)
    }
    return sorted(found)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
