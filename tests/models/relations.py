"""Relations between the events of a program, for vulkan_memory_model.py: square matrices of conditions. A condition is True, False
or a Z3 expression. Most entries are known before the solver starts, because scopes, orders and program order are constants."""

import itertools

import z3


def combine(function, terms):
    """Builds z3.And or z3.Or without their type checks, which take most of the time."""
    if len(terms) == 1:
        return terms[0]
    context = terms[0].ctx
    arguments = (z3.z3types.Ast * len(terms))(*[t.ast for t in terms])
    return z3.BoolRef(function(context.ref(), len(terms), arguments), context)


def both(*terms):
    rest = []
    for term in terms:
        if term is False:
            return False
        if term is not True:
            rest.append(term)
    return combine(z3.z3core.Z3_mk_and, rest) if rest else True


def either(terms):
    rest = []
    for term in terms:
        if term is True:
            return True
        if term is not False:
            rest.append(term)
    return combine(z3.z3core.Z3_mk_or, rest) if rest else False


def negate(a):
    return not a if isinstance(a, bool) else z3.Not(a)


class Relation:
    """A set of pairs of events: a matrix of the conditions under which each pair is in the set."""

    def __init__(self, rows):
        self.rows = rows

    @staticmethod
    def of(count, condition):
        return Relation([[condition(a, b) for b in range(count)] for a in range(count)])

    def __or__(self, other):
        return Relation([[either((x, y)) for x, y in zip(a, b)] for a, b in zip(self.rows, other.rows)])

    def __and__(self, other):
        return Relation([[both(x, y) for x, y in zip(a, b)] for a, b in zip(self.rows, other.rows)])

    def __sub__(self, other):
        return Relation([[both(x, negate(y)) for x, y in zip(a, b)] for a, b in zip(self.rows, other.rows)])

    def __matmul__(self, other):
        """Returns the composition of two relations: the left, then the right."""
        count = len(self.rows)
        columns = [[(k, other.rows[k][b]) for k in range(count) if other.rows[k][b] is not False] for b in range(count)]
        return Relation(
            [[either(both(row[k], y) for k, y in columns[b] if row[k] is not False) for b in range(count)]
             for row in self.rows]
        )

    def inverse(self):
        return Relation([list(column) for column in zip(*self.rows)])

    def closure(self):
        """Returns the transitive closure, by Warshall's algorithm."""
        rows = [list(row) for row in self.rows]
        for k, a in itertools.product(range(len(rows)), repeat=2):
            if rows[a][k] is False:
                continue
            for b in range(len(rows)):
                if rows[k][b] is not False and rows[a][b] is not True:
                    rows[a][b] = either((rows[a][b], both(rows[a][k], rows[k][b])))
        return Relation(rows)

    def some(self):
        return either(x for row in self.rows for x in row)

    def diagonal(self):
        return either(self.rows[a][a] for a in range(len(self.rows)))
