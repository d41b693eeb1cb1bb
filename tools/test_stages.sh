# The stages of ./run test, sourced by it. Every stage runs even when an earlier one failed, so that
# one run shows everything; only what needs a build is skipped when that build failed.
# shellcheck shell=bash

stage_names=()
stage_states=()
stage_times=()
passed=0
failed=0
skipped=0

# stage NAME LOG COMMAND…: runs the command as a stage of its own.
stage() {
  record_run "$1" step "$@"
}

# build_stage NAME LOG COMMAND…: the same for a build, which shows how far it is.
build_stage() {
  record_run "$1" build_step 0 "$@"
}

# record_run NAME COMMAND…
record_run() {
  local name=$1 start=$SECONDS state=passed
  shift
  "$@" || state=failed
  record "$name" "$state" $((SECONDS - start))
  [ "$state" = passed ]
}

# record NAME STATE SECONDS
record() {
  stage_names+=("$1")
  stage_states+=("$2")
  stage_times+=("$3")
  case $2 in
    passed) passed=$((passed + 1)) ;;
    failed) failed=$((failed + 1)) ;;
    skipped) skipped=$((skipped + 1)) ;;
  esac
}

check_format() {
  our_sources | (cd "$root" && xargs -0 -r clang-format-19 --dry-run -Werror)
}

# run_ctest PRESET [OPTION…]
run_ctest() {
  local preset=$1
  shift
  ctest --test-dir "$build/$preset" --output-on-failure --parallel "$jobs" \
    --output-junit "$build/$preset/ctest.xml" "$@"
}

# count_ctest PRESET: adds the counts of the single tests to those of the stages.
count_ctest() {
  local suite tests failures skips
  suite=$(grep -m1 -A8 '<testsuite' "$build/$1/ctest.xml" | tr '\n\t' '  ')
  tests=$(sed -E 's/.* tests="([0-9]+)".*/\1/' <<<"$suite")
  failures=$(sed -E 's/.* failures="([0-9]+)".*/\1/' <<<"$suite")
  skips=$(sed -E 's/.* skipped="([0-9]+)".*/\1/' <<<"$suite")
  passed=$((passed + tests - failures - skips))
  failed=$((failed + failures))
  skipped=$((skipped + skips))
}

# configure_and_compile PRESET [OPTION…]
configure_and_compile() {
  configure "$@" && compile "$1"
}

check_duckdb() {
  [ "$(uname -sm)" != "Linux x86_64" ] || [ -f "$root/third_party/duckdb/node_modules/.fetched" ]
}

# Path-sensitive checks take minutes for a file that instantiates many templates, so they are left to
# whoever runs clang-tidy on a file by hand; and each of the others walks through all headers. So the modules
# that draw and book get all of those, and the rest of the library and the tool those that find mistakes rather
# than habits. Files are read as they were compiled, several as one, so that headers are read only once. That
# source files are included there is right; tools/check_layers.py refuses it elsewhere. Tests, examples and
# benchmarks are left to the compilers and the sanitizers.
run_tidy() {
  local status=0 careful='numerics|random|mechanisms|accounting'
  local ours="^($build/sanitizers|$root)/(?!.*_test\\.)"
  local mistakes='-*,bugprone-use-after-move,bugprone-unchecked-optional-access,bugprone-dangling-handle'
  mistakes+=',bugprone-unused-return-value,bugprone-infinite-loop,performance-move-const-arg'
  mistakes+=',google-explicit-constructor,readability-identifier-naming,cppcoreguidelines-slicing'
  tidy -checks='-clang-analyzer-*,-bugprone-suspicious-include' "${ours}lastbit/($careful)/" || status=1
  tidy -checks="$mistakes" "${ours}(lastbit/(?!($careful)/)|cli/)" || status=1
  return $status
}

# tidy [OPTION…] PATTERN: what clang-tidy finds, without the line that it prints for every file.
tidy() {
  run-clang-tidy-19 -quiet -j "$jobs" -p "$build/sanitizers" "$@" 2>&1 |
    grep -vE '^\[ *[0-9]+/|warnings? generated\.$|^$'
  return "${PIPESTATUS[0]}"
}

summary() {
  local i
  printf '\n%-58s %-8s %6s\n' "stage" "result" "time"
  for i in "${!stage_names[@]}"; do
    printf '%-58s %-8s %4d s\n' "${stage_names[i]}" "${stage_states[i]}" "${stage_times[i]}"
  done
  printf '\nin %d s\n%d passed, %d failed, %d skipped\n' "$SECONDS" "$passed" "$failed" "$skipped"
}

run_stages() {
  stage "DuckDB is fetched as pinned" test-duckdb check_duckdb || true
  stage "format" test-format check_format || true
  stage "layers: who includes whom" test-layers python3 "$root/tools/check_layers.py" || true
  stage "documents: links, anchors, comments" test-docs python3 "$root/tools/check_docs.py" || true
  rm -f "$build/release/ctest.xml"
  if build_stage "build with g++" test-build configure_and_compile release \
    "${python_options[@]}"; then
    stage "symbols: no libm and no foreign generator near noise" test-symbols \
      python3 "$root/tools/check_symbols.py" "$build/release" || true
    stage "tests" test-tests run_ctest release || true
    [ -f "$build/release/ctest.xml" ] && count_ctest release
  else
    record "symbols: no libm and no foreign generator near noise" skipped 0
    record "tests" skipped 0
  fi
  if build_stage "build with clang and sanitizers" test-sanitizers-build configure_and_compile sanitizers \
    -DLASTBIT_BENCHMARKS=OFF; then
    # Remembering where every block of memory was allocated takes a quarter of the time.
    ASAN_OPTIONS=malloc_context_size=2 stage "tests under sanitizers" test-sanitizers run_ctest sanitizers \
      --label-exclude '^(outside|slow)$' || true
    stage "includes: every file has its own" test-includes \
      python3 "$root/tools/check_includes.py" "$build/sanitizers" || true
    stage "clang-tidy" test-tidy run_tidy || true
  else
    record "tests under sanitizers" skipped 0
    record "includes: every file has its own" skipped 0
    record "clang-tidy" skipped 0
  fi
  summary
  [ "$failed" -eq 0 ]
}
