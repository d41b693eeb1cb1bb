# What ./run does for the Python package, sourced by it. The package needs nanobind and others from PyPI, which the
# rest of the project does not: where they cannot be installed, it is left out.
# shellcheck shell=bash

python_packages=(python3-venv python3-dev)
python_venv=$build/python/venv
python_requirements=("$root/python/requirements.txt" "$root/python/tests/requirements.txt")
pip_options=(--quiet --disable-pip-version-check --no-input --only-binary :all: --retries 1 --timeout 20)

# own_python: Debian's interpreter, to which the headers in python3-dev belong; elsewhere the first one.
own_python() {
  if [ -x /usr/bin/python3 ]; then echo /usr/bin/python3; else command -v python3; fi
}

# make_python_venv: the environment in which the package is built and tested. Tests of what the second file
# names are left out without it: it has no wheels for some Pythons.
make_python_venv() {
  rm -rf "$python_venv" && "$(own_python)" -m venv "$python_venv" &&
    "$python_venv/bin/python" -m pip install "${pip_options[@]}" -r "${python_requirements[0]}" &&
    touch "$python_venv/usable" &&
    "$python_venv/bin/python" -m pip install "${pip_options[@]}" -r "${python_requirements[1]}" &&
    cat "${python_requirements[@]}" >"$python_venv/complete"
}

try_make_python_venv() {
  make_python_venv || true
}

# prepare_python: fills python_options, with which the release build includes the package if it can.
prepare_python() {
  python_options=(-DLASTBIT_PYTHON=OFF)
  cat "${python_requirements[@]}" | cmp -s - "$python_venv/complete" ||
    step "installing what the Python package needs" python try_make_python_venv
  if [ -f "$python_venv/usable" ]; then
    python_options=(-DLASTBIT_PYTHON=ON "-DLASTBIT_PYTHON_EXECUTABLE=$python_venv/bin/python")
  else
    say "Python package: skipped (its packages cannot be installed from PyPI)"
  fi
}

# The environment of the tests of Spark. Spark is a source package of half a gigabyte, so it is not where the package
# is built; it takes Java, too.
spark_venv=$build/python/spark
spark_requirements=$root/python/tests/spark/requirements.txt

make_spark_venv() {
  rm -rf "$spark_venv" && "$(own_python)" -m venv "$spark_venv" &&
    "$spark_venv/bin/python" -m pip install "${pip_options[@]}" --no-binary pyspark -r "$spark_requirements" &&
    cp "$spark_requirements" "$spark_venv/complete"
}

try_make_spark_venv() {
  make_spark_venv || true
}

# prepare_spark: what the tests of Spark need, if it can be had; they are skipped otherwise, with one line.
prepare_spark() {
  [ -f "$python_venv/usable" ] || return 0
  command -v java >/dev/null ||
    (need openjdk-17-jre-headless) || say "run: going on without Java"
  cmp -s "$spark_requirements" "$spark_venv/complete" ||
    step "installing Spark, which tests of the Python package need" spark try_make_spark_venv
  if [ -f "$spark_venv/complete" ] && command -v java >/dev/null; then
    python_options+=("-DLASTBIT_SPARK_PYTHON=$spark_venv/bin/python")
  else
    python_options+=("-DLASTBIT_SPARK_PYTHON=")
    say "Spark: its tests are skipped (Java or pyspark cannot be installed)"
  fi
}

# build_python_package: brings the package in build/release/python up to date. A folder that is not yet configured is
# configured for it alone.
build_python_package() {
  local cache=$build/release/CMakeCache.txt
  prepare_python
  [ -f "$python_venv/usable" ] || fail 69 "this needs packages from PyPI, which cannot be installed"
  if [ ! -f "$build/release/build.ninja" ]; then
    step "configuring" configure configure release -DLASTBIT_TESTS=OFF -DLASTBIT_BENCHMARKS=OFF \
      "${python_options[@]}" || exit 70
  elif ! grep -q "^LASTBIT_PYTHON:BOOL=ON" "$cache" ||
    ! grep -q "^LASTBIT_PYTHON_EXECUTABLE:.*=$python_venv/bin/python$" "$cache"; then
    step "configuring" configure cmake "${python_options[@]}" "$build/release" || exit 70
  fi
  build_target python_package
}

# The wheel.

wheel_requirements=("$root/python/requirements.txt" "$root/python/requirements-wheel.txt")
# Those who build and test only one Python rarely have another; these are where one is looked for.
newer_pythons=(python3.12 python3.13 python3.14 python3
  "${PYENV_ROOT:-${HOME:-}/.pyenv}"/versions/3.1[2-9]*/bin/python3)

# makes_abi3 PYTHON: whether it can make the wheel that serves every Python from 3.12 on.
makes_abi3() {
  "$1" -c '
import pathlib, sys, sysconfig, venv
header = pathlib.Path(sysconfig.get_path("include"), "Python.h")
sys.exit(sys.version_info < (3, 12) or bool(sysconfig.get_config_var("Py_GIL_DISABLED")) or not header.exists())
' >"/dev/null" 2>&1
}

# newer_python: an interpreter that makes it, if there is one.
newer_python() {
  local python
  for python in "${newer_pythons[@]}"; do
    if python=$(command -v "$python") && makes_abi3 "$python"; then
      echo "$python"
      return
    fi
  done
}

# install_wheel_tools PYTHON FOLDER: an environment of that interpreter with what makes wheels. An existing one is
# kept, with what else it has.
install_wheel_tools() {
  [ -x "$2/bin/python" ] || "$1" -m venv "$2" || return
  "$2/bin/python" -m pip install "${pip_options[@]}" -r "${wheel_requirements[0]}" -r "${wheel_requirements[1]}" &&
    cat "${wheel_requirements[@]}" >"$2/wheel-tools"
}

# prepare_wheel_tools PYTHON FOLDER
prepare_wheel_tools() {
  ! cat "${wheel_requirements[@]}" | cmp -s - "$2/wheel-tools" || ! "$2/bin/python" -c "" || return 0
  step "installing what makes wheels (${2#"$root"/})" wheel-tools install_wheel_tools "$@" ||
    fail 69 "the wheel needs packages from PyPI, which cannot be installed"
}

# make_wheel FOLDER: adds the wheel for the interpreter of an environment to build/wheels. The library is the one
# of the release build. scikit-build-core must neither forget how that was configured, which it does when another
# environment used it last, nor leave hints about its interpreter there.
make_wheel() {
  local python=$1/bin/python
  rm -rf "$build/python/raw" "$build/release/.skbuild-info.json"
  CMAKE_BUILD_PARALLEL_LEVEL=$jobs "$python" -m pip wheel "$root" --verbose --no-deps --no-index \
    --no-build-isolation --no-cache-dir --disable-pip-version-check --wheel-dir "$build/python/raw" \
    --config-settings=build-dir="$build/release" --config-settings=cmake.python-hints=false \
    --config-settings=cmake.define.LASTBIT_PYTHON=ON \
    --config-settings=cmake.define.LASTBIT_PYTHON_EXECUTABLE="$python" &&
    "$python" "$root/tools/repair_wheel.py" "$build/python/raw"/*.whl "$build/wheels"
}

# make_wheels: one for Debian's Python and, if there is an interpreter for it, one for all from 3.12 on. That of
# Debian's is made last, so that the build folder is left as the tests want it.
make_wheels() {
  local own newer=
  own=$(own_python)
  makes_abi3 "$own" || newer=$(newer_python)
  rm -rf "$build/wheels" && mkdir -p "$build/wheels"
  if [ -n "$newer" ]; then
    prepare_wheel_tools "$newer" "$build/python/abi3"
    step "making the wheel for Python 3.12 and later" wheel-abi3 make_wheel "$build/python/abi3" || exit 70
  elif ! makes_abi3 "$own"; then
    say "no wheel for Python 3.12 and later: there is no such interpreter with its headers on this machine"
  fi
  prepare_wheel_tools "$own" "$python_venv"
  step "making the wheel for $("$own" --version)" wheel make_wheel "$python_venv" || exit 70
}

# check_wheels: installs each in a new environment of an interpreter that it is for.
check_wheels() {
  local wheel python
  for wheel in "$build"/wheels/*.whl; do
    case $wheel in
      *-abi3-*) python=$(newer_python) ;;
      *) python=$(own_python) ;;
    esac
    say "${wheel##*/}"
    "$python" "$root/tests/package/wheel_test.py" "$wheel" "$root" >&2 || exit 70
  done
}
