"""Checks rules on the SPIR-V of every compiled kernel, for all values of its specialization constants.

    spirv_rules.py [--long] [--list] KERNEL.spv...

Prints a line for each rule, as tests/scripts do, and FAIL with the kernel and the reason. --list prints the number of
loops of each kind, by kernel. --long also checks barriers in kernels that differ from others only by their type.

  barriers  All invocations of a workgroup reach a barrier, or none does: no branch around it depends on a value that may
            differ among them. Values differ if they come from an invocation number, a subgroup, an atomic, or a buffer,
            because others may write the buffer. A value read from workgroup memory is the same for all invocations if
            nothing writes the variable between the barriers before and after.
  scopes    The scope and the semantics of each atomic and barrier are constants. The scope is the device (or the queue
            family), the workgroup or the subgroup. The scope of an atomic in a buffer is the device. Operations that
            order accesses name the memory. A barrier of the workgroup orders at least workgroup memory.
  loops     Each loop ends. On each of its cycles, a counter that takes a step in each iteration is compared with a
            number that the loop does not change. Or an interval gets smaller in each iteration, as in a binary search.
            EXCEPTIONS lists the other loops, with the reason why they end.
"""

import argparse
import os
import re
from collections import Counter

import spirv_memory as spirv
from spirv_memory import ACQUIRE, ACQUIRE_RELEASE, RELEASE

ORDERS = ACQUIRE | RELEASE | ACQUIRE_RELEASE
SEQUENTIAL = 0x10
UNIFORM_MEMORY, WORKGROUP_MEMORY = 0x40, 0x100
ATOMICS = (318, 319, 5614, 5615, 6035)  # atomics of flags and floats

# Numbers that SPIR-V defines.
SCOPES = {1: "Device", 5: "QueueFamily", 2: "Workgroup", 3: "Subgroup"}
WORKGROUP, PUSH_CONSTANT, INPUT, FUNCTION, STORAGE_BUFFER, UNIFORM = 4, 9, 1, 7, 12, 2
BUILT_IN = 11
UNIFORM_BUILT_INS = (24, 25, 26, 36, 38)  # NumWorkgroups, WorkgroupSize, WorkgroupId, SubgroupSize, NumSubgroups
EXTENDED, COMPOSITE_EXTRACT, COMPOSITE_INSERT, SHUFFLE_VECTOR, SELECT, UNDEF = 12, 81, 82, 79, 169, 1
LOGICAL_OR, LOGICAL_AND, LOGICAL_NOT = 166, 167, 168
LANE_BUILT_INS = (41, 4416, 4417, 4418, 4419, 4420)  # SubgroupLocalInvocationId and masks
# Operations of a subgroup. Operations in UNIFORM_GROUP have the same result in all lanes: all, any, all equal, broadcasts, ballots and
# functions of ballots. Reductions also do.
GROUP = range(333, 367)
UNIFORM_GROUP = (334, 335, 336, 337, 338, 339, 341, 343, 344)
REDUCTIONS = (342, *range(349, 365))
LITERALS_AFTER = {
    COMPOSITE_EXTRACT: 1,
    COMPOSITE_INSERT: 2,
    SHUFFLE_VECTOR: 2,
}  # number of operands after the result that are ids
NO_RESULT = {
    "OpStore",
    "OpAtomicStore",
    "OpControlBarrier",
    "OpMemoryBarrier",
    "OpBranch",
    "OpBranchConditional",
    "OpSwitch",
    "OpLoopMerge",
    "OpSelectionMerge",
    253,
    255,
    252,
}
MASK = 0xFFFFFFFF


def signed(value):
    return value - (1 << 32) if value & 0x80000000 else value


EVALUATE = {
    128: lambda a, b: (a + b) & MASK,
    130: lambda a, b: (a - b) & MASK,
    132: lambda a, b: (a * b) & MASK,
    134: lambda a, b: a // b if b else None,
    137: lambda a, b: a % b if b else None,
    164: lambda a, b: a == b,
    165: lambda a, b: a != b,
    LOGICAL_OR: lambda a, b: a or b,
    LOGICAL_AND: lambda a, b: a and b,
    LOGICAL_NOT: lambda a: not a,
    170: lambda a, b: a == b,
    171: lambda a, b: a != b,
    172: lambda a, b: a > b,
    173: lambda a, b: signed(a) > signed(b),
    174: lambda a, b: a >= b,
    175: lambda a, b: signed(a) >= signed(b),
    176: lambda a, b: a < b,
    177: lambda a, b: signed(a) < signed(b),
    178: lambda a, b: a <= b,
    179: lambda a, b: signed(a) <= signed(b),
    194: lambda a, b: a >> b if b < 32 else None,
    196: lambda a, b: (a << b) & MASK if b < 32 else None,
    197: lambda a, b: a | b,
    198: lambda a, b: a ^ b,
    199: lambda a, b: a & b,
    124: lambda a: a,
}


# Kernels of radix_tile.glsl. They check the order of a tile that was ranked by atomics. Invocations set a workgroup variable for this by
# an atomic OR. The variable is cleared only once, because the second iteration of sort_tile ranks by ballots and checks nothing. The rule
# of barriers cannot see this, and ignores the variable.
BARRIER_EXCEPTIONS = ("radix_single", "radix_single_narrow", "segmented_sort", "segmented_sort_long")


class Kernel:
    """A module, with the uses of each value, its barriers and its accesses to workgroup memory."""

    def __init__(self, path):
        self.module = module = spirv.Module(path)
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.blocks = {label: module.blocks[label] for label in module.blocks if label in module.reachable}
        self.home = {}  # value -> label of its block
        self.uses = {}  # value -> (label, place) of the instructions that use it
        self.operands = {}
        self.barriers, self.accesses = (
            [],
            [],
        )  # (label, place) of barriers; (label, place, writes, variable, index) of accesses to workgroup memory
        for label, block in self.blocks.items():
            for place, (name, operands) in enumerate(block.instructions):
                if name not in NO_RESULT and len(operands) > 1:
                    self.home[operands[1]] = label
                for x in self.ids(name, operands):
                    self.uses.setdefault(x, []).append((label, place))
                if name == "OpControlBarrier" and module.constants.get(operands[0]) != 3:
                    self.barriers.append((label, place))
                elif isinstance(name, str) and (name in ("OpLoad", "OpStore") or name.startswith("OpAtomic")):
                    at = 0 if name in ("OpStore", "OpAtomicStore") else 2
                    variable, storage = self.variable(operands[at])
                    if storage == WORKGROUP:
                        index = module.pointer(operands[at])[1]
                        writes = name not in ("OpLoad", "OpAtomicLoad")
                        self.accesses.append((label, place, writes, variable, index))
        self.keys, self.cyclic = {}, {}
        self.barrier_blocks = {label for label, _ in self.barriers}
        self.merging = {
            label: [i for i in block.instructions if i[0] in ("OpPhi", "OpStore")]
            for label, block in self.blocks.items()
        }
        self.excepted = self.name in BARRIER_EXCEPTIONS
        self.merged = {
            self.variable(operands[2])[0]
            for block in self.blocks.values()
            for name, operands in block.instructions
            if name == "OpAtomicOr"
        }

    @staticmethod
    def ids(name, operands):
        """Returns the operands that are values."""
        if name == "OpLoad":
            return operands[2:3]
        if name in ("OpStore",):
            return operands[:2]
        if name == "OpPhi":
            return operands[2::2]
        if name in ("OpBranchConditional", "OpSwitch"):
            return operands[:1]
        if name in ("OpBranch", "OpLoopMerge", "OpSelectionMerge", "OpControlBarrier", "OpMemoryBarrier", "OpVariable"):
            return ()
        if name == "OpAtomicStore":
            return (operands[0], operands[-1])
        if name == EXTENDED:
            return operands[4:]
        if name in LITERALS_AFTER:
            return operands[2 : 2 + LITERALS_AFTER[name]]
        if name in (252, 253, 255):
            return ()
        if name in GROUP:
            return operands[3:]
        return operands[2:]

    def variable(self, pointer):
        """Returns the variable of a pointer, and its storage class."""
        while True:
            name, operands = self.module.definitions.get(pointer, (None, ()))
            if name == "OpVariable":
                return pointer, operands[2]
            if name not in ("OpAccessChain", "OpInBoundsAccessChain", 83):
                return 0, None
            pointer = operands[2]

    def is_excepted(self, variable):
        """Returns true for the variables that BARRIER_EXCEPTIONS describes."""
        return self.excepted and variable in self.merged

    def instruction(self, value):
        return self.module.definitions.get(value, (None, ()))

    def key(self, value):
        """Returns the expression of a value that depends only on constants, as nested tuples, or None for other values."""
        if value in self.keys:
            return self.keys[value]
        self.keys[value] = None
        if value in self.module.constants:
            result = ("constant", self.module.constants[value])
        else:
            name, operands = self.instruction(value)
            result = None
            if name in ("OpSpecConstant", "OpSpecConstantTrue", "OpSpecConstantFalse"):
                result = ("specialization", value)
            elif name in EVALUATE or name == SELECT:
                parts = [self.key(x) for x in operands[2:]]
                if None not in parts:
                    result = (name, *parts)
        self.keys[value] = result
        return result


def same_in_subgroup(name, operands):
    """Returns true if the operation has the same result in all lanes of a subgroup."""
    return name in UNIFORM_GROUP or name in REDUCTIONS and operands[3] == 0


# Levels of difference among the invocations of a workgroup, whose subgroups are full. LANE: the value depends only on the lane, and is the
# same in each subgroup. ANY: the value may differ in any way.
LANE, ANY = 1, 2


class Case:
    """A kernel under assumptions about conditions that specialization constants decide."""

    def __init__(self, kernel, assumed):
        self.kernel, self.assumed = kernel, assumed
        self.values = {}
        self.follow()
        self.reasons = {}  # value, variable or branch that differs -> (its cause, the blocks involved)
        self.levels = {}
        self.control = {}  # block that only some invocations may run -> (level, block with the branch)

    # Known values.

    def evaluate(self, key):
        if key is None:
            return None
        if key[0] == "constant":
            return key[1]
        if key in self.assumed:
            return self.assumed[key]
        if key[0] == "specialization":
            return None
        values = [self.evaluate(k) for k in key[1:]]
        if key[0] == SELECT:
            return None if values[0] is None else values[1 if values[0] else 2]
        if key[0] == LOGICAL_AND and any(v is not None and not v for v in values):
            return False
        if key[0] == LOGICAL_OR and any(values):
            return True
        return None if None in values else EVALUATE[key[0]](*values)

    def known(self, value):
        """Returns a value that the assumptions decide, or None."""
        if value in self.values:
            return self.values[value]
        self.values[value] = None
        result = self.evaluate(self.kernel.key(value))
        if ("value", value) in self.assumed:
            result = self.assumed[("value", value)]
        if result is None:
            name, operands = self.kernel.instruction(value)
            if name in (LOGICAL_AND, LOGICAL_OR):
                parts = [self.known(x) for x in operands[2:]]
                if any(p is not None and p == (name == LOGICAL_OR) for p in parts):
                    result = name == LOGICAL_OR
                elif None not in parts:
                    result = bool(parts[0])
            elif name == LOGICAL_NOT and self.known(operands[2]) is not None:
                result = not self.known(operands[2])
            elif name == SELECT and self.known(operands[2]) is not None:
                result = self.known(operands[3 if self.known(operands[2]) else 4])
        self.values[value] = result
        return result

    def follow(self):
        """Finds the blocks and edges that an execution can take."""
        kernel = self.kernel
        self.successors, self.predecessors, order = {}, {}, []
        entry = kernel.module.entry
        left = [(entry, None)]
        while left:
            label, children = left.pop()
            if children is None:
                if label in self.successors:
                    continue
                name, operands = kernel.blocks[label].instructions[-1]
                after = kernel.blocks[label].successors
                if name == "OpBranchConditional":
                    decided = self.known(operands[0])
                    if decided is not None:
                        after = [operands[1 if decided else 2]]
                elif name == "OpSwitch":
                    decided = self.known(operands[0])
                    if decided is not None:
                        after = [dict(zip(operands[2::2], operands[3::2])).get(decided, operands[1])]
                after = list(dict.fromkeys(after))
                self.successors[label] = after
                for s in after:
                    self.predecessors.setdefault(s, []).append(label)
                children = iter(after)
            for s in children:
                if s not in self.successors:
                    left += [(label, children), (s, None)]
                    break
            else:
                order.append(label)
        self.order = order  # postorder: each block after its successors, except in loops
        self.predecessors.setdefault(entry, [])

    # Dominators, by the algorithm of Cooper, Harvey and Kennedy.

    @staticmethod
    def tree(order, parents, root):
        """Returns the immediate dominator of each block. `order` is the reverse postorder from the root."""
        number = {label: i for i, label in enumerate(order)}
        above = {root: root}
        changed = True
        while changed:
            changed = False
            for label in order:
                if label == root:
                    continue
                new = None
                for p in parents(label):
                    if p not in above:
                        continue
                    if new is None:
                        new = p
                        continue
                    a, b = p, new
                    while a != b:
                        while number[a] > number[b]:
                            a = above[a]
                        while number[b] > number[a]:
                            b = above[b]
                    new = a
                if new is not None and above.get(label) != new:
                    above[label] = new
                    changed = True
        return above

    def dominators(self):
        return self.tree(self.order[::-1], lambda label: self.predecessors[label], self.kernel.module.entry)

    def postdominators(self):
        """Returns for each block the first block that all paths from it pass. 0 is the end."""
        exits = [label for label, after in self.successors.items() if not after]
        order, seen = [], set()
        left = [(0, iter(exits))]
        seen.add(0)
        while left:
            label, before = left[-1]
            for p in before:
                if p not in seen:
                    seen.add(p)
                    left.append((p, iter(self.predecessors[p])))
                    break
            else:
                order.append(label)
                left.pop()
        return self.tree(order[::-1], lambda label: self.successors[label] or [0], 0)

    # Values that differ between invocations.

    def phases(self):
        """Yields each access to workgroup memory, with the last barriers (or the entry) on the paths to it as bits."""
        kernel = self.kernel
        in_block = {}
        for i, (label, place) in enumerate(kernel.barriers):
            in_block.setdefault(label, []).append((place, 2 << i))
        before = {label: 0 for label in self.successors}
        before[kernel.module.entry] = 1
        left = [kernel.module.entry]
        while left:
            label = left.pop()
            after = in_block[label][-1][1] if label in in_block else before[label]
            for s in self.successors[label]:
                if after & ~before[s]:
                    before[s] |= after
                    left.append(s)
        for access in kernel.accesses:
            label, place = access[:2]
            if label in before:
                last = [bit for at, bit in in_block.get(label, ()) if at < place]
                yield access, last[-1] if last else before[label]

    def differ(self, what, level, cause, *blocks):
        if self.levels.get(what, 0) < level:
            self.levels[what] = level
            self.reasons[what] = (cause, blocks)
            self.left.append(what)

    def analyze(self):
        """Returns the block of a barrier that only some of the invocations may reach, or None."""
        kernel, blocks = self.kernel, self.kernel.blocks
        self.left, self.loads, self.groups, self.alone = [], {}, {}, None
        self.after = self.postdominators()
        stores, reads = {}, []
        for access, phase in self.phases():
            if access[2]:
                stores.setdefault(access[3], []).append((access, phase))
            else:
                reads.append((access, phase))
        for (label, place, _, variable, index), phase in reads:
            if kernel.is_excepted(variable):
                continue
            result = blocks[label].instructions[place][1][1]
            for other, written in stores.get(variable, ()):
                if phase & written and (index is None or other[4] is None or index == other[4]):
                    cause = f"workgroup variable {variable}, which is written meanwhile"
                    self.differ(result, ANY, cause, label, other[0])
                    break
        for label in self.successors:
            for name, operands in blocks[label].instructions:
                self.begin(label, name, operands)
        while self.left and self.alone is None:
            self.spread(self.left.pop())
        return self.alone

    def begin(self, label, name, operands):
        kernel = self.kernel
        if name == "OpLoad":
            variable, storage = kernel.variable(operands[2])
            if storage == INPUT:
                built_in = kernel.module.decorations.get(variable, {}).get(BUILT_IN, (None,))[0]
                if built_in not in UNIFORM_BUILT_INS:
                    self.differ(
                        operands[1], LANE if built_in in LANE_BUILT_INS else ANY, "the number of an invocation", label
                    )
            elif storage == FUNCTION:
                self.loads.setdefault(variable, []).append((operands[1], label))
            elif storage not in (PUSH_CONSTANT, WORKGROUP):
                self.differ(operands[1], ANY, f"memory that others may write (variable {variable})", label)
        elif isinstance(name, str):
            if name.startswith("OpAtomic") and name not in ("OpAtomicStore", "OpAtomicLoad"):
                self.differ(operands[1], ANY, "an atomic", label)
            elif name == "OpAtomicLoad" and kernel.variable(operands[2])[1] != WORKGROUP:
                self.differ(operands[1], ANY, "an atomic", label)
        elif name == UNDEF:
            self.differ(operands[1], ANY, "an undefined value", label)
        elif name in GROUP:
            self.groups.setdefault(label, []).append(operands[1])
            if not same_in_subgroup(name, operands):
                self.differ(operands[1], LANE, "a subgroup operation", label)

    def spread(self, what):
        kernel, blocks, level = self.kernel, self.kernel.blocks, self.levels[what]
        for label, place in kernel.uses.get(what, ()):
            if label not in self.successors:
                continue
            name, operands = blocks[label].instructions[place]
            if name in ("OpBranchConditional", "OpSwitch"):
                if len(self.successors[label]) > 1:
                    self.divide(label, level, what)
            elif name == "OpPhi":
                for value, source in zip(operands[2::2], operands[3::2]):
                    if value == what and source in self.predecessors[label]:
                        self.differ(operands[1], level, what, label, source)
            elif name == "OpStore":
                variable, storage = kernel.variable(operands[0])
                if storage == FUNCTION:
                    self.vary(variable, level, what, label)
            elif name in NO_RESULT or self.known(operands[1]) is not None:
                continue
            elif name == SELECT and self.known(operands[2]) is not None:
                if operands[3 if self.known(operands[2]) else 4] == what:
                    self.differ(operands[1], level, what, label)
            elif level == ANY or not same_in_subgroup(name, operands):
                self.differ(operands[1], level, what, label)

    def vary(self, variable, level, cause, label):
        """Records that the value of a variable of the invocation differs."""
        key = ("variable", variable)
        if self.levels.get(key, 0) < level:
            self.levels[key] = level
            self.reasons[key] = (cause, (label,))
            for value, home in self.loads.get(variable, ()):
                self.differ(value, level, key, home)

    def divide(self, branch, level, cause):
        """Records that some invocations take each successor of a branch, until all paths join."""
        kernel, key = self.kernel, ("branch", branch)
        if self.levels.get(key, 0) >= level:
            return
        self.levels[key] = level
        self.reasons[key] = (cause, (branch,))
        end = self.after.get(branch, 0)
        seen, left = set(), list(self.successors[branch])
        while left:
            label = left.pop()
            if label not in seen and label != end:
                seen.add(label)
                left += self.successors[label]
        for label in seen:
            if self.control.get(label, (0, 0))[0] < level:
                self.control[label] = level, branch
                if label in kernel.barrier_blocks:
                    self.alone = label
                    return
                if level == ANY:
                    for result in self.groups.get(label, ()):
                        self.differ(result, ANY, key, label)
        for label in (*seen, end) if end else seen:
            for name, operands in kernel.merging[label]:
                if name == "OpPhi":
                    values = {v for v, p in zip(operands[2::2], operands[3::2]) if p in self.predecessors[label]}
                    if len(values) > 1:
                        self.differ(operands[1], level, key, label, *self.predecessors[label])
                elif name == "OpStore" and label != end:
                    variable, storage = kernel.variable(operands[0])
                    if storage == FUNCTION:
                        self.vary(variable, level, key, label)

    def chain(self, barrier):
        """Returns the causes for which only some invocations reach the barrier, back to the first, and the blocks involved."""
        texts, blocks = [], [barrier]
        what = ("branch", self.control[barrier][1])
        while what in self.reasons:
            cause, where = self.reasons[what]
            blocks += where
            texts.append(str(what))
            what = cause
        return texts + [what], blocks

    def undecided(self, blocks, texts):
        """Returns a condition that decides if the blocks run and that is not assumed yet, or None."""
        kernel = self.kernel
        above = self.dominators()
        seen, values = set(), [x for x in texts if isinstance(x, int)]
        branches = []
        for label in reversed(blocks):
            while label not in seen:
                seen.add(label)
                name, operands = kernel.blocks[label].instructions[-1]
                if name == "OpBranchConditional" and len(self.successors[label]) > 1:
                    branches.append(operands[0])
                label = above[label]
        values = branches + values
        keys = [key for value in values for key in self.conditions(value)]
        return keys[0] if keys else None

    def conditions(self, value, depth=0):
        """Yields the conditions in an unknown value that are the same for all invocations."""
        key = self.kernel.key(value)
        if key is not None:
            yield from self.atoms(key)
            return
        name, operands = self.kernel.instruction(value)
        if self.known(value) is not None:
            return
        if depth < 4 and name in (LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT, SELECT):
            for x in operands[2:]:
                yield from self.conditions(x, depth + 1)
        elif name in range(164, 180) and value not in self.reasons and not self.repeats(self.kernel.home[value]):
            yield "value", value  # the same for all invocations, and computed only once

    def repeats(self, label):
        """Returns true if the block is in a loop."""
        if label not in self.kernel.cyclic:
            self.kernel.cyclic[label] = label in self.kernel.module.reach(self.kernel.blocks[label].successors)
        return self.kernel.cyclic[label]

    def atoms(self, key):
        if self.evaluate(key) is not None:
            return
        if key[0] in (LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT, 164, 165):
            for part in key[1:]:
                yield from self.atoms(part)
        elif key[0] == SELECT:
            yield from self.atoms(key[1])
        elif key[0] == "specialization" or key[0] in range(170, 180):
            yield key


def split(assumed, key):
    """Yields the assumptions with the condition false and with it true."""
    yield {**assumed, key: False}
    case = {**assumed, key: True}
    if key[0] == 170:  # equal to a constant
        for a, b in (key[1:], key[:0:-1]):
            if a[0] == "specialization" and b[0] == "constant":
                case[a] = b[1]
    yield case


def lone_barriers(kernel):
    """Returns the assumptions, the block and the causes of a barrier that only a part of the workgroup may reach, or None.
    Also returns the number of cases."""
    left, cases = [{}], 0
    while left:
        assumed = left.pop()
        cases += 1
        case = Case(kernel, assumed)
        barrier = case.analyze()
        if barrier is None:
            continue
        texts, blocks = case.chain(barrier)
        key = case.undecided(blocks, texts)
        if key is None or cases > 400:
            return (assumed, barrier, texts), cases
        left += split(assumed, key)
    return None, cases


def scopes(kernel):
    """Yields the errors in scopes and semantics of atomics and barriers. Stores their count in kernel.operations."""
    module, count = kernel.module, 0
    constants = {x: v for x, v in module.constants.items() if x not in module.specializations}
    for label, block in kernel.blocks.items():
        for name, operands in block.instructions:
            if not isinstance(name, str):
                if name in ATOMICS or name in GROUP and constants.get(operands[2]) != 3:
                    yield f"instruction {name} at block {label}: not known, or its scope is not the subgroup"
                continue
            if name == "OpControlBarrier":
                execution, scope, semantics = (constants.get(x) for x in operands)
                storages = (UNIFORM_MEMORY if semantics is None else semantics) & (UNIFORM_MEMORY | WORKGROUP_MEMORY)
                if execution not in (2, 3):
                    yield f"{name}: execution scope {execution}"
                elif execution == 2 and not (semantics or 0) & WORKGROUP_MEMORY:
                    yield f"{name} of the workgroup does not order workgroup memory"
            elif name == "OpMemoryBarrier":
                scope, semantics = (constants.get(x) for x in operands)
                storages = 0
                if semantics is not None and not semantics & ORDERS:
                    yield f"{name} orders nothing"
            elif name.startswith("OpAtomic"):
                at = 0 if name == "OpAtomicStore" else 2
                storage = kernel.variable(operands[at])[1]
                scope, semantics = (constants.get(x) for x in operands[at + 1 : at + 3])
                storages = WORKGROUP_MEMORY if storage == WORKGROUP else UNIFORM_MEMORY
                if storage not in (WORKGROUP, STORAGE_BUFFER):
                    yield f"{name} of unknown memory"
                if scope in (2, 3) and storage != WORKGROUP:
                    yield f"{name} of a buffer with scope {SCOPES[scope]}"
                if scope == 3 and storage == WORKGROUP:
                    yield f"{name} of workgroup memory with scope Subgroup"
                if name == "OpAtomicCompareExchange":
                    unequal = constants.get(operands[5])
                    if unequal is None or unequal & (RELEASE | ACQUIRE_RELEASE) or unequal & ORDERS & ~(semantics or 0):
                        yield f"{name}: semantics {unequal} if unequal"
            else:
                continue
            count += 1
            if scope not in SCOPES:
                yield f"{name} at block {label}: its scope is {'not constant' if scope is None else scope}"
            if semantics is None:
                yield f"{name} at block {label}: its semantics are not constant"
            elif semantics & SEQUENTIAL or bin(semantics & ORDERS).count("1") > 1:
                yield f"{name} at block {label}: semantics {semantics:#x}"
            elif not semantics & ORDERS and semantics:
                # VUID-StandaloneSpirv-MemorySemantics-10871, which spirv-val of 2023 does not check.
                yield f"{name} at block {label} is relaxed, and orders memory"
            elif semantics & ORDERS and not semantics & (UNIFORM_MEMORY | WORKGROUP_MEMORY):
                yield f"{name} at block {label} orders no memory"
            elif semantics & ORDERS and storages & ~semantics and name.startswith("OpAtomic"):
                yield f"{name} at block {label} does not order the memory that it is in"
    kernel.operations = count


# Loops.

UP, DOWN, HALF = 1, -1, -2  # HALF: the number minus half of itself, so 1 stays 1
LESS, GREATER = (176, 177, 178, 179), (172, 173, 174, 175)
EQUAL, UNEQUAL = 170, 171


class Loop:
    """A loop of a kernel: the blocks on paths from its header back to it."""

    def __init__(self, kernel, header, predecessors, above):
        self.kernel, self.header = kernel, header
        self.latches = [p for p in predecessors[header] if dominates(above, header, p)]
        self.blocks, left = {header}, list(self.latches)
        while left:
            label = left.pop()
            if label not in self.blocks:
                self.blocks.add(label)
                left += predecessors[label]
        self.fixed = {}
        self.phis = {operands[1]: operands for name, operands in kernel.blocks[header].instructions if name == "OpPhi"}

    def is_fixed(self, value):
        """Returns true if the loop does not change the value."""
        if value in self.fixed:
            return self.fixed[value]
        self.fixed[value] = False
        kernel = self.kernel
        home = kernel.home.get(value)
        if home not in self.blocks:
            result = True
        else:
            name, operands = kernel.instruction(value)
            if name == "OpLoad":
                result = kernel.variable(operands[2])[1] in (PUSH_CONSTANT, INPUT)
            elif name == "OpPhi" or name in GROUP or isinstance(name, str) and name.startswith("OpAtomic"):
                result = False
            else:
                result = all(self.is_fixed(x) for x in kernel.ids(name, operands))
        self.fixed[value] = result
        return result

    def steps(self, phi):
        """Returns the directions (UP, DOWN, HALF) in which a number steps. The result is empty if an iteration may skip the step."""
        operands = self.phis[phi]
        found, seen = set(), set()
        left = [v for v, p in zip(operands[2::2], operands[3::2]) if p in self.blocks]
        while left:
            value = left.pop()
            if value in seen:
                continue
            seen.add(value)
            name, of = self.kernel.instruction(value)
            if name == "OpPhi" and value != phi and self.kernel.home[value] in self.blocks:
                left += of[2::2]
            elif name == SELECT:
                left += of[3:5]
            else:
                step = self.step(phi, name, of)
                if step is None:
                    return set()
                found.add(step)
        return found

    def step(self, phi, name, operands):
        """Returns the direction of an instruction as a step from the header's number `phi`, or None if it is no step."""
        if name == 130:  # the number minus half of itself, or minus one more
            kernel, (a, b) = self.kernel, operands[2:4]
            kind, of = kernel.instruction(b)
            if (
                a == phi
                and kind in (134, 194)
                and of[2] == phi
                and kernel.module.constants.get(of[3], 0) > (kind == 134)
            ):
                return HALF
            kind, of = kernel.instruction(a)
            if kind == 130 and self.step(phi, kind, of) == HALF and kernel.module.constants.get(b) == 1:
                return DOWN
        if name not in (128, 130, 132, 134, 194, 196) or not self.is_fixed(operands[-1]) and operands[3] != phi:
            return None
        a, b = operands[2:4]
        if name == 128 and a != phi:
            a, b = b, a
        constant = self.kernel.module.constants.get(b)
        if a != phi or not self.is_fixed(b) or constant == 0:
            return None
        if name == 128:
            return DOWN if constant is not None and constant & 0x80000000 else UP
        if name in (132, 134) and constant == 1:
            return None
        return {130: DOWN, 132: UP, 134: DOWN, 194: DOWN, 196: UP}[name]

    def follows(self, value):
        """Returns the header's number from which a value is computed by fixed steps, or None."""
        for _ in range(4):
            if value in self.phis:
                return value
            name, operands = self.kernel.instruction(value)
            if name == 124:
                value = operands[2]
            elif name in (128, 130, 134, 194, 196) and self.is_fixed(operands[3]):
                value = operands[2]
            elif name in (128, 132) and self.is_fixed(operands[2]):
                value = operands[3]
            else:
                return None
        return None

    def ends(self, condition, when, seen=()):
        """Returns the kind of an exit that is taken if the condition is `when`: "counter", "interval", or None if neither
        decides it."""
        kernel = self.kernel
        name, operands = kernel.instruction(condition)
        if condition in seen:
            return None
        seen = (*seen, condition)
        if name == LOGICAL_NOT:
            return self.ends(operands[2], not when, seen)
        if name in (LOGICAL_AND, LOGICAL_OR):
            # One part decides that AND is false or OR is true. Otherwise both parts must.
            parts = [self.ends(x, when, seen) for x in operands[2:]]
            either = (name == LOGICAL_OR) == when
            return (parts[0] or parts[1]) if either else None
        if name == SELECT:
            choice, yes, no = operands[2:]
            values = [kernel.module.constants.get(x) for x in (yes, no)]
            if values[1] is not None and bool(values[1]) == when:  # AND or OR
                return self.ends(yes, when, seen) or (values[1] == False and self.ends(choice, when, seen)) or None
            if values[0] is not None and bool(values[0]) == when:
                return self.ends(no, when, seen) or (values[0] == True and self.ends(choice, when, seen)) or None
            return self.ends(yes, when, seen) and self.ends(no, when, seen)
        if name == "OpPhi" and kernel.home[condition] in self.blocks and condition not in self.phis:
            # A phi of && or ||: the first operand skips the second and ends the loop, or both end it.
            for value, source in zip(operands[2::2], operands[3::2]):
                last, of = kernel.blocks[source].instructions[-1]
                if last == "OpBranchConditional" and kernel.home[condition] in of[1:3]:
                    taken = of[1] == kernel.home[condition]
                    constant = kernel.module.constants.get(value, taken if value == of[0] else None)
                    if constant is not None and bool(constant) == when:
                        how = self.ends(of[0], taken, seen)
                        if how:
                            return how
            kinds = []
            for value in operands[2::2]:
                constant = kernel.module.constants.get(value)
                kinds.append(
                    "constant" if constant is not None and bool(constant) == when else self.ends(value, when, seen)
                )
            if None in kinds:
                return None
            return next((k for k in kinds if k != "constant"), None)
        if name in (*LESS, *GREATER, EQUAL, UNEQUAL):
            return self.compares(name, operands[2], operands[3], when)
        return None

    def compares(self, name, a, b, when):
        first, second = self.follows(a), self.follows(b)
        if name in (EQUAL, UNEQUAL):
            ups = ((first, b), (second, a))
            for phi, limit in ups:
                if phi and self.is_fixed(limit) and self.steps(phi) and (name == EQUAL) == when:
                    return "counter"
            return None
        less = name in LESS
        # If the condition is `when`, the number has passed the limit upwards or downwards.
        for phi, limit, way in ((first, b, UP), (second, a, DOWN)):
            way = way if less != when else -way
            steps = self.steps(phi) if phi and self.is_fixed(limit) else set()
            if steps == {way}:
                return "counter"
            if way == DOWN and HALF in steps <= {DOWN, HALF}:
                # The loop ends at 1 at the latest: its condition is "greater than a constant that is not 0".
                at_least = self.kernel.module.constants.get(limit, 0)
                if at_least >= 1 and (name, when) in ((172, False), (178, True)):
                    return "counter"
        if first and second and first != second:
            return "interval" if self.shrinks(first, second) else None
        return None

    def shrinks(self, low, high):
        """Returns true if each iteration sets one of two numbers to a value computed from the middle between them."""
        if not all(self.moves(phi) for phi in (low, high)):
            return False
        ways = (dict(zip(self.phis[phi][3::2], self.phis[phi][2::2])) for phi in (low, high))
        first, second = ways
        return all(self.changes(first[p], second[p], low, high) for p in first if p in self.blocks)

    def changes(self, new_low, new_high, low, high):
        """Returns true if at least one of the two numbers changes on every path."""
        (name, a), (other, b) = self.kernel.instruction(new_low), self.kernel.instruction(new_high)
        homes = [self.kernel.home.get(x) for x in (new_low, new_high)]
        if name == other == "OpPhi" and homes[0] == homes[1] and new_low not in self.phis and new_high not in self.phis:
            ways = dict(zip(b[3::2], b[2::2]))
            return all(self.changes(v, ways[p], low, high) for v, p in zip(a[2::2], a[3::2]))
        if name == other == SELECT and a[2] == b[2]:
            return self.changes(a[3], b[3], low, high) and self.changes(a[4], b[4], low, high)
        return new_low != low or new_high != high

    def moves(self, phi):
        operands = self.phis[phi]
        return all(self.middle(v, phi, 0) for v, p in zip(operands[2::2], operands[3::2]) if p in self.blocks)

    def middle(self, value, phi, depth):
        """Returns true if the value is the number `phi` itself, a number halfway, or one more than that."""
        name, operands = self.kernel.instruction(value)
        if value == phi:
            return True
        if depth > 6:
            return False
        if name == "OpPhi" and value not in self.phis:
            return all(self.middle(v, phi, depth + 1) for v in operands[2::2])
        if name == SELECT:
            return all(self.middle(v, phi, depth + 1) for v in operands[3:5])
        if name in (134, 194):
            return True
        if name == 128:
            return any(self.middle(x, phi, depth + 1) for x in operands[2:] if x not in self.kernel.module.constants)
        return False

    def kind(self):
        """Returns the way in which the loop ends: "counter", "interval", or None if neither is proved."""
        kernel, kinds = self.kernel, set()
        closed = set()
        for label in self.blocks:
            name, operands = kernel.blocks[label].instructions[-1]
            if name != "OpBranchConditional":
                continue
            for at, when in ((1, True), (2, False)):
                if operands[at] not in self.blocks and operands[3 - at] in self.blocks:
                    how = self.ends(operands[0], when)
                    if how:
                        kinds.add(how)
                        closed.add(label)
        # Checks that each iteration passes one of the `closed` blocks.
        seen, left = set(), [self.header]
        while left:
            label = left.pop()
            if label in seen or label in closed:
                continue
            seen.add(label)
            if label in self.latches:
                return None
            left += [s for s in kernel.blocks[label].successors if s in self.blocks]
        return "interval" if "interval" in kinds else "counter"


def dominates(above, a, b):
    while b != a and above[b] != b:
        b = above[b]
    return a == b


def loops(kernel):
    case = Case(kernel, {})
    above = case.dominators()
    for label, block in kernel.blocks.items():
        if any(name == "OpLoopMerge" for name, _ in block.instructions):
            loop = Loop(kernel, label, case.predecessors, above)
            if loop.latches:
                yield loop


# Loops that end for a reason other than a count or an interval: the reasons, and the number of loops of each in a kernel.
LOOK_BACK = "loops of polls and of rounds: termination.py proves that each step brings the walk closer to its end"
NARROWING = "searches an interval that each iteration shortens"
TURNS = "sorts a tile again at most once: the second iteration ranks by ballots and checks nothing"
SEGMENTS = "each iteration takes at least one of the workgroup's segments"
CYCLE = "applies a permutation of 2^n numbers to a place until the result is below the count: at most 2^n times"
EXCEPTIONS = (
    (r"scan_f32x3_segmented", {LOOK_BACK: 2, NARROWING: 20}),  # the unrolled loop over chunks has copies of the search
    (r"scan_(f32x2|f64)_segmented", {LOOK_BACK: 2, NARROWING: 12}),
    (r"scan_\w+_segmented", {LOOK_BACK: 2, NARROWING: 8}),
    (r"reduce_by_key_\w+", {LOOK_BACK: 2, NARROWING: 4}),
    (r"(scan|compact|runs)_\w+|radix_sweep(_narrow)?", {LOOK_BACK: 2}),
    (r"set_operation", {LOOK_BACK: 2, NARROWING: 2}),
    (r"radix_single(_narrow)?", {TURNS: 1}),
    (r"segmented_sort(_long)?", {TURNS: 1, SEGMENTS: 1}),
    (r"search|partition_point|merge_splits", {NARROWING: 1}),
    (r"merge_words", {NARROWING: 2}),
    (r"shuffle", {CYCLE: 1}),
)


def exceptions(name):
    return next((kinds for pattern, kinds in EXCEPTIONS if re.fullmatch(pattern, name)), {})


def describe(assumed):
    """Returns the assumptions of a case as text."""

    def text(key):
        if key[0] in ("specialization", "value", "constant"):
            return f"%{key[1]}" if key[0] != "constant" else str(key[1])
        return f"{key[0]}({', '.join(text(k) for k in key[1:])})"

    return ", ".join(f"{text(key)} = {value}" for key, value in assumed.items()) or "for all values of the constants"


def is_variant(name):
    """Returns true if the same kernel for another type has the same paths."""
    return re.search(r"_(f32|u32)x[23]|_f64", name) is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("kernels", nargs="+")
    arguments = parser.parse_args()
    lone, wrong, endless = [], [], []
    checked = barriers = operations = 0
    kinds = Counter()
    for path in arguments.kernels:
        kernel = Kernel(path)
        if arguments.long or not is_variant(kernel.name):
            checked += 1
            barriers += len(kernel.barriers)
            found, _ = lone_barriers(kernel)
            if found:
                assumed, barrier, texts = found
                lone.append(
                    f"{kernel.name}, block %{barrier}: a branch on {texts[-1]}, by {texts[1:-1]}; {describe(assumed)}"
                )
        wrong += [f"{kernel.name}: {text}" for text in scopes(kernel)]
        operations += kernel.operations
        found = Counter(loop.kind() for loop in loops(kernel))
        excepted = exceptions(kernel.name)
        if found[None] != sum(excepted.values()):
            endless.append(f"{kernel.name}: {found[None]} loops without a count, not {sum(excepted.values())}")
        kinds += Counter({kind: count for kind, count in found.items() if kind})
        kinds += Counter(excepted)
        if arguments.list:
            print(f"{kernel.name}: {found['counter']} counted, {found['interval']} intervals, {excepted}")
    report("spirv_barriers", lone, f"{barriers} in {checked} kernels")
    report("spirv_scopes", wrong, f"{operations} atomics and barriers in {len(arguments.kernels)} kernels")
    counted, halved = kinds.pop("counter", 0), kinds.pop("interval", 0)
    report("spirv_loops", endless, f"{counted} counted, {halved} of intervals, {sum(kinds.values())} excepted")


def report(name, failures, text):
    if failures:
        print(f"FAIL {name}: {len(failures)} failures")
        for failure in failures:
            print(f"    {failure}")
    else:
        print(f"ok {name} ({text})")


if __name__ == "__main__":
    main()
