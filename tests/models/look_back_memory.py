"""Checks the look-back of compiled kernels under the Vulkan memory model. spirv_memory.py reads the accesses to tile
states, tickets and workgroup memory from SPIR-V. Small programs contain these accesses, and vulkan_memory_model.py
searches all their executions for a data race or a wrong value. Then each scope, order, storage class, flag and barrier
is weakened, one at a time, and the search must find the resulting error.

    look_back_memory.py [--long] [--table] KERNEL.spv...

Prints a line for each check, as tests/scripts do, and FAIL with the execution that was found. --long checks every
kernel instead of one of each kind, and prints an execution for each weakened operation. --table prints the table of
docs/testing.md.
"""

import argparse
import os
import sys

import spirv_memory as spirv
import vulkan_memory_model as model
from look_back_cases import Shared, cases_in_place, cases_of_finish, cases_of_tile_states
from look_back_roles import tile_state_roles

# Ids of specialization constants in scan_interface.h. MAX_SPINS has another id in the kernels listed here.
IN_PLACE, IN_DISPATCH_ORDER = 11, 14
MAX_SPINS = {"radix": 11, "set": 9}

# Kernels that a run without --long checks where it does not check all.
SHORT = ("scan_u32", "scan_u32_packed", "scan_f32", "compact_1", "scan_u32x2_flagged", "radix_select")

# Prefixes of kernels whose last workgroup continues with the results of all workgroups.
LAST_WORKGROUP = ("reduce_", "extremum_", "find", "histogram", "radix_histogram", "radix_select")

# Known defects. The check fails if the search no longer finds one.
KNOWN_ELEMENTS = "a fallback loads elements without atomics while their owner may store them"


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
    report.result("notices_loops_without_max_spins", unlimited != count and (f"found only in {unlimited} of {count} kernels",))


def check_barriers(paths, report):
    """Checks that no barrier is missing. Only for kernels in which different invocations make the accesses of each pair:
    scans and compaction."""
    clean, wrong = 0, {}
    for path in paths:
        name = name_of(path)
        for in_order in (False, True):
            module = spirv.Module(path, {IN_DISPATCH_ORDER: in_order}, defaults=True)
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
            spare = [i for i, b in enumerate(module.barriers()) if not kernel.guards[id(b)]
                     and b.operation.scope == model.WORKGROUP]
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

    def result(self, name, error):
        """Reports an error, which is a text and an execution, or success if there is none."""
        if error:
            self.fail(name, *error)
        else:
            self.ok(name)

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
        concerned = {key: result for key, result in self.results.items() if key[0] == "shared"
                     or key[1].startswith("barrier")}
        for key, (found, why) in concerned.items():
            others = [(k, r) for k, r in concerned.items() if k[2:] == key[2:] and r[1] is not None]
            others.sort(key=lambda other: not other[1][0])  # programs that found an error come first
            if not found and why is None and others:
                (program, *_), (seen, what) = others[0]
                self.results[key] = (seen, f"{program}: {what}" if seen else what)
        for program in dict.fromkeys(key[0] for key in self.results):
            rows = [(key, *result) for key, result in self.results.items() if key[0] == program]
            bad = [key for key, found, why in rows if not found and why is None]
            for key in bad:
                self.fail(f"weakened_{program}", "no program finds " + ": ".join(key[1:]))
            if not bad:
                found = sum(1 for _, f, _ in rows if f)
                self.ok(f"weakened_{program} ({found} found, {len(rows) - found} not needed)")

    def print_table(self):
        """Prints a table with a row for each operation."""
        print("| program | operation | as compiled | weaker, and found | weaker, and still right |\n|---|---|---|---|---|")
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


def found_by(find, name, report):
    """Returns the cases that `find` returns. Reports an instruction without a role as a failure."""
    try:
        return find()
    except AssertionError as error:
        report.fail(name, error)
        return []


def main():
    arguments = argparse.ArgumentParser()
    for option in ("--long", "--table"):
        arguments.add_argument(option, action="store_true")
    arguments.add_argument("kernels", nargs="+")
    given = arguments.parse_args()
    report = Report(given.long)

    modules, in_place_modules = {}, {}
    for path in given.kernels:
        name = name_of(path)
        if not has_look_back(path) and not name.startswith(LAST_WORKGROUP):
            continue
        is_scan = name.startswith(("scan_", "reduce_by_key"))
        modules[name] = spirv.Module(path, {IN_PLACE: False} if is_scan else {})
        if is_scan and "by_key" not in name and "flagged" not in name and (given.long or name in SHORT):
            in_place_modules[name] = spirv.Module(path, {IN_PLACE: True})
        if not modules[name].vulkan_model:
            report.fail(name, "the module does not declare the Vulkan memory model")

    check_loops(modules, report)
    cases = found_by(lambda: [*cases_of_tile_states(modules), *cases_of_finish(modules)], "roles", report)
    kinds = {case.first() for case in cases}
    for case in cases:
        if case.check(report):
            case.weaken(report)
    for compiled, case in found_by(lambda: list(cases_in_place(in_place_modules)), "in_place", report):
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
