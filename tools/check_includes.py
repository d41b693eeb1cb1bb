#!/usr/bin/env python3
"""check_includes.py BUILD [ROOT]: fails when a file does not include what it uses.

The build BUILD compiles several files as one, so a file may use what one before it included. Two checks find
that:

* Every source file of the library and the tool must compile by itself, with the command that BUILD has for it.
  The first of several files had nothing before it, so the build has tried it already.
* That command reads precompiled headers, which hide a missing standard header. So for each name of the
  standard library, the table below says which headers have it, and one of these must be among those that the
  file includes, itself or through headers of ours. Tests are read too.

It also fails when a source file has a using-declaration that it does not need: clang-tidy sees these only in
files that it reads one by one.
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

SOURCE = re.compile(r"^(lastbit|cli)/(?!.*_test\.cc$)")
MEMBER = re.compile(r'^#include "(.+)"$', re.MULTILINE)
ERROR = re.compile(r"^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">].*$', re.MULTILINE)
# Raw strings, comments, strings, characters. A quote between digits is none of these.
NOT_CODE = re.compile(
    r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL
)
NAME = re.compile(
    r"(?<![\w:])(?:::)?(?:std::(?:ranges::)?(\w+)|(fmt|nlohmann)::|"
    r"(u?int\d+_t|U?INT\d+_M(?:AX|IN)|SIZE_MAX|errno|mp[zq]_class|mpz_\w+|mpfr_\w+)\b)"
)
USING = re.compile(r"^[ \t]*using (?:\w+::)+(?!operator)(\w+);", re.MULTILINE)

CONTAINERS = "array deque map set span string string_view unordered_map unordered_set vector"
# Headers, and the names that each of them has; with several headers on the left, each has all the names.
TABLE = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill
        fill_n find find_if find_if_not for_each includes is_sorted lower_bound make_heap max max_element merge
        min min_element minmax minmax_element move none_of nth_element pop_heap push_heap replace reverse rotate
        set_difference set_intersection sort transform unique upper_bound""",
    "array": "array get to_array",
    "atomic": "atomic atomic_signal_fence memory_order_relaxed memory_order_seq_cst",
    "bit": "bit_cast bit_floor bit_width countl_zero countr_zero endian popcount rotl",
    "cctype": "isalnum isalpha",
    "cerrno": "errno",
    "cfenv": "fegetenv fegetround fenv_t fesetenv fesetround",
    "charconv": "chars_format from_chars to_chars",
    "chrono": "chrono chrono_literals",
    "clocale": "setlocale",
    "cmath": """abs ceil copysign cos cosh erfc exp exp2 expm1 fabs floor frexp hypot ilogb isfinite isinf isnan ldexp
        lgamma log log10 log1p log2 lround nan nearbyint nextafter pow round signbit sin sinh sqrt""",
    "compare": "partial_ordering strong_order strong_ordering weak_ordering",
    "concepts": """constructible_from convertible_to derived_from equality_comparable floating_point integral invocable same_as
        signed_integral swap""",
    "csignal signal.h": "raise sig_atomic_t signal",
    "cstddef": "byte max_align_t nullptr_t",
    f"cstddef cstdio cstdlib cstring {CONTAINERS}": "size_t",
    f"cstddef iterator {CONTAINERS}": "ptrdiff_t",
    "cstdint": """INT32_MAX INT64_MAX INT64_MIN SIZE_MAX UINT64_MAX int8_t int16_t int32_t int64_t uint8_t
        uint16_t uint32_t uint64_t uintptr_t uintmax_t""",
    "cstdio": "fflush fprintf fwrite printf snprintf sscanf",
    "cstdlib": "abort abs free getenv strtod strtoll strtoul",
    "cstring": "memchr memcmp memcpy memset strerror strncmp",
    "ctime": "time_t tm",
    "deque": "deque",
    "deque map set string unordered_map unordered_set vector": "erase erase_if",
    "exception": "current_exception exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "fmt/core.h fmt/format.h fmt/ranges.h": "fmt",
    "fstream": "fstream ifstream ofstream",
    "fstream ios iostream ostream sstream": "flush hexfloat ios ostream streamsize",
    "functional": "equal_to function greater greater_equal invoke less minus multiplies",
    "functional optional string string_view variant": "hash",
    "future": "future promise",
    "gmp.h gmpxx.h mpfr.h": "mpz",
    "gmpxx.h": "mpq_class mpz_class",
    "initializer_list": "initializer_list",
    f"initializer_list iterator {CONTAINERS}": "begin end size ssize",
    "iostream": "cin cout",
    "iterator": "back_inserter distance inserter istreambuf_iterator next prev",
    "limits": "numeric_limits",
    "locale": "locale numpunct",
    "map": "map",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "mpfr.h": "mpfr",
    "mutex": "call_once lock_guard mutex once_flag scoped_lock",
    "new": "bad_alloc launder",
    "nlohmann/json.hpp nlohmann/json_fwd.hpp": "nlohmann",
    "numbers": "numbers",
    "numeric": "accumulate iota",
    "optional": "nullopt nullopt_t optional",
    "optional utility variant": "in_place",
    "ranges": "views",
    "regex": "regex regex_constants regex_match regex_replace regex_search smatch sregex_iterator",
    "set": "set",
    "source_location": "source_location",
    "span": "span",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "runtime_error",
    "string": "getline stod stoi stoll stoul stoull string string_literals to_string u16string",
    "string_view": "string_view u16string_view",
    "system_error": "error_code generic_category system_error",
    "charconv system_error": "errc",
    "thread": "jthread this_thread thread",
    "tuple": "get make_tuple tie tuple",
    "type_traits": """conditional_t decay_t integral_constant invoke_result_t is_arithmetic_v is_constructible_v
        is_convertible_v is_enum_v is_invocable_r_v is_invocable_v is_same_v is_signed_v is_void_v make_unsigned_t
        remove_cvref_t type_identity_t""",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "utility": "declval exchange forward get index_sequence make_index_sequence move pair swap",
    "variant": "get get_if holds_alternative variant variant_alternative_t variant_size_v visit",
    "vector": "vector",
}


def headers_by_name():
    table = {}
    for headers, names in TABLE.items():
        for name in names.split():
            table.setdefault(name, set()).update(headers.split())
    return table


class Texts:
    """The headers that our files include, and the names that they use."""

    def __init__(self, root):
        self.root = root
        self.read = functools.cache(self.read)

    def read(self, path):
        """Of one file: the outside headers, our own, and for each name its first line."""
        text = (self.root / path).read_text(encoding="utf-8")
        includes = INCLUDE.findall(text)
        outside = {header for mark, header in includes if mark == "<"}
        ours = {header for mark, header in includes if mark == '"' and (self.root / header).is_file()}
        code = code_of(text)
        names = {}
        for found in NAME.finditer(code):
            names.setdefault(next(filter(None, found.groups())), line_at(code, found.start()))
        return outside, ours, names

    def reached(self, path):
        """All outside headers that the file includes, itself or through headers of ours."""
        outside, seen, waiting = set(), set(), [path]
        while waiting:
            file = waiting.pop()
            if file not in seen:
                seen.add(file)
                outside |= self.read(file)[0]
                waiting.extend(self.read(file)[1])
        return outside


def code_of(text):
    """The text without comments, strings and includes; lines keep their numbers."""
    return NOT_CODE.sub(lambda found: "\n" * found[0].count("\n"), INCLUDE.sub("", text))


def line_at(code, position):
    return code.count("\n", 0, position) + 1


def check_names(texts, table, path):
    """A problem for each standard name whose header the file does not include."""
    reached = texts.reached(path)
    for name, line in texts.read(path)[2].items():
        key = re.sub(r"^(mpz|mpfr)_(?!class).*", r"\1", name)
        if key not in table:
            yield f"{path}:{line}: `{name}` is not in the table of tools/check_includes.py; add it"
        elif not table[key] & reached:
            headers = " or ".join(f"<{header}>" for header in sorted(table[key]))
            yield f"{path}:{line}: uses `{name}` and does not include {headers}"


def check_using(root, path):
    """A problem for each using-declaration of a name that the file does not use unqualified."""
    code = code_of((root / path).read_text(encoding="utf-8"))
    for found in USING.finditer(code):
        if not re.search(rf"(?<![\w:]){found[1]}\b", code):
            yield f"{path}:{line_at(code, found.start(1))}: does not use `{found[1]}`, for which it has a using"


def single_commands(root, build):
    """For each file that the build compiles after another: its path, and how to compile it by itself."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        unity = pathlib.Path(entry["file"])
        if unity.parent.name != "Unity":
            continue
        for member in MEMBER.findall(unity.read_text(encoding="utf-8"))[1:]:
            path = pathlib.Path(member).relative_to(root).as_posix()
            if SOURCE.match(path) and path not in commands:
                words = shlex.split(entry["command"])
                output = words.index("-o")
                del words[output : output + 2]
                words[words.index("-c") :] = ["-fsyntax-only", member]
                commands[path] = (words, entry["directory"])
    return commands


def check_alone(root, path, words, folder):
    """The problem with compiling the file by itself, or None."""
    run = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode == 0:
        return None
    error = ERROR.search(run.stderr)
    if not error:
        return f"{path}: does not compile by itself:\n{run.stderr}"
    place = error[1].removeprefix(f"{root}/")
    return f"{path}: does not compile by itself; {place}:{error[2]}: {error[3]}"


def files(root):
    for pattern in ("*.h", "*.cc"):
        for path in sorted(root.rglob(pattern)):
            name = path.relative_to(root).as_posix()
            if not re.match(r"(build|\.git|third_party)/", name):
                yield name


def check(root, build):
    texts, table = Texts(root), headers_by_name()
    problems = []
    for path in files(root):
        problems.extend(check_names(texts, table, path))
        if path.endswith(".cc"):
            problems.extend(check_using(root, path))
    commands = single_commands(root, build)
    if not commands:
        problems.append(f"{build}: compiles no files of ours together; give that of the preset `sanitizers`")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(check_alone, root, path, *command) for path, command in commands.items()]
    problems.extend(filter(None, (run.result() for run in runs)))
    return problems


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 64
    build = pathlib.Path(sys.argv[1]).resolve()
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent.parent).resolve()
    problems = check(root, build)
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
