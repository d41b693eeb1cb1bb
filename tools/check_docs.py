#!/usr/bin/env python3
"""check_docs.py [ROOT]: fails where the documents and the code have drifted apart.

It asks six things:
  - every folder under lastbit/ that holds code has a README.md of at most 25 lines;
  - every relative link of a *.md file leads to a file, and its #anchor to a heading there;
  - every link [`name`](file) to a file of code names something that stands in the file: a function,
    Class::member, Suite.Test or theorem;
  - every `proofs/….md#anchor` named in code or text exists;
  - every [Key] in a Source slot of a header, and every [Name2012] in a *.md file, stands in
    docs/bibliography.md;
  - every public make_* constructor has a comment directly above it with the slots Requires,
    Ensures and Proof.
An anchor is the slug of a heading (as forges make it) or an explicit <a id="…">.
"""

import pathlib
import re
import sys

README_LINES = 25
SLOTS = ("Requires", "Ensures", "Proof")
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
PROOF = re.compile(r"\bproofs/[\w/.-]*?\.md(?:#[\w-]+)?")
CITATION = re.compile(r"(?<!\*)\[([A-Z][A-Za-z]+[12][0-9]{3}[a-z]?)\](?!\()")
NAMED = re.compile(r"\[`([A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*)`\]\(([^)\s#]+\.(?:h|cc|py|v))\)")
SOURCE = re.compile(r"^\s*// Source\s+(.*)$")
MAKE = re.compile(r"^(?=\S)(?:[\w:<>,&*\[\] ]*[\s>&*])?(make_\w+)\(")
TEXT_SUFFIXES = (".md", ".h", ".cc", ".py", ".dp")


def files(root, *suffixes):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in suffixes and path.is_file():
            if not re.match(r"(build|\.git)/|third_party/.*node_modules/", name):
                yield name


def without_code(text):
    """The text with fenced and inline code blanked, line numbers kept."""
    text = re.sub(r"^(```|~~~).*?^\1", lambda m: "\n" * m[0].count("\n"), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def slug(heading):
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(path):
    """The anchors of a Markdown file."""
    text = path.read_text(encoding="utf-8")
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    seen = {}
    outside = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
    for heading in re.findall(r"^#{1,6}\s+(.+?)\s*#*$", outside, re.M):
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def check_readmes(root):
    folders = {pathlib.Path(name).parent for name in files(root, ".h", ".cc") if name.startswith("lastbit/")}
    for folder in sorted(folders):
        readme = root / folder / "README.md"
        if not readme.exists():
            yield f"{folder}: holds code but no README.md"
            continue
        lines = len(readme.read_text(encoding="utf-8").splitlines())
        if lines > README_LINES:
            yield f"{folder}/README.md: has {lines} lines; keep it to {README_LINES}"


def check_links(root):
    for name in files(root, ".md"):
        text = without_code((root / name).read_text(encoding="utf-8"))
        for match in LINK.finditer(text):
            target = match[1] or match[2]
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            number = text.count("\n", 0, match.start()) + 1
            file, _, anchor = target.partition("#")
            path = (root / name).parent / file if file else root / name
            if not path.exists():
                yield f"{name}:{number}: the link to {target} leads nowhere"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                yield f"{name}:{number}: {target} has no such anchor"


def check_names(root):
    for name in files(root, ".md"):
        text = (root / name).read_text(encoding="utf-8")
        for match in NAMED.finditer(text):
            path = (root / name).parent / match[2]
            if not path.exists() or match[1] == path.name:
                continue
            words = set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
            missing = [part for part in re.split(r"::|\.", match[1]) if part not in words]
            if missing:
                number = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{number}: {match[2]} does not mention {match[1]}"


def check_proofs(root):
    known = {}
    for name in files(root, *TEXT_SUFFIXES):
        # The tests of the tools name proofs that must not exist.
        if name.startswith(("tests/tools/", "tools/")):
            continue
        for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
            for reference in PROOF.findall(line):
                file, _, anchor = reference.partition("#")
                if file not in known:
                    known[file] = anchors(root / file) if (root / file).exists() else None
                if known[file] is None:
                    yield f"{name}:{number}: there is no {file}"
                elif anchor and anchor not in known[file]:
                    yield f"{name}:{number}: {file} has no anchor #{anchor}"


def check_sources(root):
    bibliography = root / "docs/bibliography.md"
    known = set()
    if bibliography.exists():
        known = set(re.findall(r"^- \*\*\[([^\]]+)\]\*\*", bibliography.read_text(encoding="utf-8"), re.M))
    for name in files(root, ".h"):
        for number, line in enumerate((root / name).read_text(encoding="utf-8").splitlines(), 1):
            source = SOURCE.match(line)
            if not source:
                continue
            keys = re.findall(r"\[([^\]]+)\]", source[1])
            if not keys:
                yield f"{name}:{number}: a Source names a [Key] of docs/bibliography.md"
            for key in keys:
                if key not in known:
                    yield f"{name}:{number}: docs/bibliography.md has no [{key}]"
    for name in files(root, ".md"):
        text = without_code((root / name).read_text(encoding="utf-8"))
        for match in CITATION.finditer(text):
            if match[1] not in known:
                number = text.count("\n", 0, match.start()) + 1
                yield f"{name}:{number}: docs/bibliography.md has no [{match[1]}]"


def comment_above(lines, index):
    """The comment block above the declaration that starts near lines[index], or ''."""
    index -= 1
    while index >= 0 and lines[index].strip() and not lines[index].lstrip().startswith("//"):
        index -= 1
    end = index
    while index >= 0 and lines[index].lstrip().startswith("//"):
        index -= 1
    return lines[index + 1 : end + 1]


def check_constructors(root):
    for name in files(root, ".h"):
        if not name.startswith("lastbit/"):
            continue
        lines = (root / name).read_text(encoding="utf-8").splitlines()
        internal = False
        for index, line in enumerate(lines):
            if re.match(r"namespace (\w+::)*(internal|detail) \{", line):
                internal = True
            elif re.match(r"\}  // namespace (\w+::)*(internal|detail)", line):
                internal = False
            declared = MAKE.match(line)
            if internal or not declared:
                continue
            comment = comment_above(lines, index)
            missing = [slot for slot in SLOTS if not any(re.match(rf"\s*// {slot}\b", text) for text in comment)]
            if missing:
                yield f"{name}:{index + 1}: the comment of {declared[1]} lacks {', '.join(missing)}"


def check(root):
    problems = []
    for part in (check_readmes, check_links, check_names, check_proofs, check_sources, check_constructors):
        problems.extend(part(root))
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    problems = check(root)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
