"""Proves that every running workgroup ends its look-back, even if the scheduler does not run other workgroups again.
The maximum number of its own steps depends only on its tile, MAX_SPINS and the subgroup size. Other workgroups may do
anything, and may stop forever.

A step is a poll or a fallback of shaders/lib/look_back.glsl. The result of a poll depends on other workgroups, so the
model chooses it freely. Z3 proves for all states, of any size, that each step lowers a rank. A rank is a tuple of
numbers in bounded ranges, compared from the left. Therefore a look-back has at most as many steps as ranks exist. Z3
also proves that a step is always possible: no workgroup blocks. In broken variants the search finds an endless
execution: steps that lead from a state to itself.

  window   window_walk.glsl. `next` tiles are left. A successful poll takes in one or more of them. A fallback takes in
           one.
  column   column_walk.glsl: one of the walks of a workgroup. The number of walks is arbitrary, and their rounds go
           together. `most` is the largest `next` of all walks. The fallback is for the tile of a walk that has it.
  spine    spine_walk.glsl. `own` is the number of tiles of the own block that the last poll missed. `known` limits
           that number for the next poll: the subgroup has inserted one, and by coherence a lane still sees the tiles
           that it has seen. `blocks` is the number of blocks left between the walk and the own block. `tiles` is the
           number of tiles of the first of these blocks that the walk's lanes may still miss. `first` is 1 before the
           first poll. The model assumes that all lanes of the subgroup poll together: a poll by some of them finds
           nothing and does not select a tile to fall back to. Without this assumption no bound exists, see the variant
           lanes_apart.

The model omits code without a loop that depends on another workgroup: reading an entry, inserting (a compare and swap
is not retried), reducing a tile, waiting at barriers of the own workgroup, clearing. look_back_memory.py checks on the
compiled kernels that no other loop contains a poll or an insert.
"""

import sys

import z3


def lower(after, before):
    """Returns the condition that `after` is lexicographically less than `before`."""
    result = z3.BoolVal(False)
    for a, b in reversed(list(zip(after, before))):
        result = z3.Or(a < b, z3.And(a == b, result))
    return result


class Walk:
    """A walk, whose states are tuples of integers. A variant omits or breaks a part of it."""

    names = ()
    bound = ""
    chosen = ()  # variables of a step that are not part of a state

    def __init__(self, variant=""):
        self.variant = variant
        self.spins_limit, self.tile, self.size = z3.Ints("MAX_SPINS tile size")
        self.given = z3.And(self.spins_limit >= 0, self.tile >= 1, self.size >= 1)

    def state(self, suffix):
        return dict(zip(self.names, z3.Ints(" ".join(name + suffix for name in self.names))))

    def check(self):
        """Checks that each step lowers the rank, and that a step is possible before the end. Returns a counterexample, or
        None."""
        before, after = self.state(""), self.state("'")
        for name, step in self.steps(before, after):
            holds = z3.And(self.invariant(after), lower(self.rank(after), self.rank(before)))
            problem = self.refute(z3.And(self.invariant(before), z3.Not(self.ended(before)), step, z3.Not(holds)))
            if problem:
                return f"{name}: {problem}"
        enabled = [z3.Exists([*after.values(), *self.chosen], step) for _, step in self.steps(before, after)]
        return self.refute(z3.And(self.invariant(before), z3.Not(self.ended(before)), z3.Not(z3.Or(enabled))))

    def cycle(self):
        """Returns steps that lead from a state before the end to itself, which excludes a bound, or None."""
        for length in range(1, 5):
            states = [self.state(str(i)) for i in range(length)]
            states.append(states[0])
            pairs = list(zip(states, states[1:]))
            steps = [z3.Or([step for _, step in self.steps(a, b)]) for a, b in pairs]
            found = self.refute(z3.And(self.invariant(states[0]), z3.Not(self.ended(states[0])), *steps))
            if found:
                return f"{length} steps: {found}"
        return None

    def refute(self, formula):
        solver = z3.Solver()
        solver.add(self.given, formula)
        answer = solver.check()
        assert answer != z3.unknown, solver.reason_unknown()
        if answer == z3.unsat:
            return None
        model = solver.model()
        return ", ".join(f"{v} = {model[v]}" for v in sorted(model.decls(), key=str))


def same(after, before, *names):
    return z3.And([after[name] == before[name] for name in names])


class Window(Walk):
    names = ("next", "spins")
    bound = "(tile + 1) * (MAX_SPINS + 1)"
    broken = ("no_fallback", "read_again")

    def invariant(self, s):
        return z3.And(0 <= s["next"], s["next"] <= self.tile, 0 <= s["spins"], s["spins"] <= self.spins_limit)

    def ended(self, s):
        return s["next"] == 0

    def rank(self, s):
        return (s["next"], self.spins_limit - s["spins"])

    def steps(self, s, t):
        polls, falls_back = s["spins"] < self.spins_limit, s["spins"] >= self.spins_limit
        yield "successful poll", z3.And(polls, 0 <= t["next"], t["next"] < s["next"], t["spins"] == 0)
        yield "poll without success", z3.And(polls, same(t, s, "next"), t["spins"] == s["spins"] + 1)
        taken = t["next"] == s["next"] - 1
        # In place, the walk reads the entry again first. A value found there replaces the computed one.
        found = z3.And(0 <= t["next"], t["next"] < s["next"])
        if self.variant == "no_fallback":
            taken = found = same(t, s, "next")
        elif self.variant == "read_again":
            taken = z3.Or(taken, same(t, s, "next"))
        yield "fallback", z3.And(falls_back, z3.Or(taken, found), t["spins"] == 0)


class Column(Walk):
    names = ("most", "next", "spins", "waits")
    bound = "(tile + 1) * 2 * (tile + 1) * (MAX_SPINS + 1)"
    chosen = (z3.Int("largest"),)
    broken = ("other_tile",)

    def invariant(self, s):
        return z3.And(0 <= s["next"], s["next"] <= s["most"], s["most"] <= self.tile, 0 <= s["spins"],
                      s["spins"] <= self.spins_limit, 0 <= s["waits"], s["waits"] <= 1)

    def ended(self, s):
        return s["most"] == 0

    def rank(self, s):
        return (s["most"], 1 - s["waits"], s["next"], self.spins_limit - s["spins"])

    def steps(self, s, t):
        polls = z3.And(s["waits"] == 0, s["next"] > 0, s["spins"] < self.spins_limit)
        yield "successful poll", z3.And(polls, same(t, s, "most", "waits"), 0 <= t["next"], t["next"] < s["next"],
                                        t["spins"] == 0)
        yield "poll without success", z3.And(polls, same(t, s, "most", "waits", "next"), t["spins"] == s["spins"] + 1)
        stops = z3.And(s["waits"] == 0, z3.Or(s["next"] == 0, s["spins"] >= self.spins_limit))
        yield "barrier of the round", z3.And(stops, same(t, s, "most", "next", "spins"), t["waits"] == 1)
        # The largest `next` of all walks, when all have stopped. This walk may have it.
        largest = self.chosen[0]
        fallback_tile = largest - 1
        if self.variant == "other_tile":
            fallback_tile = z3.Int("any tile")
        advanced = z3.If(s["next"] - 1 == fallback_tile, fallback_tile, s["next"])
        # All other walks do the same. Then every `next`, including this one, is less than `largest`.
        yield "fallback", z3.And(s["waits"] == 1, s["next"] <= largest, largest <= s["most"], largest > 0,
                                 z3.If(s["next"] == 0, t["next"] == 0, t["next"] == advanced),
                                 t["most"] == largest - (self.variant != "other_tile"), t["spins"] == 0,
                                 t["waits"] == 0)
        yield "end of all walks", z3.And(s["waits"] == 1, s["next"] == 0, t["most"] == 0, t["next"] == 0,
                                         t["spins"] == 0, t["waits"] == 0)


class Spine(Walk):
    names = ("first", "own", "blocks", "known", "tiles", "spins")
    bound = "2 * (size + 1) * (tile / size + 1) * (2 * size + 1) * (MAX_SPINS + 1)"
    broken = ("no_fallback", "incoherent", "lanes_apart", "any_tile", "no_polls")

    def __init__(self, variant=""):
        super().__init__(variant)
        if variant != "no_polls":
            self.given = z3.And(self.given, self.spins_limit >= 1)

    def invariant(self, s):
        limits = [(s["first"], 1), (s["own"], self.size), (s["blocks"], self.tile), (s["tiles"], self.size),
                  (s["spins"], self.spins_limit)]
        if self.variant == "lanes_apart":
            return z3.And([z3.And(0 <= value, value <= limit) for value, limit in limits])
        polled = z3.And(s["first"] == 0, s["known"] == s["own"], z3.Or(s["own"] > 0, s["blocks"] == 0, s["tiles"] > 0))
        return z3.And(
            [z3.And(0 <= value, value <= limit) for value, limit in limits]
            + [0 <= s["known"], s["known"] <= s["own"]]
            + [z3.Implies(s["spins"] > 0, polled)]
        )

    def ended(self, s):
        return z3.And(s["first"] == 0, s["own"] == 0, s["blocks"] == 0)

    def rank(self, s):
        return (s["first"], s["own"], s["blocks"], s["known"] + s["tiles"], self.spins_limit - s["spins"])

    def steps(self, s, t):
        polls, falls_back = s["spins"] < self.spins_limit, s["spins"] >= self.spins_limit
        at_most = self.size if self.variant == "incoherent" else s["known"]
        own = z3.And(0 <= t["own"], z3.Or(t["own"] <= at_most, s["first"] == 1),
                     z3.Implies(s["own"] == 0, z3.Or(t["own"] == 0, s["first"] == 1)))
        # The walk misses a tile of the first block, or continues with a later block.
        here = z3.And(t["blocks"] == s["blocks"],
                      z3.Or(s["blocks"] == 0, z3.And(1 <= t["tiles"], t["tiles"] <= s["tiles"])),
                      z3.Implies(s["blocks"] == 0, t["tiles"] == s["tiles"]))
        ahead = z3.And(0 <= t["blocks"], t["blocks"] < s["blocks"], 1 <= t["tiles"], t["tiles"] <= self.size)
        seen = z3.And(own, z3.Or(here, ahead), t["known"] == t["own"], t["own"] <= self.size, t["first"] == 0)
        more = z3.Or(s["first"] == 1, t["own"] != s["own"], z3.And(t["own"] == 0, t["blocks"] != s["blocks"]))
        yield "poll", z3.And(polls, seen, t["spins"] == z3.If(more, 0, s["spins"] + 1))
        if self.variant == "lanes_apart":
            yield "poll by some lanes", z3.And(polls, same(t, s, "first", "own", "blocks", "known", "tiles"),
                                               t["spins"] == s["spins"] + 1)
        # The tile is one that the last poll missed. It is in the own block if that block misses tiles, else in the first.
        inserted = z3.If(s["own"] > 0, z3.And(t["known"] == s["own"] - 1, t["tiles"] == s["tiles"]),
                         z3.And(t["known"] == s["known"], t["tiles"] == s["tiles"] - 1))
        if self.variant in ("no_fallback", "any_tile", "lanes_apart"):
            stays = same(t, s, "known", "tiles")
            inserted = stays if self.variant == "no_fallback" else z3.Or(inserted, stays)
        yield "fallback", z3.And(falls_back, same(t, s, "first", "own", "blocks"), inserted, t["spins"] == 0)


def main():
    wrong = 0
    for walk in (Window, Column, Spine):
        name = walk.__name__.lower()
        problem = walk().check()
        wrong += bool(problem)
        print(f"FAIL {name}_ends: {problem}" if problem else f"ok {name}_ends (within {walk.bound} steps)")
        for variant in walk.broken:
            problem = walk(variant).cycle()
            wrong += not problem
            print(f"ok notices_{name}_{variant} ({problem})" if problem
                  else f"FAIL notices_{name}_{variant}: not found")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
