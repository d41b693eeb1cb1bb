import opendp.prelude as dp
import polars

dp.enable_features("contrib")
NOTE = "the number of rows is public"


def prepare(data, epsilon):
    ages = polars.read_parquet(data / "people.parquet", columns=["age"])["age"].to_numpy().astype(float)
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    variance = space >> dp.t.then_clamp((0.0, 100.0)) >> dp.t.then_resize(len(ages), 50.0) >> dp.t.then_variance()
    measurement = dp.binary_search_chain(lambda scale: variance >> dp.m.then_laplace(scale), d_in=1, d_out=epsilon)
    return lambda: measurement(ages)
