"""The package has the version of the source."""

import pathlib

import lastbit


def test_the_version_is_that_of_the_source():
    source = pathlib.Path(__file__).resolve().parents[2]
    assert lastbit.__version__ == (source / "VERSION").read_text("utf-8").strip()
