"""The exception of the package."""


class Error(Exception):
    """What is wrong, where, and what to do about it. No message contains private data.

    `code` is a word for programs: `bad parameter`, `bad text`, `budget`, `refused`, …

    >>> import lastbit
    >>> try:
    ...     lastbit.laplace(5, scale=0)
    ... except lastbit.Error as error:
    ...     error.code
    'bad parameter'
    """

    code: str
    place: str
    problem: str
    remedy: str

    def __init__(self, code: str, place: str, problem: str, remedy: str) -> None:
        super().__init__(f"{place}: {problem}\n  {remedy}")
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy

    def __reduce__(self):
        return (type(self), (self.code, self.place, self.problem, self.remedy))
