from columns import array
from diffprivlib import tools

NOTE = "protects the change of a row; the number of rows is public"


def prepare(data, epsilon):
    ages = array(data / "people.parquet", "age")
    return lambda: tools.var(ages, epsilon=epsilon, bounds=(0, 100))
