#!/usr/bin/env python3
"""coverage_table.py SUMMARY: the line coverage of each folder, from gcovr's JSON summary."""

import collections
import json
import pathlib
import sys


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    summary = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    folders = collections.defaultdict(lambda: [0, 0])
    for file in summary["files"]:
        counts = folders[str(pathlib.PurePosixPath(file["filename"]).parent)]
        counts[0] += file["line_covered"]
        counts[1] += file["line_total"]
    folders = dict(sorted(folders.items()))
    folders["total"] = [sum(column) for column in zip(*folders.values())] if folders else [0, 0]
    print(f"{'folder':<32}{'covered':>9}{'lines':>9}{'share':>10}")
    for name, (covered, lines) in folders.items():
        print(f"{name:<32}{covered:>9}{lines:>9}{100 * covered / max(lines, 1):>8.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
