"""The rule of barriers for spirv_rules.py: all invocations of a workgroup reach a barrier, or none does."""

from spirv_kernel import (
    BUILT_IN, EVALUATE, FUNCTION, GROUP, INPUT, LANE_BUILT_INS, LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR, NO_RESULT, PUSH_CONSTANT,
    REDUCTIONS, SELECT, UNDEF, UNIFORM_BUILT_INS, UNIFORM_GROUP, WORKGROUP)


def same_in_subgroup(name, operands):
    """Returns true if the operation has the same result in all lanes of a subgroup."""
    return name in UNIFORM_GROUP or name in REDUCTIONS and operands[3] == 0


# Levels of difference among the invocations of a workgroup, whose subgroups are full. LANE: the value depends only on the lane, and is the
# same in each subgroup. ANY: the value may differ in any way.
LANE, ANY = 1, 2


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
                    self.differ(operands[1], LANE if built_in in LANE_BUILT_INS else ANY, "the number of an invocation",
                                label)
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
