"""Tumult Analytics on a local Spark session."""

import os
import sys

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession
from tmlt.analytics import AddOneRow, PureDPBudget, Session

SPARK = (SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false")
         .config("spark.sql.shuffle.partitions", "2").getOrCreate())
SPARK.sparkContext.setLogLevel("ERROR")


def answers(path, query, epsilon, protected=None):
    """A function that answers the query again, with fresh noise, as a list of rows."""
    frame, budget = SPARK.read.parquet(str(path)), PureDPBudget(epsilon)

    def release():
        session = Session.from_dataframe(budget, "rows", frame, protected_change=protected or AddOneRow())
        return session.evaluate(query, budget).collect()

    return release
