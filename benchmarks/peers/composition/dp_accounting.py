import dp_accounting
from dp_accounting.pld import PLDAccountant


def prepare(_data, _epsilon):
    def total():
        accountant = PLDAccountant()
        accountant.compose(dp_accounting.LaplaceDpEvent(100), 10_000)
        return accountant.get_epsilon(1e-6)

    return total
