"""The rule of loops for spirv_rules.py: each loop ends."""

import re

from spirv_barriers import Case
from spirv_kernel import GROUP, INPUT, LOGICAL_AND, LOGICAL_NOT, LOGICAL_OR, PUSH_CONSTANT, SELECT


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
            if (a == phi and kind in (134, 194) and of[2] == phi
                and kernel.module.constants.get(of[3], 0) > (kind == 134)):
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
                kinds.append("constant" if constant is not None and bool(constant) == when
                             else self.ends(value, when, seen))
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
    (r"scan_f32x3_segmented", {LOOK_BACK: 2, NARROWING: 21}),  # the unrolled loop over chunks has copies of the search
    (r"scan_(f32x2|f64)_segmented", {LOOK_BACK: 2, NARROWING: 13}),
    (r"scan_\w+_segmented", {LOOK_BACK: 2, NARROWING: 9}),
    (r"reduce_by_key_\w+", {LOOK_BACK: 2, NARROWING: 5}),
    (r"segment_extrem(um|a)_[12]", {LOOK_BACK: 2, NARROWING: 9}),
    (r"(scan|compact|runs)_\w+|radix_sweep(_narrow|_segments|_large)?", {LOOK_BACK: 2}),
    (r"set_operation", {LOOK_BACK: 2, NARROWING: 2}),
    (r"radix_single(_narrow)?", {TURNS: 1}),
    (r"segmented_sort(_long)?", {TURNS: 1, SEGMENTS: 1}),
    (r"search|partition_point|merge_splits", {NARROWING: 1}),
    (r"merge_words", {NARROWING: 2}),
    (r"shuffle", {CYCLE: 1}),
)


def exceptions(name):
    return next((kinds for pattern, kinds in EXCEPTIONS if re.fullmatch(pattern, name)), {})
