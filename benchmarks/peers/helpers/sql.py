"""SmartNoise SQL on SQLite. A statement costs its epsilon for every noisy column, so that is divided."""

import sqlite3

import pandas
import snsql

DELTA = 1e-9
NOTE = "also loses a delta of about 1e-9"
COLUMNS = {"age": {"type": "int", "lower": 0, "upper": 100}, "income": {"type": "int", "lower": 0, "upper": 200_000},
           "region": {"type": "string"}, "occupation": {"type": "int"}, "place": {"type": "int"}}


def statements(frame, text, epsilon, table=None):
    """A function that answers the statement again, with fresh noise, as rows without their head."""
    connection = sqlite3.connect(":memory:")
    frame.to_sql("people", connection, index=False)
    table = table or {"row_privacy": True, "rows": len(frame), "censor_dims": False, "clamp_counts": False}
    described = {name: COLUMNS[name] for name in frame.columns if name in COLUMNS} | table
    metadata = {"": {"main": {"people": described}}}

    def reader(share):
        privacy = snsql.Privacy(epsilon=share, delta=DELTA)
        return snsql.from_connection(connection, privacy=privacy, metadata=metadata, engine="sqlite")

    private = reader(epsilon * epsilon / reader(epsilon).get_privacy_cost(text)[0])
    return lambda: private.execute(text)[1:]


def column(path, *names):
    return pandas.read_parquet(path, columns=list(names))
