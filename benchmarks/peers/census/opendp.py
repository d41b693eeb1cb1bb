import polars
from frames import answers, dp, keys


def prepare(data, epsilon):
    frame = polars.scan_csv(data / "census.csv", schema_overrides={"income": polars.Float64})
    frame = frame.select("age", "educ", "income", "sex")
    income = polars.col("income").fill_null(0.0).fill_nan(0.0).dp.mean((0.0, 200_000.0))
    levels, sexes = keys(educ=list(range(1, 17))), keys(sex=[0, 1])
    educ = answers(frame, lambda query: query.group_by("educ").agg(dp.len(signed=True)).with_keys(levels), epsilon / 3,
                   by=["educ"], longest=100_000)
    means = answers(frame, lambda query: query.group_by("sex").agg(income).with_keys(sexes), epsilon / 3, by=["sex"],
                    longest=100_000)
    age = polars.col("age").fill_null(0).dp.median(list(range(0, 101)))
    median = answers(frame, lambda query: query.select(age), epsilon / 3, longest=100_000)
    return lambda: {"educ": educ().sort("educ")["len"].to_list(), "income": means().sort("sex")["income"].to_list(),
                    "age": median().item()}
