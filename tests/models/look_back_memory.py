"""Checks the look-back of compiled kernels under the Vulkan memory model. spirv_memory.py reads the accesses to tile
states, tickets and workgroup memory from SPIR-V. Small programs contain these accesses, and vulkan_memory_model.py
searches all their executions for a data race or a wrong value. Then each scope, order, storage class, flag and barrier
is weakened, one at a time, and the search must find the resulting error.

    look_back_memory.py [--long] [--table] KERNEL.spv...

Prints a line for each check, as tests/scripts do, and FAIL with the execution that was found. --long checks every
kernel instead of one of each kind, and prints an execution for each weakened operation. --table prints the table of
docs/testing.md.

The programs have two or three workgroups:

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
"""

import argparse
import os
import sys
from collections import Counter
from dataclasses import replace

import z3

import spirv_memory as spirv
import vulkan_memory_model as model
from spirv_memory import ACQUIRE, ACQUIRE_RELEASE, RELEASE

ORDERS = ACQUIRE | RELEASE | ACQUIRE_RELEASE
# Ids of specialization constants in scan_interface.h. MAX_SPINS has another id in the kernels listed here.
IN_PLACE, STRATEGY, IN_DISPATCH_ORDER = 11, 12, 14
MAX_SPINS = {"radix": 11, "set": 9}

# Kernels that a run without --long checks where it does not check all.
SHORT = ("scan_u32", "scan_u32_packed", "scan_f32", "compact_1", "scan_u32x2_flagged", "radix_select")

# Prefixes of kernels whose last workgroup continues with the results of all workgroups.
LAST_WORKGROUP = ("reduce_", "extremum_", "find", "histogram", "radix_histogram", "radix_select")

# Known defects. The check fails if the search no longer finds one.
KNOWN_ELEMENTS = "a fallback loads elements without atomics while their owner may store them"


# Roles of the instructions of a kernel.


def tile_state_roles(module):
    """Returns the accesses to tile states as a list for each role. The result is empty for a kernel without a look-back."""
    atomics = [a for a in module.accesses if a.operation.opcode.startswith("OpAtomic") and a.operation.storage == "b"]
    swapped = {module.binding(a.variable) for a in atomics if a.operation.opcode == "OpAtomicCompareExchange"}
    tickets = [
        a
        for a in atomics
        if a.operation.opcode == "OpAtomicIAdd" and a.index == 0 and module.binding(a.variable) in swapped
    ]
    roles = {}
    if not tickets:
        return roles
    binding = module.binding(tickets[0].variable)
    states = [a for a in module.accesses if a.operation.storage == "b" and module.binding(a.variable) == binding]
    compared = {a.value for a in states if a.operation.opcode == "OpAtomicCompareExchange"}
    flagged = any(a.operation.semantics & ORDERS for a in states)
    for access in states:
        opcode, ordered = access.operation.opcode, bool(access.operation.semantics & ORDERS)
        if access.index == 0:
            role = {"OpAtomicIAdd": "ticket", "OpAtomicStore": "next epoch"}.get(opcode, "word 0")
        elif opcode == "OpAtomicLoad":
            role = "seen" if access.result in compared else "poll of the flag" if ordered else "poll"
        elif opcode == "OpAtomicStore":
            cleared = module.constant(access.value) == 0
            role = "clear" if cleared else "post of the flag" if ordered else "post"
        elif opcode == "OpAtomicCompareExchange":
            role = "insert"
        else:
            role = "other"
        roles.setdefault(role, []).append(access)
    strange = [a for a in roles.get("other", []) if a.operation.opcode != "OpAtomicIAdd"] + roles.get("word 0", [])
    assert not strange, f"{module.path}: tile states have an {strange[0].operation}"
    if flagged:
        roles["flagged"] = []
    return roles


def finish_roles(module):
    """Returns the accesses by role of a kernel whose last workgroup reads the posts of all workgroups from a buffer, as in
    last_workgroup.glsl. The result is empty for other kernels."""
    if tile_state_roles(module):
        return {}
    kinds = {}
    counters = {
        module.binding(a.variable)
        for a in module.accesses
        if a.operation.opcode == "OpAtomicIAdd" and a.index == 0 and a.operation.storage == "b"
    }
    for access in module.accesses:
        opcode = access.operation.opcode
        if access.operation.storage != "b" or module.binding(access.variable) not in counters:
            continue
        if access.index == 0:
            role = {"OpAtomicIAdd": "count", "OpAtomicStore": "reset", "OpStore": "reset"}.get(opcode)
        else:
            role = {
                "OpAtomicIAdd": "post",
                "OpAtomicStore": "post",
                "OpAtomicLoad": "read",
                "OpAtomicExchange": "read",
            }.get(opcode)
        kinds.setdefault(role, []).append(access)
    if not all(kinds.get(role) for role in ("count", "reset", "post", "read")):
        return {}
    kinds["barrier before"] = around(module, kinds["post"][0], kinds["count"][0])
    kinds["barrier after"] = around(module, kinds["count"][0], kinds["read"][0])
    if around(module, kinds["count"][0], kinds["reset"][0]):
        kinds["late reset"] = kinds.pop("reset")
    kinds["barrier after"] = kinds["barrier after"][:1]  # the first barrier after the count, in the order of the module
    return kinds


def around(module, first, second):
    """Returns the barriers that are on every path from `first` to `second`."""
    barriers = module.barriers()
    return [b for b in barriers if not among([second], module.flow(first, [c for c in barriers if c is not b])[0])]


def operation_of(roles, role):
    found = {str(a.operation): a.operation for a in roles.get(role, ())}
    assert len(found) == 1, f"{role}: {', '.join(found) or 'missing'}"
    return next(iter(found.values()))


def signature(roles):
    """Returns the operations by role. Kernels with equal signatures share a case."""
    return tuple(
        sorted(
            (role, text) for role, accesses in roles.items() for text in ({str(a.operation) for a in accesses} or {""})
        )
    )


# Programs. `use` returns the attributes of an operation, which may be weakened, or None for a removed barrier.

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
        left = {
            i: model.both(e.guard, e.writes if e.kind == "rmw" else True) for i, e in enumerate(self.program.events)
        }
        while left:
            found = execution.find(model.either(left.values()))
            if found is None:
                return "no execution reaches: " + self.program.events[min(left)].name, ""
            left = {
                i: c for i, c in left.items() if not (c is True or z3.is_true(found.eval(c, model_completion=True)))
            }
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
    values = {
        state: [f"{text} word {i}" for i in range(2)] for state, text in ((AGGREGATE, "aggregate"), (PREFIX, "prefix"))
    }
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
    stored = next(
        i
        for i, e in enumerate(program.events)
        if e.name == "post of the flag" and z3.is_true(z3.simplify(e.put == PREFIX))
    )
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
    instance.wrong["a ticket drawn after the epoch moved"] = lambda x: model.either(
        x.modification_order.rows[i][j] for i in stores for j in draws
    )
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
        program.compare_and_swap(
            owner[0], "entry", before, AGGREGATE, use("insert"), guard=not_ready(before), name="settle"
        )
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


# Weakened operations.


def weaker(operation):
    """Yields the name of each change, and the changed operation, or None if it is removed."""
    atomic, is_barrier = operation.opcode.startswith("OpAtomic"), "Barrier" in operation.opcode
    if atomic or is_barrier or operation.available or operation.visible:
        for scope in (model.QUEUE_FAMILY, model.WORKGROUP, model.SUBGROUP):
            if scope < operation.scope:
                yield model.SCOPE_NAMES[scope], replace(operation, scope=scope)
    order = operation.semantics & ORDERS
    for bit, weak, name in (
        (ACQUIRE_RELEASE, ACQUIRE, "Acquire"),
        (ACQUIRE_RELEASE, RELEASE, "Release"),
        (ORDERS, 0, "Relaxed"),
    ):
        if order & bit:
            yield name, replace(operation, semantics=operation.semantics & ~ORDERS | weak)
    for bit, name in (
        (spirv.UNIFORM_MEMORY, "UniformMemory"),
        (spirv.WORKGROUP_MEMORY, "WorkgroupMemory"),
        (spirv.MAKE_AVAILABLE, "MakeAvailable"),
        (spirv.MAKE_VISIBLE, "MakeVisible"),
    ):
        if operation.semantics & bit:
            yield f"without {name}", replace(operation, semantics=operation.semantics & ~bit)
    for flag, name in (("available", "MakePointerAvailable"), ("visible", "MakePointerVisible")):
        if getattr(operation, flag):
            yield f"without {name}", replace(operation, **{flag: False, "scope": model.INVOCATION})
            yield f"without {name} and NonPrivatePointer", replace(
                operation, **{flag: False, "scope": model.INVOCATION, "nonprivate": False}
            )
    if operation.opcode in ("OpAtomicLoad", "OpAtomicStore"):
        yield "not atomic", spirv.Operation("Op" + operation.opcode[8:], operation.storage)
    if is_barrier:
        yield "removed", None


def reason(build, operation, change, use_of):
    """Returns the reason why a weakened operation breaks nothing, or None if no reason is known."""
    if change == "QueueFamily" and build is not shared and build(use_of, families=(0, 1, 2)).search():
        return "the workgroups of a dispatch run on one queue; with several queues the search finds an error"
    if operation.opcode.startswith("OpAtomic") and not operation.semantics & ORDERS and change.startswith("without"):
        return "a relaxed operation orders no other access, independent of its storage classes"
    if build is finish and operation.opcode == "OpAtomicIAdd" and operation.semantics & ORDERS:
        return "the barriers before and after it order the same accesses"
    if build is finish and operation.opcode == "OpAtomicExchange" and change in model.SCOPE_NAMES:
        return "an update is also a load, and the barriers order that load"
    if operation.opcode == "OpAtomicStore" and build is finish and use_of("late reset") and change in model.SCOPE_NAMES:
        return "the order of the counts puts all of them before the reset"
    return None


class Case:
    """A program with the operations of some kernels."""

    def __init__(self, build, operations, kernels, weakens=None):
        self.build, self.operations, self.kernels = build, operations, kernels
        self.weakens = weakens or [r for r, o in operations.items() if o]

    def use(self, role=None, changed=None):
        def use_of(name):
            operation = changed if name == role and role else self.operations.get(name)
            if operation is None:
                return None
            attributes = operation.attributes()
            if self.build is shared and name != "barrier":
                attributes["is_load"] = operation.opcode in ("OpLoad", "OpAtomicLoad")
                attributes["is_update"] = (
                    operation.opcode.startswith("OpAtomic")
                    and not attributes["is_load"]
                    and operation.opcode != "OpAtomicStore"
                )
            return attributes

        use_of.opcode = lambda name: self.operations[name].opcode
        return use_of

    def search(self, role=None, changed=None):
        return self.build(self.use(role, changed)).search()

    def first(self):
        return min(self.kernels, key=lambda k: (len(k), k))

    def name(self):
        more = len(self.kernels) - 1
        operations = ""
        if self.build is shared:
            operations = ": " + ", ".join(str(o) for o in self.operations.values() if o)
        return f"{self.build.__name__} of {self.first()}" + (f" and {more} more" if more else "") + operations

    def check(self, report):
        """Returns true if no execution has an error."""
        found = self.search()
        if found:
            report.fail(self.name(), *found)
        else:
            report.ok(self.name())
        return not found

    def weaken(self, report):
        for role in self.weakens:
            operation = self.operations[role]
            for change, changed in weaker(operation):
                key = (
                    self.build.__name__,
                    role if self.build is not shared else role_in_pair(operation),
                    str(operation),
                    change,
                )
                if report.is_found(key):
                    continue
                found = self.search(role, changed)
                if found:
                    report.found(key, *found)
                else:
                    report.missed(key, reason(self.build, operation, change, self.use(role, changed)))


def role_in_pair(operation):
    kinds = {"OpLoad": "load", "OpStore": "store", "OpControlBarrier": "barrier"}
    return kinds.get(operation.opcode, "atomic")


# Cases of the kernels.


def cases_of_tile_states(modules):
    """Yields the cases of tile states and tickets. Kernels with equal operations share a case."""
    groups = {}
    for name, module in modules.items():
        roles = tile_state_roles(module)
        if roles:
            groups.setdefault(signature(roles), []).append((name, roles))
    for members in groups.values():
        names, roles = [n for n, _ in members], members[0][1]
        operations = {
            role: operation_of(roles, role)
            for role, accesses in roles.items()
            if accesses and role not in ("other", "word 0")
        }
        pick = lambda *wanted: {role: operations.get(role) for role in wanted}
        if "flagged" in roles:
            yield Case(flag, pick("post", "post of the flag", "poll", "poll of the flag", "seen", "insert"), names)
        else:
            yield Case(parts, pick("post", "poll", "seen", "insert"), names)
        yield Case(ticket, pick("ticket", "next epoch"), names)


def cases_of_finish(modules):
    """Yields the cases of kernels whose last workgroup continues. Kernels with equal operations share a case."""
    groups = {}
    for name, module in modules.items():
        roles = finish_roles(module)
        if roles:
            groups.setdefault(signature(roles), []).append((name, roles))
    for members in groups.values():
        roles = members[0][1]
        yield Case(finish, {role: operation_of(roles, role) for role in roles}, [n for n, _ in members])


def cases_in_place(modules):
    """Yields pairs of cases for scans whose output is their input. The first has the loads and stores of elements as
    compiled. The second has relaxed atomics of scope Device instead."""
    groups = {}
    for name, module in modules.items():
        roles = tile_state_roles(module)
        entry = roles.get("post", []) + roles.get("insert", [])
        states = {module.binding(a.variable) for a in entry}
        elements = [
            a for a in module.accesses if a.operation.storage == "b" and module.binding(a.variable) not in states
        ]
        wide = [b for b in module.barriers() if b.operation.scope > model.WORKGROUP]
        stores = [a for a in elements if a.operation.opcode == "OpStore"]
        last = [b for b in wide if among(stores, module.flow(b)[0])]
        first = [b for b in wide if among(roles["seen"], module.flow(b)[0]) and b not in last]
        assert (
            len(first) == len(last) == 1
        ), f"{name}: {len(first)} barriers after a fallback's loads, {len(last)} before stores"
        first, last = first[0], last[0]
        settles = [a for a in entry if among([last], module.flow(a)[1])]
        barriers = module.barriers()
        for poll in roles["poll"]:
            reached, _ = module.flow(poll, [b for b in barriers if b is not last])
            assert settles and not among(stores, reached), f"{name}: stores before the tile is settled"
        loop = module.all_after(first)
        loads = [
            a
            for a in elements
            if a.operation.opcode == "OpLoad" and among([a], loop) and among([first], module.all_after(a))
        ]
        sums = [b for a in loads for b in module.flow(a)[1]]
        for load in loads:
            reached, _ = module.flow(load, [b for b in barriers if b is not first])
            assert not among(entry, reached), f"{name}: a fallback inserts before the barrier that its loads need"
        operations = {
            "post": operation_of({"post": [a for a in settles if a in roles["post"]]}, "post")
            if settles[0] in roles["post"]
            else None,
            "seen": operation_of(roles, "seen"),
            "insert": operation_of(roles, "insert"),
            "poll": operation_of(roles, "poll"),
            "barrier before stores": last.operation,
            "barrier after loads": first.operation,
            "barrier of the sum": operation_of({"sum": sums}, "sum"),
            "element load": operation_of({"load": loads}, "load"),
            "element store": operation_of({"store": stores}, "store"),
        }
        groups.setdefault(tuple((r, str(o)) for r, o in operations.items()), (operations, []))[1].append(name)
    for operations, names in groups.values():
        compiled = Case(in_place, operations, names)
        atomics = {
            **operations,
            "element load": spirv.Operation("OpAtomicLoad", "b", model.DEVICE),
            "element store": spirv.Operation("OpAtomicStore", "b", model.DEVICE),
        }
        yield compiled, Case(in_place, atomics, names, ["barrier before stores", "barrier after loads"])


def among(some, accesses):
    return any(a is b for a in some for b in accesses)


def check_loops(modules, report):
    """Checks that termination.py covers all loops: a loop that polls or inserts ends by MAX_SPINS or by another count, or
    reaches a barrier."""
    endless, unlimited, count = {}, 0, 0
    for name, module in modules.items():
        roles = tile_state_roles(module)
        accesses = [a for role in ("poll", "poll of the flag", "seen", "insert") for a in roles.get(role, ())]
        if accesses:
            count += 1
            unlimited += bool(module.endless(accesses, None))
            found = module.endless(accesses, MAX_SPINS.get(name.split("_")[0], 3))
            if found:
                endless[name] = found[0].operation
    if endless:
        report.fail("loops", f"{len(endless)} kernels may poll without end, for example {next(iter(endless.items()))}")
    else:
        report.ok(f"loops ({count} kernels poll at most MAX_SPINS times in a row)")
    if unlimited == count:
        report.ok("notices_loops_without_max_spins")
    else:
        report.fail("notices_loops_without_max_spins", f"found only in {unlimited} of {count} kernels")


class Shared:
    """The accesses of a kernel to memory that the invocations of a workgroup share, by pairs that conflict and that
    barriers separate. This memory is workgroup memory, and coherent variables in buffers."""

    def __init__(self, name, module):
        self.name, self.module = name, module
        self.accesses = [a for a in module.accesses if a.operation.storage == "w" or a.operation.nonprivate]
        self.cases = {}
        self.guards = {id(b): 0 for b in module.barriers()}  # number of pairs that only this barrier separates
        for a in self.accesses:
            for b in self.accesses:
                if self.place(a) == self.place(b) and self.conflict(a.operation, b.operation):
                    self.add(a, b)
                elif a is b and a.operation.opcode.startswith("OpAtomic"):
                    self.case(a.operation, None, a.operation)  # several invocations may do this at the same time

    def place(self, access):
        return access.variable if access.operation.storage == "w" else ("binding", self.module.binding(access.variable))

    @staticmethod
    def conflict(a, b):
        loads = lambda o: o.opcode in ("OpLoad", "OpAtomicLoad")
        atomic = lambda o: o.opcode.startswith("OpAtomic")
        return not (loads(a) and loads(b)) and not (atomic(a) and atomic(b))

    def add(self, a, b):
        for barrier in self.module.between(a, b):
            if among([b], self.module.flow(a, [barrier])[0]):
                self.guards[id(barrier)] += 1
            self.case(a.operation, barrier.operation, b.operation)

    def unordered(self):
        """Returns the pairs that conflict, and that a path joins without a barrier."""
        return [
            (a, b)
            for a in self.accesses
            for b in self.accesses
            if a is not b
            and self.place(a) == self.place(b)
            and self.conflict(a.operation, b.operation)
            and among([b], self.module.flow(a)[0])
        ]

    def case(self, first, barrier, second):
        key = tuple(map(str, (first, barrier, second)))
        self.cases.setdefault(key, Case(shared, {"first": first, "barrier": barrier, "second": second}, [self.name]))


def check_barriers(paths, report):
    """Checks that no barrier is missing. Only for kernels in which different invocations make the accesses of each pair:
    scans and compaction."""
    clean, wrong = 0, {}
    for path in paths:
        name = name_of(path)
        for in_order in (False, True):
            module = spirv.Module(
                path, {**({STRATEGY: 0} if "scan" in name else {}), IN_DISPATCH_ORDER: in_order}, defaults=True
            )
            pairs = Shared(name, module).unordered()
            if pairs:
                a, b = pairs[0]
                wrong[name] = f"{a.operation} and {b.operation} of one variable have no barrier between them"
            clean += 1
    for name, what in wrong.items():
        report.fail(f"barriers of {name}", what)
    if not wrong:
        report.ok(f"barriers ({clean} kernels and orders of tiles)")


def check_shared(modules, in_place_modules, kinds, in_full, report):
    """Checks and weakens accesses to memory that a workgroup shares, and their barriers. `in_full` selects all kernels."""
    pairs, looked_at = {}, []
    for name, module in [*modules.items(), *((n + " in place", m) for n, m in in_place_modules.items())]:
        if in_full or name in kinds or name in SHORT or name.endswith(" in place"):
            kernel = Shared(name, module)
            looked_at.append(name)
            for key, case in kernel.cases.items():
                pairs.setdefault(key, case).kernels.append(name)
            spare = [
                i
                for i, b in enumerate(module.barriers())
                if not kernel.guards[id(b)] and b.operation.scope == model.WORKGROUP
            ]
            if spare:
                numbers = ", ".join(map(str, spare))
                print(f"  {name}: no access to workgroup memory needs barriers {numbers} of {len(module.barriers())}")
    sound = []
    for case in pairs.values():
        case.kernels = sorted(set(case.kernels))
        found = case.search()
        if found:
            report.fail(case.name(), *found)
        else:
            sound.append(case)
    report.ok(f"shared ({len(sound)} kinds of pairs in {len(looked_at)} kernels)")
    for case in sound:
        case.weaken(report)


# Output.


class Report:
    def __init__(self, executions):
        self.executions = executions
        self.results = {}  # (program, role, operation, change) -> found or not, and the error, the reason or None
        self.failures = 0

    def ok(self, name):
        print(f"ok {name}", flush=True)

    def fail(self, name, what, execution=""):
        self.failures += 1
        print(f"FAIL {name}: {what}\n{execution}", flush=True)

    def is_found(self, key):
        return self.results.get(key, (False,))[0]

    def found(self, key, what, execution):
        self.results[key] = (True, what)
        if self.executions:
            print(f"  {': '.join(key)}: {what}\n{execution}", flush=True)

    def missed(self, key, why):
        self.results.setdefault(key, (False, why))

    def settle(self):
        """Reports the weakened operations. For workgroup memory and barriers, it is enough that one program finds the error."""
        concerned = {
            key: result for key, result in self.results.items() if key[0] == "shared" or key[1].startswith("barrier")
        }
        for key, (found, why) in concerned.items():
            others = [(k, r) for k, r in concerned.items() if k[2:] == key[2:] and r[1] is not None]
            others.sort(key=lambda other: not other[1][0])  # programs that found an error come first
            if not found and why is None and others:
                (program, *_), (seen, what) = others[0]
                self.results[key] = (seen, f"{program}: {what}" if seen else what)
        programs = list(dict.fromkeys(key[0] for key in self.results))
        for program in programs:
            rows = [(key, *result) for key, result in self.results.items() if key[0] == program]
            bad = [key for key, found, why in rows if not found and why is None]
            for key in bad:
                self.fail(f"weakened_{program}", "no program finds " + ": ".join(key[1:]))
            if not bad:
                found = sum(1 for _, f, _ in rows if f)
                self.ok(f"weakened_{program} ({found} found, {len(rows) - found} not needed)")

    def print_table(self):
        """Prints a table with a row for each operation."""
        print(
            "| program | operation | as compiled | weaker, and found | weaker, and still right |\n|---|---|---|---|---|"
        )
        rows = {}
        for (program, role, operation, change), (found, what) in self.results.items():
            row = rows.setdefault((program, role, operation.removeprefix("Op").replace("|", ", ")), ({}, []))
            if found:
                row[0].setdefault(what, []).append(change)
            else:
                row[1].append(change)
        for key, (found, right) in rows.items():
            texts = [f"{', '.join(changes)}: *{what}*" for what, changes in found.items()]
            print("| " + " | ".join((*key, "; ".join(texts), ", ".join(right))) + " |")


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def has_look_back(path):
    """Returns true if the module may have a compare and swap. Searches the file for its first word, without parsing."""
    with open(path, "rb") as file:
        return (230 | 9 << 16).to_bytes(4, "little") in file.read()


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--long", action="store_true")
    arguments.add_argument("--table", action="store_true")
    arguments.add_argument("kernels", nargs="+")
    given = arguments.parse_args()
    report = Report(given.long)

    modules, in_place_modules = {}, {}
    for path in given.kernels:
        name = name_of(path)
        if not has_look_back(path) and not name.startswith(LAST_WORKGROUP):
            continue
        is_scan = name.startswith(("scan_", "reduce_by_key"))
        modules[name] = spirv.Module(path, {STRATEGY: 0, IN_PLACE: False} if is_scan else {})
        if is_scan and "by_key" not in name and "flagged" not in name and (given.long or name in SHORT):
            in_place_modules[name] = spirv.Module(path, {STRATEGY: 0, IN_PLACE: True})
        if not modules[name].vulkan_model:
            report.fail(name, "the module does not declare the Vulkan memory model")

    check_loops(modules, report)
    try:
        cases = [*cases_of_tile_states(modules), *cases_of_finish(modules)]
    except AssertionError as error:
        report.fail("roles", error)
        cases = []
    kinds = {min(case.kernels, key=lambda k: (len(k), k)) for case in cases}
    for case in cases:
        if case.check(report):
            case.weaken(report)
    try:
        scans = list(cases_in_place(in_place_modules))
    except AssertionError as error:
        report.fail("in_place", error)
        scans = []
    for compiled, case in scans:
        case.check(report)
        case.weaken(report)
        found = compiled.search()
        if found and "data race" in found[0]:
            load = compiled.operations["element load"]
            report.ok(f"known in_place of {compiled.first()}: {load}: {found[0]}: {KNOWN_ELEMENTS}")
        else:
            report.fail(compiled.name(), "expected a data race of elements that are not atomic", ": ".join(found or ()))
    check_shared(modules, in_place_modules, kinds, given.long, report)
    simple = [p for p in given.kernels if name_of(p).startswith(("scan_", "compact_", "runs_"))]
    check_barriers([p for p in simple if given.long or name_of(p) in SHORT], report)
    report.settle()
    if given.table:
        report.print_table()
    sys.exit(report.failures > 0)


if __name__ == "__main__":
    main()
