"""Tumult Analytics on a local Spark session."""

import os
import sys

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession, functions
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session

SPARK = (SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
         .config("spark.driver.memory", "6g").config("spark.sql.shuffle.partitions", "2").getOrCreate())
SPARK.sparkContext.setLogLevel("ERROR")


def session_of(frame, epsilon, protected=None):
    return Session.from_dataframe(PureDPBudget(epsilon), "rows", frame, protected_change=protected or AddOneRow())


def answers(path, query, epsilon, protected=None, derive=lambda frame: frame):
    """A function that answers the query again, with fresh noise, as a list of rows."""
    frame = derive(SPARK.read.parquet(str(path)))
    return lambda: session_of(frame, epsilon, protected).evaluate(query, PureDPBudget(epsilon)).collect()


def counts_by(column, keys):
    """A query of the number of rows with each of these keys."""
    return QueryBuilder("rows").groupby(KeySet.from_dict({column: list(keys)})).count()
