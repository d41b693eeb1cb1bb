from prv_accountant import LaplaceMechanism, PRVAccountant

NOTE = "its upper bound, for an error of 0.01"


def prepare(_data, _epsilon):
    def total():
        accountant = PRVAccountant(prvs=[LaplaceMechanism(mu=0.01)], max_self_compositions=[10_000], eps_error=0.01,
                                   delta_error=1e-9)
        return accountant.compute_epsilon(delta=1e-6, num_self_compositions=[10_000])[2]

    return total
