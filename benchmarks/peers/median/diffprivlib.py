from columns import array
from diffprivlib import tools


def prepare(data, epsilon):
    incomes = array(data / "people.parquet", "income")
    return lambda: tools.median(incomes, epsilon=epsilon, bounds=(0, 100_000))
