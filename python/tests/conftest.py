"""A folder with data about people, its ledger, and a session."""

import pytest

import lastbit
from support import COLUMNS, RELEASE, STATISTICS, rows_of


@pytest.fixture
def folder(tmp_path):
    data = rows_of()
    lines = [",".join(map(str, row)) for row in zip(*data.values())]
    (tmp_path / "people.csv").write_text("\n".join([",".join(data), *lines]) + "\n")
    (tmp_path / "release.toml").write_text(RELEASE + STATISTICS)
    (tmp_path / "dataset.toml").write_text(RELEASE)
    return tmp_path


@pytest.fixture
def ledger(folder):
    return lastbit.ledger.create(folder / "people.ledger", epsilon=2)


@pytest.fixture
def session(folder, ledger):
    return lastbit.Session(folder / "people.csv", unit="row", ledger=ledger, columns=COLUMNS)
