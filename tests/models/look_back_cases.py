"""Cases of look_back_memory.py: programs with the operations of some kernels, and with weakened operations."""

from dataclasses import replace

import spirv_memory as spirv
import vulkan_memory_model as model
from look_back_programs import finish, flag, in_place, parts, shared, ticket
from look_back_roles import among, finish_roles, operation_of, signature, tile_state_roles
from spirv_memory import ACQUIRE, ACQUIRE_RELEASE, ORDERS, RELEASE


def weaker(operation):
    """Yields the name of each change, and the changed operation, or None if it is removed."""
    atomic, is_barrier = operation.opcode.startswith("OpAtomic"), "Barrier" in operation.opcode
    if atomic or is_barrier or operation.available or operation.visible:
        for scope in (model.QUEUE_FAMILY, model.WORKGROUP, model.SUBGROUP):
            if scope < operation.scope:
                yield model.SCOPE_NAMES[scope], replace(operation, scope=scope)
    order = operation.semantics & ORDERS
    for bit, weak, name in ((ACQUIRE_RELEASE, ACQUIRE, "Acquire"), (ACQUIRE_RELEASE, RELEASE, "Release"),
                            (ORDERS, 0, "Relaxed")):
        if order & bit:
            yield name, replace(operation, semantics=operation.semantics & ~ORDERS | weak)
    for bit, name in spirv.MEMORY_NAMES:
        if operation.semantics & bit:
            yield f"without {name}", replace(operation, semantics=operation.semantics & ~bit)
    for flag, name in spirv.FLAG_NAMES:
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
                attributes["is_update"] = (operation.opcode.startswith("OpAtomic") and not attributes["is_load"]
                                           and operation.opcode != "OpAtomicStore")
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
        report.result(self.name(), found)
        return not found

    def weaken(self, report):
        for role in self.weakens:
            operation = self.operations[role]
            for change, changed in weaker(operation):
                key = (self.build.__name__, role if self.build is not shared else role_in_pair(operation),
                       str(operation), change)
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


def with_equal_operations(modules, roles_of):
    """Yields the roles that `roles_of` returns, and the names of the kernels that have these operations."""
    groups = {}
    for name, module in modules.items():
        roles = roles_of(module)
        if roles:
            groups.setdefault(signature(roles), (roles, []))[1].append(name)
    return groups.values()


def cases_of_tile_states(modules):
    """Yields the cases of tile states and tickets."""
    for roles, names in with_equal_operations(modules, tile_state_roles):
        operations = {role: operation_of(roles, role) for role, accesses in roles.items() if accesses
                      and role not in ("other", "word 0")}
        pick = lambda *wanted: {role: operations.get(role) for role in wanted}
        if "flagged" in roles:
            yield Case(flag, pick("post", "post of the flag", "poll", "poll of the flag", "seen", "insert"), names)
        else:
            yield Case(parts, pick("post", "poll", "seen", "insert"), names)
        yield Case(ticket, pick("ticket", "next epoch"), names)


def cases_of_finish(modules):
    """Yields the cases of kernels whose last workgroup continues."""
    for roles, names in with_equal_operations(modules, finish_roles):
        yield Case(finish, {role: operation_of(roles, role) for role in roles}, names)


def cases_in_place(modules):
    """Yields pairs of cases for scans whose output is their input. The first has the loads and stores of elements as
    compiled. The second has relaxed atomics of scope Device instead."""
    groups = {}
    for name, module in modules.items():
        roles = tile_state_roles(module)
        entry = roles.get("post", []) + roles.get("insert", [])
        states = {module.binding(a.variable) for a in entry}
        elements = [a for a in module.accesses if a.operation.storage == "b"
                    and module.binding(a.variable) not in states]
        wide = [b for b in module.barriers() if b.operation.scope > model.WORKGROUP]
        stores = [a for a in elements if a.operation.opcode == "OpStore"]
        last = [b for b in wide if among(stores, module.flow(b)[0])]
        first = [b for b in wide if among(roles["seen"], module.flow(b)[0]) and b not in last]
        assert len(first) == len(last) == 1, \
            f"{name}: {len(first)} barriers after a fallback's loads, {len(last)} before stores"
        first, last = first[0], last[0]
        settles = [a for a in entry if among([last], module.flow(a)[1])]
        barriers = module.barriers()
        for poll in roles["poll"]:
            reached, _ = module.flow(poll, [b for b in barriers if b is not last])
            assert settles and not among(stores, reached), f"{name}: stores before the tile is settled"
        loop = module.all_after(first)
        loads = [a for a in elements if a.operation.opcode == "OpLoad" and among([a], loop)
                 and among([first], module.all_after(a))]
        sums = [b for a in loads for b in module.flow(a)[1]]
        for load in loads:
            reached, _ = module.flow(load, [b for b in barriers if b is not first])
            assert not among(entry, reached), f"{name}: a fallback inserts before the barrier that its loads need"
        posts = [a for a in settles if settles[0] in roles["post"] and a in roles["post"]]
        operations = {
            "post": operation_of({"post": posts}, "post") if posts else None,
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
        atomics = {**operations, "element load": spirv.Operation("OpAtomicLoad", "b", model.DEVICE),
                   "element store": spirv.Operation("OpAtomicStore", "b", model.DEVICE)}
        yield compiled, Case(in_place, atomics, names, ["barrier before stores", "barrier after loads"])


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
        return [(a, b) for a in self.accesses for b in self.accesses if a is not b and self.place(a) == self.place(b)
                and self.conflict(a.operation, b.operation) and among([b], self.module.flow(a)[0])]

    def case(self, first, barrier, second):
        key = tuple(map(str, (first, barrier, second)))
        self.cases.setdefault(key, Case(shared, {"first": first, "barrier": barrier, "second": second}, [self.name]))
