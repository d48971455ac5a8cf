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
            EXCEPTIONS in spirv_loops.py lists the other loops, with the reason why they end.
"""

import argparse
import re
from collections import Counter

from spirv_barriers import lone_barriers
from spirv_kernel import GROUP, STORAGE_BUFFER, WORKGROUP, Kernel
from spirv_loops import exceptions, loops
from spirv_memory import ACQUIRE_RELEASE, ORDERS, RELEASE, UNIFORM_MEMORY, WORKGROUP_MEMORY

SEQUENTIAL = 0x10
ATOMICS = (318, 319, 5614, 5615, 6035)  # atomics of flags and floats
SCOPES = {1: "Device", 5: "QueueFamily", 2: "Workgroup", 3: "Subgroup"}


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
