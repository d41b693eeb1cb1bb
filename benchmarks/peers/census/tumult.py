from spark import SPARK, counts_by, session_of
from tmlt.analytics import KeySet, PureDPBudget, QueryBuilder


def prepare(data, epsilon):
    frame = SPARK.read.csv(str(data / "census.csv"), header=True, inferSchema=True)
    columns = [frame[name].cast("bigint").alias(name) for name in ("age", "educ", "sex")]
    frame = frame.select(*columns, frame["income"].cast("double").alias("income")).fillna(0)
    sexes = KeySet.from_dict({"sex": [0, 1]})
    queries = {"educ": counts_by("educ", range(1, 17)),
               "income": QueryBuilder("rows").groupby(sexes).average("income", 0.0, 200_000.0),
               "age": QueryBuilder("rows").median("age", 0, 100)}

    def ask(name):
        return session_of(frame, epsilon / 3).evaluate(queries[name], PureDPBudget(epsilon / 3)).collect()

    return lambda: {"educ": [row["count"] for row in sorted(ask("educ"), key=lambda row: row["educ"])],
                    "income": [row[1] for row in sorted(ask("income"), key=lambda row: row["sex"])],
                    "age": ask("age")[0][0]}
