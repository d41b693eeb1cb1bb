#!/usr/bin/env python3
"""Keeps in package-lock.json only the two packages of package.json.

The package @duckdb/node-bindings would bring the libraries of all other systems, hundreds of megabytes;
without their entries `npm ci` fetches none of them. Run after
`npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved`.
"""

import json
import pathlib

LOCK = pathlib.Path(__file__).parent / "package-lock.json"


def main():
    lock = json.loads(LOCK.read_text())
    wanted = lock["packages"][""]["dependencies"]
    kept = {"": lock["packages"][""]}
    for name in sorted(wanted):
        entry = lock["packages"][f"node_modules/{name}"]
        entry.pop("dependencies", None)
        entry.pop("optionalDependencies", None)
        assert entry["version"] == wanted[name] and entry["integrity"].startswith("sha512-")
        kept[f"node_modules/{name}"] = entry
    lock["packages"] = kept
    LOCK.write_text(json.dumps(lock, indent=2) + "\n")


if __name__ == "__main__":
    main()
