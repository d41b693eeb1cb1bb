#!/usr/bin/env python3
"""Compares our header of DuckDB with the library it is for. usage: check_duckdb_header.py [FOLDER]

FOLDER is third_party/duckdb or a tree like it. The package of the library carries no header. But the
package @duckdb/node-bindings of the same version quotes the C declaration of every function, and the
numbers of the enumerations. So every function that include/duckdb.h declares must be quoted there with
the same words and be exported by the library, the enumerations must have the same numbers, and the
library must say that it is of the version of both packages.
"""

import ctypes
import json
import pathlib
import re
import sys

LIBRARY = "@duckdb/node-bindings-linux-x64"
QUOTES = "@duckdb/node-bindings"
ENUMERATIONS = {"Type": "DUCKDB_TYPE_", "PendingState": "DUCKDB_PENDING_"}


def plain(declaration):
    return re.sub(r"\s*([*(),])\s*", r"\1", " ".join(declaration.split()))


def declarations(text):
    """The functions that C text declares, by name."""
    found = re.findall(r"(?m)^(?!typedef)([a-z_][\w \n*]*?\b(duckdb_\w+)\([^;{}]*\));", text)
    return {name: plain(declaration) for declaration, name in found}


def enumerators(text, prefix):
    return dict(re.findall(rf"\b({prefix}\w+) = (\d+)", text))


def quoted_enumerators(quotes, name, prefix):
    body = re.search(rf"export enum {name} \{{(.*?)\}}", quotes, re.S)
    return {prefix + key: value for key, value in re.findall(r"(\w+) = (\d+)", body[1])} if body else {}


def version_of(library):
    library.duckdb_library_version.restype = ctypes.c_char_p
    return library.duckdb_library_version().decode()


def complaints(folder):
    pinned = json.loads((folder / "package.json").read_text())["dependencies"]
    if pinned[LIBRARY] != pinned[QUOTES]:
        yield f"package.json: {LIBRARY} and {QUOTES} are pinned to different versions"
    header = (folder / "include/duckdb.h").read_text()
    packages = folder / "node_modules"
    quotes = (packages / QUOTES / "duckdb.d.ts").read_text()
    quoted = declarations(quotes.replace("// DUCKDB_C_API ", ""))
    library = ctypes.CDLL(str(packages / LIBRARY / "libduckdb.so"))
    declared = declarations(header)
    if not declared:
        yield "duckdb.h: no function is declared"
    for name, declaration in sorted(declared.items()):
        if declaration != quoted.get(name):
            yield f"duckdb.h: {name} is not declared as in DuckDB {pinned[QUOTES]}: {quoted.get(name)}"
        elif not hasattr(library, name):
            yield f"duckdb.h: the library does not export {name}"
    for name, prefix in ENUMERATIONS.items():
        if enumerators(header, prefix) != quoted_enumerators(quotes, name, prefix):
            yield f"duckdb.h: the numbers of {prefix}… are not those of DuckDB {pinned[QUOTES]}"
    if version_of(library) != "v" + pinned[LIBRARY].split("-")[0]:
        yield f"libduckdb.so: it is {version_of(library)}, and {pinned[LIBRARY]} is pinned"


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "third_party/duckdb"
    found = list(complaints(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default))
    print("".join(line + "\n" for line in found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
