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
