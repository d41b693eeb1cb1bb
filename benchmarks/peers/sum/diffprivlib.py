from columns import array
from diffprivlib import tools


def prepare(data, epsilon):
    incomes = array(data / "people.parquet", "income")
    return lambda: tools.sum(incomes, epsilon=epsilon, bounds=(0, 200_000))
