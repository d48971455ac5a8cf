"""A kernel as spirv_rules.py checks it: a module, with the uses of each value, its barriers and its accesses to workgroup memory."""

import operator
import os

import spirv_memory as spirv

# Numbers that SPIR-V defines.
WORKGROUP, PUSH_CONSTANT, INPUT, FUNCTION, STORAGE_BUFFER = 4, 9, 1, 7, 12
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
# Number of operands after the result that are ids.
LITERALS_AFTER = {COMPOSITE_EXTRACT: 1, COMPOSITE_INSERT: 2, SHUFFLE_VECTOR: 2}
NO_RESULT = {"OpStore", "OpAtomicStore", "OpControlBarrier", "OpMemoryBarrier", "OpBranch", "OpBranchConditional",
             "OpSwitch", "OpLoopMerge", "OpSelectionMerge", 253, 255, 252}
MASK = 0xFFFFFFFF


def signed(value):
    return value - (1 << 32) if value & 0x80000000 else value


EVALUATE = {
    # Arithmetic of 32 bits. A division by 0 and a shift by 32 or more have no value.
    124: lambda a: a, 128: lambda a, b: (a + b) & MASK, 130: lambda a, b: (a - b) & MASK, 132: lambda a, b: (a * b) & MASK,
    134: lambda a, b: a // b if b else None, 137: lambda a, b: a % b if b else None,
    194: lambda a, b: a >> b if b < 32 else None, 196: lambda a, b: (a << b) & MASK if b < 32 else None,
    197: operator.or_, 198: operator.xor, 199: operator.and_,
    # Logic, and comparisons of unsigned and of signed numbers.
    164: operator.eq, 165: operator.ne, 170: operator.eq, 171: operator.ne,
    LOGICAL_OR: lambda a, b: a or b, LOGICAL_AND: lambda a, b: a and b, LOGICAL_NOT: operator.not_,
    172: operator.gt, 173: lambda a, b: signed(a) > signed(b), 174: operator.ge, 175: lambda a, b: signed(a) >= signed(b),
    176: operator.lt, 177: lambda a, b: signed(a) < signed(b), 178: operator.le, 179: lambda a, b: signed(a) <= signed(b),
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
        self.barriers = []  # (label, place)
        self.accesses = []  # accesses to workgroup memory: (label, place, writes, variable, index)
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
        self.merging = {label: [i for i in block.instructions if i[0] in ("OpPhi", "OpStore")]
                        for label, block in self.blocks.items()}
        self.excepted = self.name in BARRIER_EXCEPTIONS
        self.merged = {self.variable(operands[2])[0] for block in self.blocks.values()
                       for name, operands in block.instructions if name == "OpAtomicOr"}

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
