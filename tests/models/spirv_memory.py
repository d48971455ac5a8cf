"""Reads the accesses of compiled kernels to memory that invocations share: the atomics, barriers, loads and stores of a
SPIR-V module, with their scopes, orders and storage classes. Also finds the barriers on the paths between them."""

import struct
from dataclasses import dataclass, field

import vulkan_memory_model as model

OPCODES = {19: "OpTypeVoid", 43: "OpConstant", 41: "OpConstantTrue", 42: "OpConstantFalse", 48: "OpSpecConstantTrue",
           49: "OpSpecConstantFalse", 50: "OpSpecConstant", 52: "OpSpecConstantOp", 59: "OpVariable", 61: "OpLoad",
           62: "OpStore", 65: "OpAccessChain", 66: "OpInBoundsAccessChain", 71: "OpDecorate", 224: "OpControlBarrier",
           225: "OpMemoryBarrier", 227: "OpAtomicLoad", 228: "OpAtomicStore", 229: "OpAtomicExchange",
           230: "OpAtomicCompareExchange", 232: "OpAtomicIIncrement", 233: "OpAtomicIDecrement", 234: "OpAtomicIAdd",
           235: "OpAtomicISub", 236: "OpAtomicSMin", 237: "OpAtomicUMin", 238: "OpAtomicSMax", 239: "OpAtomicUMax",
           240: "OpAtomicAnd", 241: "OpAtomicOr", 242: "OpAtomicXor", 245: "OpPhi", 246: "OpLoopMerge",
           247: "OpSelectionMerge", 248: "OpLabel", 249: "OpBranch", 250: "OpBranchConditional", 251: "OpSwitch",
           14: "OpMemoryModel", 17: "OpCapability", 54: "OpFunction", 56: "OpFunctionEnd", 57: "OpFunctionCall"}
# Opcodes without a result: names, modes, member decorations and types.
NO_VALUE = (3, 4, 5, 6, 10, 14, 15, 16, 71, 72, 331, *range(19, 40))
SCOPE = {0: model.DEVICE, 1: model.DEVICE, 2: model.WORKGROUP, 3: model.SUBGROUP, 4: model.INVOCATION,
         5: model.QUEUE_FAMILY}
ACQUIRE, RELEASE, ACQUIRE_RELEASE = 0x2, 0x4, 0x8
ORDERS = ACQUIRE | RELEASE | ACQUIRE_RELEASE
UNIFORM_MEMORY, WORKGROUP_MEMORY = 0x40, 0x100
MAKE_AVAILABLE, MAKE_VISIBLE = 0x2000, 0x4000
POINTER_ALIGNED, POINTER_AVAILABLE, POINTER_VISIBLE, POINTER_NONPRIVATE = 0x2, 0x8, 0x10, 0x20
STORAGE = {12: "b", 2: "b", 4: "w"}  # StorageBuffer, Uniform; Workgroup
# Names of the bits of memory semantics, and of the flags of an access.
ORDER_NAMES = ((ACQUIRE, "Acquire"), (RELEASE, "Release"), (ACQUIRE_RELEASE, "AcquireRelease"))
MEMORY_NAMES = ((UNIFORM_MEMORY, "UniformMemory"), (WORKGROUP_MEMORY, "WorkgroupMemory"), (MAKE_AVAILABLE, "MakeAvailable"),
                (MAKE_VISIBLE, "MakeVisible"))
FLAG_NAMES = (("available", "MakePointerAvailable"), ("visible", "MakePointerVisible"))


@dataclass(frozen=True)
class Operation:
    """The operands of an instruction that matter to the memory model."""

    opcode: str
    storage: str = ""
    scope: int = model.INVOCATION
    semantics: int = 0
    available: bool = False
    visible: bool = False
    nonprivate: bool = False

    def __str__(self):
        bits = [name for bit, name in ORDER_NAMES + MEMORY_NAMES if self.semantics & bit]
        bits += [name for flag, name in (*FLAG_NAMES, ("nonprivate", "NonPrivatePointer")) if getattr(self, flag)]
        atomic = self.opcode.startswith("OpAtomic")
        if not self.semantics & ORDERS and (atomic or "Barrier" in self.opcode):
            bits.insert(0, "Relaxed")
        scope = "" if self.scope == model.INVOCATION else " " + model.SCOPE_NAMES[self.scope]
        return f"{self.opcode}{scope} {'|'.join(bits) or 'private'}"

    def attributes(self):
        """Returns the attributes of a model.Event for this operation."""
        acquire = bool(self.semantics & (ACQUIRE | ACQUIRE_RELEASE))
        release = bool(self.semantics & (RELEASE | ACQUIRE_RELEASE))
        classes = {name for bit, name in ((UNIFORM_MEMORY, "b"), (WORKGROUP_MEMORY, "w")) if self.semantics & bit}
        atomic = self.opcode.startswith("OpAtomic")
        writes = self.opcode not in ("OpAtomicLoad", "OpLoad")
        reads = self.opcode not in ("OpAtomicStore", "OpStore")
        return dict(storage=self.storage, atomic=atomic, scope=self.scope, nonprivate=self.nonprivate,
                    available=self.available, visible=self.visible, acquire=acquire and reads,
                    release=release and writes, semantics=frozenset(classes) if acquire or release else frozenset(),
                    semantics_available=bool(self.semantics & MAKE_AVAILABLE),
                    semantics_visible=bool(self.semantics & MAKE_VISIBLE))


@dataclass
class Access:
    """An instruction of the module, and its place."""

    operation: Operation
    block: int
    place: int  # index in the block
    variable: int = 0
    index: object = None  # index of a buffer's element if it is a constant; of a control barrier, its execution scope
    value: int = 0  # id of the last operand: the stored or compared value
    result: int = 0


@dataclass
class Block:
    label: int
    instructions: list = field(default_factory=list)
    successors: list = field(default_factory=list)


class Module:
    def __init__(self, path, settings=(), defaults=False):
        """Reads a module. `settings` has values of specialization constants by id. Blocks that they exclude are omitted. With
        `defaults`, other specialization constants have their default values."""
        with open(path, "rb") as file:
            data = file.read()
        self.path, self.settings, self.defaults = path, dict(settings), defaults
        words = struct.unpack(f"<{len(data) // 4}I", data)
        assert words[0] == 0x07230203, f"{path} is not SPIR-V"
        self.decorations, self.definitions, self.constants, self.names = {}, {}, {}, {}
        self.blocks, self.accesses, self.entry = {}, [], None
        self.vulkan_model, self.functions, self.in_block, self.flows = False, 0, {}, {}
        self.all_barriers = None
        self.specializations = {}  # id of a constant -> its SpecId, or None
        block, at = None, 5
        while at < len(words):
            length, opcode = words[at] >> 16, words[at] & 0xFFFF
            operands = words[at + 1 : at + length]
            at += length
            name = OPCODES.get(opcode, opcode)
            if name == "OpMemoryModel":
                self.vulkan_model = operands[1] == 3
            elif name == "OpDecorate":
                self.decorations.setdefault(operands[0], {})[operands[1]] = operands[2:]
            elif name == "OpFunction":
                self.functions += 1
            elif name == "OpLabel":
                block = Block(operands[0])
                self.blocks[operands[0]] = block
                self.entry = self.entry or operands[0]
            elif block is not None and name != "OpFunctionEnd":
                block.instructions.append((name, operands))
                self.define(name, operands)
                if name in ("OpBranch", "OpBranchConditional", "OpSwitch"):
                    self.follow(block, name, operands)
            elif name != "OpFunctionEnd":
                self.define(name, operands)
        # The optimizer inlines all functions into main. Without it, paths would end at calls.
        assert self.functions == 1, f"{path} has {self.functions} functions: it is not optimized"
        self.reachable = self.reach([self.entry])
        for label in self.blocks:
            if label in self.reachable:
                for place, (name, operands) in enumerate(self.blocks[label].instructions):
                    self.collect(label, place, name, operands)

    def define(self, name, operands):
        if name in ("OpConstantTrue", "OpConstantFalse"):
            self.constants[operands[1]] = name == "OpConstantTrue"
        elif name == "OpConstant":
            self.constants[operands[1]] = operands[2]
        elif name in ("OpSpecConstantTrue", "OpSpecConstantFalse", "OpSpecConstant"):
            number = self.decorations.get(operands[1], {}).get(1, (None,))[0]
            self.specializations[operands[1]] = number
            if number in self.settings:
                self.constants[operands[1]] = self.settings[number]
            elif self.defaults:
                self.constants[operands[1]] = operands[2] if name == "OpSpecConstant" else name == "OpSpecConstantTrue"
            self.definitions[operands[1]] = (name, operands)
        elif name == "OpSpecConstantOp":
            self.definitions[operands[1]] = (operands[2], (operands[0], operands[1], *operands[3:]))
            self.specializations[operands[1]] = None
        elif name in ("OpStore", "OpAtomicStore", "OpControlBarrier", "OpMemoryBarrier", "OpBranch",
                      "OpBranchConditional", "OpSwitch", "OpLoopMerge", "OpSelectionMerge", "OpTypeVoid"):
            return
        elif name in NO_VALUE:
            return  # the second operand is a literal, which may equal the id of a value
        elif len(operands) > 1:
            self.definitions[operands[1]] = (name, operands)

    def constant(self, number):
        """Returns the value of an id if the settings decide it, or None."""
        if number in self.constants:
            return self.constants[number]
        name, operands = self.definitions.get(number, (None, ()))
        result = None
        if name in (168, 166, 167, 164, 165, 170, 171):  # logical not, or, and, equal, not equal; IEqual, INotEqual
            values = [self.constant(x) for x in operands[2:]]
            if name == 168 and values[0] is not None:
                result = not values[0]
            elif name == 167 and any(v is not None and not v for v in values):
                result = False
            elif name == 166 and any(values):
                result = True
            elif None not in values:
                a, b = values[0], values[-1]
                result = {166: a or b, 167: a and b, 164: a == b, 165: a != b, 170: a == b, 171: a != b}.get(name)
        elif name == 169:  # select
            choice = self.constant(operands[2])
            if choice is not None:
                result = self.constant(operands[3] if choice else operands[4])
        if result is not None:
            self.constants[number] = result
        return result

    def follow(self, block, name, operands):
        if name == "OpBranch":
            block.successors = [operands[0]]
        elif name == "OpBranchConditional":
            decided = self.constant(operands[0])
            block.successors = list(operands[1:3]) if decided is None else [operands[1 if decided else 2]]
        else:
            block.successors = [operands[1], *operands[3::2]]

    def reach(self, labels, closed=()):
        seen, left = set(), list(labels)
        while left:
            label = left.pop()
            if label not in seen and label not in closed:
                seen.add(label)
                left += self.blocks[label].successors
        return seen

    def pointer(self, number):
        """Returns the variable of a pointer, and the last index if it is a constant, else None."""
        index = None
        while True:
            name, operands = self.definitions.get(number, (None, ()))
            if name == "OpVariable":
                return number, index
            if name not in ("OpAccessChain", "OpInBoundsAccessChain"):
                return 0, None
            index = self.constant(operands[-1])
            number = operands[2]

    def storage(self, variable):
        return STORAGE.get(self.definitions[variable][1][2], "") if variable else ""

    def binding(self, variable):
        return self.decorations.get(variable, {}).get(33, (None,))[0]

    def collect(self, label, place, name, operands):
        """Adds the access of an instruction, if it is one."""
        if name in ("OpControlBarrier", "OpMemoryBarrier"):
            *execution, scope, semantics = (self.constants[x] for x in operands)
            operation = Operation(name, "", SCOPE[scope], semantics)
            self.accesses.append(Access(operation, label, place, index=SCOPE[execution[0]] if execution else None))
            return
        is_atomic = isinstance(name, str) and name.startswith("OpAtomic")
        if not is_atomic and name not in ("OpLoad", "OpStore"):
            return
        stores = name in ("OpStore", "OpAtomicStore")
        pointer, *rest = operands[0 if stores else 2 :]
        variable, index = self.pointer(pointer)
        value, result = 0, 0 if stores else operands[1]
        if is_atomic:
            value = operands[-1] if name != "OpAtomicLoad" else 0
            operation = Operation(name, self.storage(variable), SCOPE[self.constants[rest[0]]], self.constants[rest[1]])
        elif self.storage(variable):
            value = rest.pop(0) if stores else 0
            mask = rest.pop(0) if rest else 0
            scope = model.INVOCATION
            if mask & (POINTER_AVAILABLE | POINTER_VISIBLE):
                scope = SCOPE[self.constants[rest[1 if mask & POINTER_ALIGNED else 0]]]
            operation = Operation(name, self.storage(variable), scope, 0, bool(mask & POINTER_AVAILABLE),
                                  bool(mask & POINTER_VISIBLE), bool(mask & POINTER_NONPRIVATE))
        else:
            return
        self.accesses.append(Access(operation, label, place, variable, index, value, result))

    @staticmethod
    def is_barrier(access):
        """Returns true for a control barrier of the workgroup."""
        return access.operation.opcode == "OpControlBarrier" and access.index >= model.WORKGROUP

    def barriers(self):
        if self.all_barriers is None:
            self.all_barriers = [a for a in self.accesses if self.is_barrier(a)]
        return self.all_barriers

    def flow(self, access, passed=()):
        """Returns the accesses that paths from this one reach without a barrier, and the first barriers on its paths.
        Barriers in `passed` are ignored."""
        if not self.in_block:
            for a in self.accesses:
                self.in_block.setdefault(a.block, []).append(a)
        key = (id(access), tuple(id(b) for b in passed))
        if key in self.flows:
            return self.flows[key]
        reached, met, seen, left = [], [], set(), [(access.block, access.place)]
        while left:
            label, place = left.pop()
            for a in self.in_block.get(label, ()):
                if a.place > place:
                    if self.is_barrier(a):
                        if not any(a is b for b in passed):
                            met.append(a)
                            break
                    else:
                        reached.append(a)
            else:
                for successor in self.blocks[label].successors:
                    if successor not in seen:
                        seen.add(successor)
                        left.append((successor, -1))
        self.flows[key] = reached, met
        return reached, met

    def all_after(self, access):
        """Returns the accesses and barriers that paths from this one reach."""
        reached, _ = self.flow(access, self.barriers())
        after = self.reach(self.blocks[access.block].successors)
        here = [b for b in self.barriers() if b.block in after or b.block == access.block and b.place > access.place]
        return reached + here

    def between(self, first, second):
        """Returns the first barriers on the paths from `first` to `second`. The result is empty if a path has no barrier, or
        no path exists."""
        reached, met = self.flow(first)
        if any(a is second for a in reached):
            return []
        return [b for b in met if any(a is second for a in self.all_after(b))]

    def counted(self, block, limit):
        """Returns true if the block ends in a branch on one of two comparisons: with the specialization constant of SpecId
        `limit`, or of a loop counter with a constant."""
        name, operands = block.instructions[-1]
        if name != "OpBranchConditional":
            return False
        left = [operands[0]]
        while left:
            kind, of = self.definitions.get(left.pop(), (None, ()))
            if kind in (164, 165, 166, 167, 168, 169):  # logical operations and select
                left += of[2:]
            elif kind in range(170, 180):  # comparisons of integers
                if limit is not None and any(self.specializations.get(x) == limit for x in of[2:]):
                    return True
                if any(self.counts(x) for x in of[2:]) and any(x in self.constants or x in self.specializations
                                                               for x in of[2:]):
                    return True
        return False

    def counts(self, number):
        """Returns true if the value is a loop counter, to which the loop adds a constant."""
        name, operands = self.definitions.get(number, (None, ()))
        if name != "OpPhi":
            return False
        sums = [self.definitions.get(x, (None, ())) for x in operands[2::2]]
        return any(kind == 128 and number in of[2:] and any(x in self.constants for x in of[2:])
                   for kind, of in sums)  # OpIAdd

    def endless(self, accesses, limit):
        """Returns the accesses that are on a cycle without a barrier, and without a branch for which counted() is true."""
        closed = {label for label, block in self.blocks.items() if self.counted(block, limit)}
        places = {}
        for barrier in self.barriers():
            places.setdefault(barrier.block, []).append(barrier.place)
        found = []
        for access in accesses:
            seen, left = set(), [(access.block, access.place)]
            while left:
                label, place = left.pop()
                if label in closed or any(p > place for p in places.get(label, ())):
                    continue
                successors = self.blocks[label].successors
                if access.block in successors and not any(p < access.place for p in places.get(access.block, ())):
                    found.append(access)
                    break
                left += [(s, -1) for s in successors if s not in seen]
                seen.update(successors)
        return found
