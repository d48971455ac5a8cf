"""The Vulkan memory model for small programs: Z3 finds an execution that the model allows and that has given
properties.

A program is a list of threads with loads, stores, atomics, fences and control barriers. Each instruction has a scope,
an order and storage classes, as in SPIR-V. It executes if its guard is true, which may depend on the values of earlier
loads. The relations are those of the appendix "Memory Model" of the Vulkan specification. Where its text is ambiguous,
they follow Khronos's formal model (https://github.com/KhronosGroup/Vulkan-MemoryModel). litmus.py has its tests.

The solver only decides entries of relations that depend on the store that a load reads from.

The model omits the host and its domain, accesses that overlap in part, images, ray tracing, and interlocks. Neither the
specification nor the model forbids out-of-thin-air values. The model therefore allows more executions than devices
have.
"""

import itertools
from dataclasses import dataclass

import z3

from relations import Relation, both, either, negate

INVOCATION, SUBGROUP, WORKGROUP, QUEUE_FAMILY, DEVICE = range(5)
SCOPES = {"invocation": 0, "sg": 1, "wg": 2, "qf": 3, "dev": 4}
SCOPE_NAMES = ("Invocation", "Subgroup", "Workgroup", "QueueFamily", "Device")

# Rules that can be left out, to check that a litmus test detects it. RULES of litmus.py has the test for each.
RULES = ("acyclic", "from_read", "modification_order", "storage_class", "scope", "synchronizes_atomic",
         "synchronizes_fence", "synchronizes_barrier", "release_sequence", "program_order_release",
         "acquire_program_order", "transitive", "availability", "visibility", "chain", "private", "reference", "system",
         "initial_read")


@dataclass
class Event:
    """The effect of an instruction. A load receives the value `got`, and a store writes the value `put`."""

    thread: int
    kind: str  # load, store, rmw, fence, barrier; make_available or make_visible for the device domain
    location: str = ""
    reference: str = ""  # name used for the location; accesses by different names need more ordering
    storage: str = ""
    atomic: bool = False
    scope: int = INVOCATION
    acquire: bool = False
    release: bool = False
    semantics: frozenset = frozenset()  # storage classes of the semantics
    semantics_available: bool = False
    semantics_visible: bool = False
    available: bool = False  # MakePointerAvailable of this access
    visible: bool = False  # MakePointerVisible of this access
    nonprivate: bool = False
    instance: object = None  # control barriers with equal instances synchronize
    guard: object = True  # condition of execution
    writes: object = True  # condition of the write; false for a compare and swap that fails
    got: object = None
    put: object = None
    name: str = ""


@dataclass
class Thread:
    workgroup: int = 0
    subgroup: int = 0
    queue_family: int = 0


class Program:
    def __init__(self, width=6):
        self.threads = []
        self.events = []
        self.system = []  # pairs of threads; the first system-synchronizes with the second
        self.aliases = {}  # reference -> location
        self.initial = {}  # location -> value before the program; 0 by default
        self.width = width
        self.assumptions = []

    def thread(self, workgroup=0, subgroup=0, queue_family=0):
        self.threads.append(Thread(workgroup, subgroup, queue_family))
        return len(self.threads) - 1

    def value(self, name):
        return z3.BitVec(name, self.width)

    def constant(self, number):
        return z3.BitVecVal(number, self.width)

    def add(self, event):
        number = len(self.events)
        event.name = event.name or event.kind
        if event.location:
            event.reference = event.reference or event.location
            event.location = self.aliases.get(event.location, event.location)
            if event.kind in ("load", "rmw"):
                event.got = self.value(f"got{number}")
        self.events.append(event)
        return event

    # Functions that add events. `op` has the attributes of an Event that come from an instruction.

    def load(self, thread, location, op, guard=True, name=""):
        return self.add(Event(thread=thread, kind="load", location=location, guard=guard, name=name, **op)).got

    def store(self, thread, location, value, op, guard=True, name=""):
        return self.add(
            Event(thread=thread, kind="store", location=location, put=self.number(value), guard=guard, name=name, **op)
        )

    def update(self, thread, location, function, op, guard=True, name=""):
        """Adds an atomic read-modify-write, which stores function(old value). Returns the old value."""
        event = self.add(Event(thread=thread, kind="rmw", location=location, guard=guard, name=name, **op))
        event.put = self.number(function(event.got))
        return event.got

    def compare_and_swap(self, thread, location, expected, value, op, guard=True, name=""):
        event = self.add(
            Event(thread=thread, kind="rmw", location=location, guard=guard, name=name, put=self.number(value), **op)
        )
        event.writes = event.got == self.number(expected)
        return event.got

    def barrier(self, thread, instance, op, guard=True, name=""):
        self.add(Event(thread=thread, kind="barrier", instance=instance, guard=guard, name=name or "barrier", **op))

    def number(self, value):
        return self.constant(value) if isinstance(value, int) else value


class Execution:
    """The executions of a program: its relations, as conditions on the choices of the solver."""

    def __init__(self, program, chains=True, without=()):
        self.program, self.without, self.solvers = program, frozenset(without), {}
        assert self.without <= set(RULES)
        self.events = program.events
        self.count = len(self.events)
        self.choices = list(program.assumptions)
        self.relate_statically(chains)
        self.choose_reads()
        self.choose_modification_order()
        self.order(chains)

    def has(self, rule):
        return rule not in self.without

    def relation(self, condition):
        return Relation.of(self.count, lambda a, b: condition(self.events[a], self.events[b], a, b))

    def among(self, condition):
        """Returns the identity on the executed events that satisfy the condition."""
        conditions = [both(event.guard, condition(event)) for event in self.events]
        return Relation.of(self.count, lambda a, b: conditions[a] if a == b else False)

    def distance(self, a, b):
        """Returns the smallest scope that contains both events."""
        x, y = self.program.threads[a.thread], self.program.threads[b.thread]
        if a.thread == b.thread:
            return INVOCATION
        if x.queue_family != y.queue_family:
            return DEVICE
        if x.workgroup != y.workgroup:
            return QUEUE_FAMILY
        return SUBGROUP if x.subgroup == y.subgroup else WORKGROUP

    @staticmethod
    def reads(e):
        return e.guard if e.kind in ("load", "rmw") else False

    @staticmethod
    def stores(e):
        return both(e.guard, e.writes) if e.kind in ("store", "rmw") else False

    def relate_statically(self, chains):
        executed = lambda a, b: both(a.guard, b.guard)
        accesses = lambda e: e.kind in ("load", "store", "rmw")
        self.same_thread = self.relation(lambda a, b, i, j: a.thread == b.thread)
        self.po = self.relation(lambda a, b, i, j: executed(a, b) if a.thread == b.thread and i < j else False)
        self.same_location = self.relation(lambda a, b, i, j: executed(a, b) if accesses(a) and accesses(b)
                                           and a.location == b.location else False)
        self.same_reference = self.relation(lambda a, b, i, j: (not self.has("reference") or a.reference == b.reference)
                                            and accesses(a) and accesses(b))
        # Pairs in the same subgroup, workgroup, queue family and device.
        self.same = {scope: self.relation(lambda a, b, i, j, scope=scope: self.distance(a, b) <= scope)
                     for scope in (SUBGROUP, WORKGROUP, QUEUE_FAMILY, DEVICE)}
        self.in_scope = self.relation(lambda a, b, i, j: not self.has("scope")
                                      or self.distance(a, b) <= min(a.scope, b.scope))
        self.mutually_ordered = (
            self.same_location
            & self.same_reference
            & self.in_scope
            & self.relation(lambda a, b, i, j: a.atomic and b.atomic and i != j)
        )
        pairs = set(self.program.system) if self.has("system") else set()
        self.ssw = self.relation(lambda a, b, i, j: executed(a, b) if (a.thread, b.thread) in pairs else False)

        self.R = self.among(self.reads)
        self.W = self.among(self.stores)
        self.atomic_R = self.among(lambda e: both(e.atomic, self.reads(e)))
        self.atomic_W = self.among(lambda e: both(e.atomic, self.stores(e)))
        self.rmw = self.among(lambda e: both(e.kind == "rmw", e.writes))
        self.fence = lambda e: e.kind in ("fence", "barrier") and (e.acquire or e.release)
        self.release_fence = self.among(lambda e: self.fence(e) and e.release)
        self.acquire_fence = self.among(lambda e: self.fence(e) and e.acquire)
        self.release_write = self.among(lambda e: both(e.atomic and e.release, self.stores(e)))
        # A compare and swap that fails has the Unequal semantics of the instruction, which are relaxed.
        self.acquire_read = self.among(lambda e: both(e.atomic and e.acquire, self.reads(e), e.writes))
        private = lambda e: self.has("private") and not (e.nonprivate or e.atomic or e.available or e.visible)
        self.shared_R = self.among(lambda e: both(self.reads(e), not private(e)))
        self.shared_W = self.among(lambda e: both(self.stores(e), not private(e)))
        self.shared = self.shared_R | self.shared_W

        # Availability and visibility operations, and the accesses that they include. An access includes its own operations.
        makes_available = lambda e: both(
            either((e.available, both(e.atomic, self.stores(e)), e.release and e.semantics_available))
        )
        makes_visible = lambda e: e.visible or e.atomic and e.kind != "store" or e.acquire and e.semantics_visible
        own_available = lambda e: e.kind in ("store", "rmw") and (e.available or e.atomic)
        own_visible = lambda e: e.kind in ("load", "rmw") and (e.visible or e.atomic)
        self.available = {scope: self.among(lambda e, scope=scope: both(e.scope >= scope, makes_available(e)))
                          for scope in self.same}
        self.visible = {scope: self.among(lambda e, scope=scope: both(e.scope >= scope, makes_visible(e)))
                        for scope in self.same}
        own = lambda e: own_available(e) or own_visible(e)

        def includes(a, b, i, j):
            if accesses(a) and b.kind == "make_available" or a.kind == "make_visible" and accesses(b):
                return True
            if accesses(a) and b.release and b.semantics_available and a.storage in b.semantics:
                return True
            if accesses(b) and a.acquire and a.semantics_visible and b.storage in a.semantics:
                return True
            return (accesses(a) and accesses(b) and a.location == b.location and a.reference == b.reference
                    and (own(a) or own(b)))

        self.includes = self.relation(includes)
        self.identity = self.relation(lambda a, b, i, j: i == j)
        self.classes = sorted(
            {e.storage for e in self.events if e.storage} | {c for e in self.events for c in e.semantics}
        )

    def choose_reads(self):
        """Lets each read take its value from one store to the location, or from the initial value."""
        none = Relation.of(self.count, lambda a, b: False)
        self.rf, initial = Relation([list(row) for row in none.rows]), [False] * self.count
        for j, read in enumerate(self.events):
            if self.reads(read) is False:
                continue
            sources = [i for i, e in enumerate(self.events) if i != j and self.stores(e) is not False
                       and e.location == read.location]
            first = self.program.initial.get(read.location, 0)
            chosen = []
            for i in sources:
                writer = self.events[i]
                if z3.is_bv_value(read.got) and z3.is_bv_value(writer.put) and not z3.eq(read.got, writer.put):
                    continue
                choice = z3.Bool(f"rf{i}_{j}")
                self.rf.rows[i][j] = choice
                self.choices += [
                    z3.Implies(choice, z3.And(self.condition(self.stores(writer)), read.got == writer.put))
                ]
                chosen.append(choice)
            choice = z3.Bool(f"first{j}")
            initial[j] = choice
            self.choices.append(z3.Implies(choice, read.got == self.program.number(first)))
            chosen.append(choice)
            guard = self.condition(read.guard)
            self.choices += [z3.Implies(guard, z3.Or(chosen))] + [z3.Implies(c, guard) for c in chosen]
            self.choices += [z3.Not(z3.And(a, b)) for a, b in itertools.combinations(chosen, 2)]
        self.initial_reads = Relation.of(self.count, lambda a, b: initial[a] if a == b else False)

    @staticmethod
    def condition(value):
        return z3.BoolVal(value) if isinstance(value, bool) else value

    def choose_modification_order(self):
        """Orders mutually ordered atomic writes. The order is transitive among writes that are all mutually ordered.
        Khronos's formal model requires a transitive order of all writes. Therefore it has no execution of three writes
        with some combinations of scopes.
        """
        order = Relation.of(self.count, lambda a, b: False)
        for i, j in itertools.combinations(range(self.count), 2):
            a, b = self.events[i], self.events[j]
            related = both(a.atomic and b.atomic, self.stores(a), self.stores(b), self.mutually_ordered.rows[i][j])
            if related is False:
                continue
            before = z3.Bool(f"mo{i}_{j}")
            order.rows[i][j] = both(related, before)
            order.rows[j][i] = both(related, z3.Not(before))
        for a, b, c in itertools.permutations(range(self.count), 3):
            chain = both(order.rows[a][b], order.rows[b][c])
            if chain is not False and order.rows[a][c] is not False:
                self.choices.append(z3.Implies(self.condition(chain), self.condition(order.rows[a][c])))
        self.modification_order = order

    def order(self, chains):
        immediate = self.modification_order - self.modification_order @ self.modification_order
        # A release sequence continues only with read-modify-writes.
        sequence = self.identity
        if self.has("release_sequence"):
            sequence = sequence | (immediate @ self.rmw).closure()
        self.release_sequence = self.release_write @ sequence
        hypothetical = self.atomic_W @ sequence
        read = self.rf & self.mutually_ordered
        to_storage = self.po & self.relation(lambda a, b, i, j: b.storage in a.semantics)
        from_storage = self.po & self.relation(lambda a, b, i, j: a.storage in b.semantics)
        heads = []
        if self.has("synchronizes_atomic"):
            heads.append((self.release_sequence, "atomic"))
        if self.has("synchronizes_fence"):
            heads.append((self.release_fence @ to_storage @ hypothetical, "fence"))
        sw = Relation.of(self.count, lambda a, b: False)
        for head, _ in heads:
            if self.has("synchronizes_atomic"):
                sw = sw | head @ read @ self.acquire_read
            if self.has("synchronizes_fence"):
                sw = sw | head @ read @ self.atomic_R @ from_storage @ self.acquire_fence
        if self.has("synchronizes_barrier"):
            met = self.relation(lambda a, b, i, j: both(a.guard, b.guard) if a.kind == b.kind == "barrier"
                                and a.instance == b.instance and i != j else False)
            po_or_same = self.po | self.identity
            sw = sw | self.release_fence @ po_or_same @ (met & self.in_scope) @ po_or_same @ self.acquire_fence
        self.sw = sw & self.in_scope

        # Each set of storage classes has its own order.
        hb = self.po
        sets = [frozenset(s) for n in range(1, len(self.classes) + 1) for s in itertools.combinations(self.classes, n)]
        for classes in sets:
            if not self.has("storage_class"):
                classes = frozenset()
            covers = self.among(lambda e: classes <= e.semantics and (e.acquire or e.release))
            concerned = covers | self.among(lambda e: bool(e.storage) and (e.storage in classes or not classes))
            step = self.ssw | covers @ self.sw @ covers
            if self.has("program_order_release"):
                step = step | concerned @ self.po @ (covers & (self.release_write | self.release_fence))
            if self.has("acquire_program_order"):
                step = step | (covers & (self.acquire_read | self.acquire_fence)) @ self.po @ concerned
            hb = hb | (step.closure() if self.has("transitive") else step)
        self.hb = hb

        self.order_locations(chains)

        self.fr = Relation.of(self.count, lambda a, b: False)
        if self.has("from_read"):
            back = self.rf.inverse()
            self.fr = back @ (self.W @ self.locord @ self.W) | back @ self.modification_order
        if self.has("initial_read"):
            self.fr = self.fr | self.initial_reads @ self.same_location @ self.W
        self.fr = self.fr - self.identity

        writes = self.relation(lambda a, b, i, j: either((self.stores(a), self.stores(b))) if i != j else False)
        self.race = (self.same_location & writes) - self.mutually_ordered - self.locord - self.locord.inverse()

    def order_locations(self, chains):
        """Computes the order of accesses at each location (location order)."""
        hb, R, W, shared_R, shared_W = self.hb, self.R, self.W, self.shared_R, self.shared_W
        system = self.ssw.closure()
        order = hb & self.same_thread & self.same_reference
        order = order | shared_R @ hb @ self.shared | R @ system @ (R | W)
        here = (self.po | self.identity) & self.includes
        before, after = self.identity, self.identity
        for scope, group in self.same.items():
            step = hb & group & self.includes
            available = before @ self.available[scope]
            visible = self.visible[scope] @ after
            if chains and self.has("chain"):
                before = before @ (self.identity | available @ step)
                after = (self.identity | step @ visible) @ after
            made_available = shared_W @ here @ available if self.has("availability") else shared_W
            made_visible = visible @ here @ shared_R if self.has("visibility") else shared_R
            reached = made_available @ (hb & group)
            order = (
                order | (self.same_reference & (reached @ shared_W)) | (self.same_reference & (reached @ made_visible))
            )
        flushed = W @ (hb & self.includes) @ self.among(lambda e: e.kind == "make_available") @ hb
        order = (
            order | flushed @ W | flushed @ self.among(lambda e: e.kind == "make_visible") @ (hb & self.includes) @ R
        )
        self.locord = self.same_location & order

    def consistent(self):
        """Returns the conditions of a consistent execution. In it, no load reads a value that a store it must see has
        replaced."""
        rules = list(self.choices)
        if self.has("acyclic"):
            order = self.locord | self.rf | self.fr
            if self.has("modification_order"):
                order = order | self.modification_order
            rules.append(self.condition(negate(order.closure().diagonal())))
        return rules

    def find(self, *conditions, consistent=True):
        """Returns the Z3 model of an execution with these properties, or None."""
        if consistent not in self.solvers:
            self.solvers[consistent] = z3.SolverFor("QF_BV")
            self.solvers[consistent].add(self.consistent() if consistent else self.choices)
        solver = self.solvers[consistent]
        solver.push()
        solver.add([self.condition(c) for c in conditions])
        answer = solver.check()
        assert answer != z3.unknown
        found = solver.model() if answer == z3.sat else None
        solver.pop()
        return found

    def describe(self, model):
        """Returns a text with one line per event of the execution, and the data races."""
        holds = lambda c: c if isinstance(c, bool) else z3.is_true(model.eval(c, model_completion=True))
        number = lambda v: model.eval(v, model_completion=True).as_long()
        lines = []
        for i, e in enumerate(self.events):
            if not holds(e.guard):
                continue
            thread = self.program.threads[e.thread]
            text = f"  workgroup {thread.workgroup} invocation {thread.subgroup}: {i:2} {e.name} {e.location}"
            if e.got is not None:
                source = next((str(a) for a in range(self.count) if holds(self.rf.rows[a][i])), "before")
                text += f" reads {number(e.got)} of {source}"
            if e.kind in ("store", "rmw"):
                text += f" writes {number(e.put)}" if holds(e.writes) else " writes nothing"
            lines.append(text)
        races = [(a, b) for a in range(self.count) for b in range(a) if holds(self.race.rows[a][b])]
        lines += [f"  data race of {b} and {a}" for a, b in races]
        return "\n".join(lines)
