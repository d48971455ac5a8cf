"""Roles of the instructions of a kernel in the look-back, for look_back_memory.py."""

from spirv_memory import ORDERS


def among(some, accesses):
    return any(a is b for a in some for b in accesses)


def tile_state_roles(module):
    """Returns the accesses to tile states as a list for each role. The result is empty for a kernel without a look-back."""
    atomics = [a for a in module.accesses if a.operation.opcode.startswith("OpAtomic") and a.operation.storage == "b"]
    swapped = {module.binding(a.variable) for a in atomics if a.operation.opcode == "OpAtomicCompareExchange"}
    tickets = [a for a in atomics if a.operation.opcode == "OpAtomicIAdd" and a.index == 0
               and module.binding(a.variable) in swapped]
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
    counters = {module.binding(a.variable) for a in module.accesses if a.operation.opcode == "OpAtomicIAdd"
                and a.index == 0 and a.operation.storage == "b"}
    for access in module.accesses:
        opcode = access.operation.opcode
        if access.operation.storage != "b" or module.binding(access.variable) not in counters:
            continue
        if access.index == 0:
            role = {"OpAtomicIAdd": "count", "OpAtomicStore": "reset", "OpStore": "reset"}.get(opcode)
        else:
            role = {"OpAtomicIAdd": "post", "OpAtomicStore": "post", "OpAtomicLoad": "read",
                    "OpAtomicExchange": "read"}.get(opcode)
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
    return tuple(sorted((role, text) for role, accesses in roles.items()
                        for text in ({str(a.operation) for a in accesses} or {""})))
