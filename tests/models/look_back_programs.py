"""Programs with the accesses of a look-back, for look_back_memory.py. They have two or three workgroups:

  parts     An entry has two parts, each with its own state. Its owner posts the aggregate, then the prefix. Another
            workgroup falls back and inserts the aggregate. A third one polls twice. At the start a part is not ready
            or has a value of an earlier run.
  flag      An entry has a flag and the words of both values. The workgroups do the same as in `parts`; the third one
            polls once.
  ticket    Three workgroups draw tickets. The one with the last ticket advances the epoch.
  finish    The last workgroup to finish reads the value that an invocation of another workgroup has posted.
  in_place  The owner overwrites its tile after its prefix is posted, while a fallback reduces the tile. A value that
            was computed from new elements must be neither taken nor inserted.
  shared    Two invocations of a workgroup each access the same workgroup memory, with the barriers between the accesses.
            The pairs are those of the kernel that a path joins, and none is without a barrier.

`use` returns the attributes of an operation, which may be weakened, or None for a removed barrier.
"""

import z3

import vulkan_memory_model as model

NOT_READY, AGGREGATE, PREFIX = 0, 1, 2
OLD = 3  # ready in another epoch, which counts as not ready


class Instance:
    """A program, the conditions that no execution may satisfy, and the queue families of its workgroups."""

    def __init__(self, families=(0, 0, 0)):
        self.program = model.Program()
        self.families = families
        self.wrong = {}  # name -> condition on an execution

    def workgroup(self, number, invocations=1):
        return [self.program.thread(number, i, self.families[number]) for i in range(invocations)]

    def initial(self, name, *values):
        """Lets the location hold any of the values before the program."""
        value = self.program.value("initial " + name)
        self.program.assumptions.append(z3.Or([value == v for v in values]))
        self.program.initial[name] = value

    def search(self):
        """Returns an error of some execution with that execution, an event that no execution reaches, or None."""
        execution = model.Execution(self.program)
        conditions = {name: condition(execution) for name, condition in self.wrong.items()}
        conditions["data race"] = execution.race.some()
        # A wrong value is more specific than a race, and comes first.
        found = {name: execution.find(condition) for name, condition in conditions.items()}
        models = [m for m in found.values() if m is not None]
        if not models:
            return self.missing(execution)
        return ", ".join(name for name, m in found.items() if m is not None), execution.describe(models[0])

    def missing(self, execution):
        """Checks that every event occurs in some execution. Without this, a search that finds nothing proves nothing."""
        left = {i: model.both(e.guard, e.writes if e.kind == "rmw" else True)
                for i, e in enumerate(self.program.events)}
        while left:
            found = execution.find(model.either(left.values()))
            if found is None:
                return "no execution reaches: " + self.program.events[min(left)].name, ""
            left = {i: c for i, c in left.items()
                    if not (c is True or z3.is_true(found.eval(c, model_completion=True)))}
        return None


def not_ready(value):
    return z3.Or(value == NOT_READY, value == OLD)


def parts(use, families=(0, 0, 0)):
    instance = Instance(families)
    program = instance.program
    (owner,), (late,), (reader,) = (instance.workgroup(i) for i in range(3))
    names = ("part 0", "part 1")
    for name in names:
        instance.initial(name, NOT_READY, OLD)
    post, poll, seen, insert = use("post"), use("poll"), use("seen"), use("insert")
    for value in (AGGREGATE, PREFIX):
        for name in names:
            program.store(owner, name, value, post, name="post")
    prefixes = [e for e in program.events if e.kind == "store"][2:]
    swaps = []
    for name in names:
        old = program.load(late, name, seen, name="seen")
        program.compare_and_swap(late, name, old, AGGREGATE, insert, guard=not_ready(old), name="insert")
        swaps.append(program.events[-1])
    again = [program.load(late, name, poll, name="poll") for name in names]
    first = [program.load(reader, name, poll, name="poll") for name in names]
    second = [program.load(reader, name, poll, name="poll") for name in names]
    number = {id(e): i for i, e in enumerate(program.events)}
    instance.wrong["a workgroup misses its own insert"] = lambda x: z3.Or([not_ready(v) for v in again])
    instance.wrong["a ready part becomes not ready"] = lambda x: z3.Or(
        [z3.And(z3.Not(not_ready(a)), not_ready(b)) for a, b in zip(first, second)]
    )
    instance.wrong["an aggregate replaces the prefix"] = lambda x: model.either(
        x.modification_order.rows[number[id(p)]][number[id(s)]] for p, s in zip(prefixes, swaps)
    )
    return instance


def flag(use, families=(0, 0, 0)):
    instance = Instance(families)
    program = instance.program
    (owner,), (late,), (reader,) = (instance.workgroup(i) for i in range(3))
    garbage = 3
    instance.initial("flag", NOT_READY, OLD)
    values = {state: [f"{text} word {i}" for i in range(2)]
              for state, text in ((AGGREGATE, "aggregate"), (PREFIX, "prefix"))}
    for name in values[AGGREGATE] + values[PREFIX]:
        program.initial[name] = garbage
    post, post_flag, poll, poll_flag = use("post"), use("post of the flag"), use("poll"), use("poll of the flag")
    for state in (AGGREGATE, PREFIX):
        for name in values[state]:
            program.store(owner, name, state, post, name="post")
        program.store(owner, "flag", state, post_flag, name="post of the flag")
    old = program.load(late, "flag", use("seen"), name="seen")
    for name in values[AGGREGATE]:
        program.store(late, name, AGGREGATE, post, guard=not_ready(old), name="post")
    program.compare_and_swap(late, "flag", old, AGGREGATE, use("insert"), guard=not_ready(old), name="insert")
    swap = len(program.events) - 1
    stored = next(i for i, e in enumerate(program.events) if e.name == "post of the flag"
                  and z3.is_true(z3.simplify(e.put == PREFIX)))
    seen = program.load(reader, "flag", poll_flag, name="poll of the flag")
    bad = []
    for state in (AGGREGATE, PREFIX):
        for name in values[state]:
            word = program.load(reader, name, poll, guard=seen == state, name="poll")
            bad.append(z3.And(seen == state, word != state))
    instance.wrong["a torn value"] = lambda x: z3.Or(bad)
    instance.wrong["an aggregate replaces the prefix"] = lambda x: x.modification_order.rows[stored][swap]
    return instance


def ticket(use, families=(0, 0, 0)):
    instance = Instance(families)
    program = instance.program
    groups, step = 3, 4  # `step` is the maximum number of tickets per epoch that the counter can hold
    program.initial["ticket"] = 1 * step
    drawn, stores = [], []
    for group in range(groups):
        (thread,) = instance.workgroup(group)
        mine = program.update(thread, "ticket", lambda old: old + 1, use("ticket"), name="draw")
        drawn.append(mine)
        if use("next epoch"):
            last = (mine & (step - 1)) == groups - 1
            program.store(thread, "ticket", 2 * step, use("next epoch"), guard=last, name="next epoch")
            stores.append(len(program.events) - 1)
    draws = [i for i, e in enumerate(program.events) if e.name == "draw"]
    instance.wrong["two workgroups draw the same ticket"] = lambda x: z3.Not(z3.Distinct(drawn))
    instance.wrong["a ticket of another epoch"] = lambda x: z3.Or([z3.LShR(t, 2) != 1 for t in drawn])
    instance.wrong["a ticket drawn after the epoch moved"] = lambda x: model.either(x.modification_order.rows[i][j]
                                                                                    for i in stores for j in draws)
    return instance


def finish(use, families=(0, 0, 0)):
    instance = Instance(families)
    program = instance.program
    first, last = instance.workgroup(0, 2), instance.workgroup(1, 2)
    whole = 1  # value that the last workgroup must read
    if use.opcode("post") == "OpAtomicStore":
        program.store(first[1], "part", 1, use("post"), name="post")
    else:  # all workgroups add to the same word
        whole = 2
        for group in (first, last):
            program.update(group[1], "part", lambda old: old + 1, use("post"), name="post")
    for number, group in enumerate((first, last)):
        for thread in group:
            if use("barrier before"):
                program.barrier(thread, ("before", number), use("barrier before"))
    program.update(first[0], "done", lambda old: old + 1, use("count"), name="count")
    done = program.update(last[0], "done", lambda old: old + 1, use("count"), name="count")
    if use("reset"):
        program.store(last[0], "done", 0, use("reset"), guard=done == 1, name="reset")
    for thread in last:
        if use("barrier after"):
            program.barrier(thread, "after", use("barrier after"))
    if use("late reset"):
        program.store(last[0], "done", 0, use("late reset"), guard=done == 1, name="reset")
    # The other invocations learn from workgroup memory if theirs is the last workgroup.
    if use.opcode("read") == "OpAtomicLoad":
        part = program.load(last[1], "part", use("read"), guard=done == 1, name="read")
    else:
        part = program.update(last[1], "part", lambda old: 0, use("read"), guard=done == 1, name="read")
    instance.wrong["the last workgroup misses a part"] = lambda x: z3.And(done == 1, part != whole)
    return instance


def in_place(use, families=(0, 0, 0)):
    """The elements are one word. Invocation 1 of the owner stores it, and invocation 1 of the other workgroup loads it.
    Invocations 0 access the entry."""
    instance = Instance(families)
    program = instance.program
    owner, late = instance.workgroup(0, 2), instance.workgroup(1, 2)
    instance.initial("entry", NOT_READY, OLD)
    if use("post"):
        program.store(owner[0], "entry", PREFIX, use("post"), name="settle")
    else:  # the owner or another workgroup may have posted already; the entry is ready in each case
        before = program.load(owner[0], "entry", use("seen"), name="settle: seen")
        program.compare_and_swap(owner[0], "entry", before, AGGREGATE, use("insert"), guard=not_ready(before),
                                 name="settle")
    for thread in owner:
        if use("barrier before stores"):
            program.barrier(thread, "before stores", use("barrier before stores"))
    program.store(owner[1], "element", 1, use("element store"), name="overwrite")
    element = program.load(late[1], "element", use("element load"), name="reduce")
    for thread in late:
        for number, role in enumerate(("barrier of the sum", "barrier after loads")):
            if use(role):
                program.barrier(thread, role, use(role))
    old = program.load(late[0], "entry", use("seen"), name="seen")
    program.compare_and_swap(late[0], "entry", old, AGGREGATE, use("insert"), guard=not_ready(old), name="insert")
    swap = program.events[-1]
    polled = program.load(late[0], "entry", use("poll"), name="poll")
    new = element != 0
    instance.wrong["a sum of overwritten elements is inserted"] = lambda x: z3.And(new, swap.guard, swap.writes)
    instance.wrong["a sum of overwritten elements is taken"] = lambda x: z3.And(new, not_ready(polled))
    return instance


def shared(use, families=(0, 0, 0)):
    """The invocations belong to two subgroups of a workgroup. The second access comes after the barrier. Atomics may have
    no barrier between them."""
    instance = Instance(families)
    program = instance.program
    one, other = instance.workgroup(0, 2)
    access(program, one, use("first"), 1)
    for thread in (one, other):
        if use("barrier"):
            program.barrier(thread, "between", use("barrier"))
    got = access(program, other, use("second"), 2)
    if got is not None and use("barrier") and not use("first")["is_load"]:
        instance.wrong["a written value is not read"] = lambda x: got != 1
    return instance


def access(program, thread, operation, value):
    operation = dict(operation)
    is_load, is_update = operation.pop("is_load"), operation.pop("is_update")
    if is_load:
        return program.load(thread, "variable", operation, name="load")
    if is_update:
        return program.update(thread, "variable", lambda old: old | value, operation, name="update")
    program.store(thread, "variable", value, operation, name="store")
    return None
