#!/usr/bin/env python3
"""Chooses the rows of the class amd from estimates, for kernels of several workgroups and inputs of any size.

usage: choose.py GRID.csv...    files of `./run estimate GENERATION --subgroup 64 --grid --csv GRID.csv`, one per generation

A shape replaces that of default if, in every generation and for every operation of the kernel,
  - none of its pipelines spills more than that of default;
  - it takes at most 0.8 times the cycles per word of default;
  - a SIMD holds at least as many words in registers as with default, because that many loads are in flight;
and if in some generation default takes more cycles per word than memory. Otherwise memory is the limit, not the estimated cycles.
If several shapes qualify, the one with the smallest tile is chosen.
"""
import collections
import csv
import sys

LESS = 0.8
# Cycles of a SIMD in which memory moves a word: clock in GHz * SIMDs / (GB/s / 4), for the largest GPU of each generation.
CYCLES = {
    "polaris10": 1.27 * 144 / 64, "vega10": 1.55 * 256 / 121, "navi10": 1.76 * 80 / 112, "navi21": 2.25 * 160 / 128,
    "navi31": 2.5 * 192 / 240, "gfx1201": 2.97 * 128 / 160,
}
# Words that an operation moves per input word: half of the elements are selected, runs have eight elements. Sorts: one sweep.
MOVED = {
    "scan": 2, "scan of segments": 3, "reduce_by_key": 2.25, "select_if": 1.5, "partition": 2, "unique": 1.125,
    "run_length_encode": 1.25, "reduce": 1, "radix_sort": 2, "radix_sort ranks checked": 2,
}
DEFAULT = {
    "scan_light": (256, 4), "scan_shuffled": (256, 4), "scan_rounding": (256, 4), "scan_segmented": (256, 4),
    "reduce_by_key": (256, 4), "select": (256, 16), "partition": (256, 16), "runs": (256, 16), "reduce": (256, 4),
    "sort_keys": (256, 16), "sort_wide_keys": (256, 8), "sort_pairs": (256, 12),
}


def main(paths):
    # kernel -> shape -> (generation, operation) -> worst (cycles a word, words in flight, spills) of its pipelines
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                alone = row["groups"] == "1"
                if not row["kernel"] or alone or "histogram" in row["pass"] or "dispatch" in row["pass"]:
                    continue
                words = int(row["words_per_invocation"]) * int(row["subgroup"])
                here = (int(row["inverse_throughput"]) / words, -int(row["subgroups_per_simd"]) * words,
                        int(row["spilled_vgprs"]) + int(row["spilled_sgprs"]))
                shape = (int(row["workgroup"]), int(row["items"]))
                places = found[row["kernel"]][shape]
                key = (row["generation"], row["op"] + " " + row["type"])
                places[key] = tuple(max(pair) for pair in zip(here, places.get(key, here)))
    for kernel, shapes in found.items():
        usual = shapes[DEFAULT[kernel]]
        held_up = [key for key, (cycles, _, _) in usual.items()
                   if cycles > CYCLES[key[0]] * MOVED[key[1].rsplit(" ", 1)[0]]]
        good = [shape for shape, places in shapes.items() if places.keys() == usual.keys() and all(
            cycles <= LESS * usual[key][0] and flight <= usual[key][1] and spills <= usual[key][2]
            for key, (cycles, flight, spills) in places.items())]
        best = min(good, key=lambda shape: shape[0] * shape[1], default=None)
        chosen = best if best and held_up else DEFAULT[kernel]
        print(f"{kernel}: {chosen[0]} x {chosen[1]}" + (" (default)" if chosen == DEFAULT[kernel] else "") +
              f"; {len(good)} shapes are clearly better; " +
              ("memory limits default in every generation" if not held_up else
               "not limited by memory alone: " + ", ".join(f"{op} on {generation}" for generation, op in held_up)))
        for shape in sorted({DEFAULT[kernel], chosen}):
            for (generation, op), (cycles, flight, spills) in shapes[shape].items():
                print(f"    {shape[0]} x {shape[1]:<3} {generation:<9} {op:<28} {cycles:6.2f} cycles per word, "
                      f"{-flight:6} words in flight" + (f", spills {spills}" if spills else ""))


main(sys.argv[1:])
