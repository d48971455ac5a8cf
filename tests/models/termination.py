"""Termination of the look-back under a scheduler that owes nobody progress: every workgroup that runs ends its
look-back within a number of its own steps that depends on its tile, MAX_SPINS and the subgroup size alone, whatever
the others do, and if they stop for ever.

A step is a poll or a fallback of shaders/lib/look_back.glsl. What a poll finds is up to the others, and so is chosen
at will. Z3 proves for all states, of any size, that each step leads to a smaller rank; ranks are tuples of numbers in
bounded ranges, compared from the left, so a look-back has at most as many steps as there are ranks. It also proves
that some step can always be taken: nobody waits. Of broken variants it finds an execution without end: steps that
lead from a state to itself.

  window   window_walk.glsl. `next` tiles are left; a poll that finds something takes in one or more of them, a
           fallback takes in one.
  column   column_walk.glsl: one of any number of walks of a workgroup, whose rounds go together. `most` is the
           largest `next` of all of them. The fallback is for the tile of a walk that has the largest.
  spine    spine_walk.glsl. `own`: tiles of the own block that the last poll has missed; `known`: at most so many will
           the next one miss, as the subgroup has inserted one, and coherence keeps what a lane has seen. `blocks` are
           left between the walk and the own block; `tiles`: of the first of them, those that the walk's lanes may
           still miss. A poll may be the first one. Lanes of the subgroup have come together when they poll: a poll by
           some of them alone finds nothing, and does not say where to fall back. Without that assumption there is no
           bound, see the variant lanes_apart.

What is not in the model has no loop that another workgroup decides: reading an entry, inserting (a compare and swap
is not tried again), reducing a tile, waiting at barriers for the own workgroup, clearing. look_back_memory.py checks
on the compiled kernels that no other loop has a poll or an insert.
"""

import sys

import z3


def lower(after, before):
    """Whether a tuple comes before another one."""
    result = z3.BoolVal(False)
    for a, b in reversed(list(zip(after, before))):
        result = z3.Or(a < b, z3.And(a == b, result))
    return result


class Walk:
    """States are tuples of integers. A variant leaves something out."""

    names = ()
    bound = ""
    chosen = ()  # variables of a step, besides the states

    def __init__(self, variant=""):
        self.variant = variant
        self.spins_limit, self.tile, self.size = z3.Ints("MAX_SPINS tile size")
        self.given = z3.And(self.spins_limit >= 0, self.tile >= 1, self.size >= 1)

    def state(self, suffix):
        return dict(zip(self.names, z3.Ints(" ".join(name + suffix for name in self.names))))

    def check(self):
        """None if each step lowers the rank, and the walk cannot stop before its end; else what is wrong."""
        before, after = self.state(""), self.state("'")
        for name, step in self.steps(before, after):
            holds = z3.And(self.invariant(after), lower(self.rank(after), self.rank(before)))
            problem = self.refute(z3.And(self.invariant(before), z3.Not(self.ended(before)), step, z3.Not(holds)))
            if problem:
                return f"{name}: {problem}"
        enabled = [z3.Exists([*after.values(), *self.chosen], step) for _, step in self.steps(before, after)]
        return self.refute(z3.And(self.invariant(before), z3.Not(self.ended(before)), z3.Not(z3.Or(enabled))))

    def cycle(self):
        """Steps that lead from a state before the end to itself, so that there is no bound."""
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
        yield "poll that finds", z3.And(polls, 0 <= t["next"], t["next"] < s["next"], t["spins"] == 0)
        yield "poll in vain", z3.And(polls, same(t, s, "next"), t["spins"] == s["spins"] + 1)
        taken = t["next"] == s["next"] - 1
        # In place the entry is read again first; what is found there takes the place of what was computed.
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
        return z3.And(
            0 <= s["next"],
            s["next"] <= s["most"],
            s["most"] <= self.tile,
            0 <= s["spins"],
            s["spins"] <= self.spins_limit,
            0 <= s["waits"],
            s["waits"] <= 1,
        )

    def ended(self, s):
        return s["most"] == 0

    def rank(self, s):
        return (s["most"], 1 - s["waits"], s["next"], self.spins_limit - s["spins"])

    def steps(self, s, t):
        polls = z3.And(s["waits"] == 0, s["next"] > 0, s["spins"] < self.spins_limit)
        yield "poll that finds", z3.And(
            polls, same(t, s, "most", "waits"), 0 <= t["next"], t["next"] < s["next"], t["spins"] == 0
        )
        yield "poll in vain", z3.And(polls, same(t, s, "most", "waits", "next"), t["spins"] == s["spins"] + 1)
        stops = z3.And(s["waits"] == 0, z3.Or(s["next"] == 0, s["spins"] >= self.spins_limit))
        yield "the round's barrier", z3.And(stops, same(t, s, "most", "next", "spins"), t["waits"] == 1)
        # The largest `next` when all walks have stopped, which some walk has: it may be this one.
        largest = self.chosen[0]
        fallback_tile = largest - 1
        if self.variant == "other_tile":
            fallback_tile = z3.Int("any tile")
        advanced = z3.If(s["next"] - 1 == fallback_tile, fallback_tile, s["next"])
        # All others do the same, so that every `next` is below the largest then; this one's must be.
        yield "fallback", z3.And(
            s["waits"] == 1,
            s["next"] <= largest,
            largest <= s["most"],
            largest > 0,
            z3.If(s["next"] == 0, t["next"] == 0, t["next"] == advanced),
            t["most"] == largest - (self.variant != "other_tile"),
            t["spins"] == 0,
            t["waits"] == 0,
        )
        yield "the end of all walks", z3.And(
            s["waits"] == 1, s["next"] == 0, t["most"] == 0, t["next"] == 0, t["spins"] == 0, t["waits"] == 0
        )


class Spine(Walk):
    names = ("first", "own", "blocks", "known", "tiles", "spins")
    bound = "2 * (size + 1) * (tile / size + 1) * (2 * size + 1) * (MAX_SPINS + 1)"
    broken = ("no_fallback", "incoherent", "lanes_apart", "any_tile", "no_polls")

    def __init__(self, variant=""):
        super().__init__(variant)
        if variant != "no_polls":
            self.given = z3.And(self.given, self.spins_limit >= 1)

    def invariant(self, s):
        limits = [
            (s["first"], 1),
            (s["own"], self.size),
            (s["blocks"], self.tile),
            (s["tiles"], self.size),
            (s["spins"], self.spins_limit),
        ]
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
        own = z3.And(
            0 <= t["own"],
            z3.Or(t["own"] <= at_most, s["first"] == 1),
            z3.Implies(s["own"] == 0, z3.Or(t["own"] == 0, s["first"] == 1)),
        )
        # A tile of the first block is missed, or the walk goes on to the next one.
        here = z3.And(
            t["blocks"] == s["blocks"],
            z3.Or(s["blocks"] == 0, z3.And(1 <= t["tiles"], t["tiles"] <= s["tiles"])),
            z3.Implies(s["blocks"] == 0, t["tiles"] == s["tiles"]),
        )
        ahead = z3.And(0 <= t["blocks"], t["blocks"] < s["blocks"], 1 <= t["tiles"], t["tiles"] <= self.size)
        seen = z3.And(own, z3.Or(here, ahead), t["known"] == t["own"], t["own"] <= self.size, t["first"] == 0)
        more = z3.Or(s["first"] == 1, t["own"] != s["own"], z3.And(t["own"] == 0, t["blocks"] != s["blocks"]))
        yield "poll", z3.And(polls, seen, t["spins"] == z3.If(more, 0, s["spins"] + 1))
        if self.variant == "lanes_apart":
            yield "poll by some lanes", z3.And(
                polls, same(t, s, "first", "own", "blocks", "known", "tiles"), t["spins"] == s["spins"] + 1
            )
        # The tile is one that the last poll has missed: of the own block, or else of the first one.
        inserted = z3.If(
            s["own"] > 0,
            z3.And(t["known"] == s["own"] - 1, t["tiles"] == s["tiles"]),
            z3.And(t["known"] == s["known"], t["tiles"] == s["tiles"] - 1),
        )
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
            print(
                f"ok notices_{name}_{variant} ({problem})" if problem else f"FAIL notices_{name}_{variant}: not found"
            )
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
