"""Litmus tests of vulkan_memory_model.py, with their published outcomes.

A program lists threads between bars: `|` starts another invocation of the same subgroup, `||` of another subgroup,
`|||` of another workgroup, `||||` of another queue family. Instructions:

    x:b := 1        stores to x, in a buffer (b) or in workgroup memory (w)
    x:b == 1        loads 1; `x:b ?` loads any value
    x:b 1->2        updates x atomically
    fence, bar1     a memory barrier, the control barrier 1
    make_available  an operation of the device domain, between commands; also make_visible

Attributes follow an instruction: `atomic`; `acq` and `rel`, with the storage classes of the semantics; the scope `@sg`,
`@wg`, `@qf` or `@dev`; `+av` and `+vis` for MakeAvailable and MakeVisible in the semantics; `av` and `vis` for the flags
of the access itself; `np` for non-private. Notes follow `#`: `y is x` makes y another reference to the location of x,
and `0 -> 1` lets thread 0 system-synchronize with thread 1.
"""

import re
import sys

import vulkan_memory_model as model

# An outcome is a list of questions, each with yes or no: an execution with these properties exists, or not.
OUTCOMES = {"forbidden": "any no", "allowed": "free yes", "race-free": "free yes, race no", "racy": "free no, race yes"}

# Tests of Khronos's formal model, by name, with its outcomes:
# https://github.com/KhronosGroup/Vulkan-MemoryModel/tree/main/alloy/tests. The questions ask for an execution: "free" for
# a consistent one without a race, "race" for a consistent one with a race, "any" for a consistent one, "any race" for one
# with a race that may be inconsistent, "sequence" for one with a release sequence of two. "short" is a device without
# availability and visibility chains.
KHRONOS = [
    ("asmo", "forbidden",
     "x:b := 1 atomic @dev ||| x:b := 2 atomic @dev ||| x:b == 1 atomic @dev; x:b == 2 atomic @dev ||| "
     "x:b == 2 atomic @dev; x:b == 1 atomic @dev"),
    ("atomicsc", "race-free",
     "x:b := 1 @dev av; y:w := 1 atomic rel/b @wg || y:w == 1 atomic acq/b @wg; x:b ? @dev vis"),
    ("atomwrongsc", "race-free",
     "x:w == 0 atomic acq/b @wg; y:b := 1 atomic rel/b @wg || y:b == 1 atomic acq/b @wg; z:b := 1 @dev av # z is x"),
    ("cbarinst", "race-free", "bar1 @wg; bar2 @wg; bar3 @wg || bar1 @wg; bar2 @wg; bar3 @wg"),
    ("corr", "forbidden",
     "x:b == 2 atomic @dev; x:b == 1 atomic @dev ||| x:b == 1 atomic @dev; x:b == 2 atomic @dev ||| "
     "x:b := 2 atomic @dev ||| x:b := 1 atomic @dev"),
    ("corw", "forbidden",
     "x:b == 2 atomic @dev; x:b := 1 atomic @dev ||| x:b := 2 atomic @dev ||| x:b == 1 atomic @dev; "
     "x:b == 2 atomic @dev"),
    ("cowr", "forbidden",
     "x:b := 1 atomic @dev; x:b == 2 atomic @dev ||| x:b := 2 atomic @dev ||| x:b == 2 atomic @dev; "
     "x:b == 1 atomic @dev"),
    ("coww", "forbidden", "x:b := 1 atomic @dev; x:b := 2 atomic @dev ||| x:b == 2 atomic @dev; x:b == 1 atomic @dev"),
    ("fencefence2", "race-free",
     "x:b := 1 @dev av; fence rel/bw @wg; y:w := 1 atomic @wg || y:w == 1 atomic @wg; fence acq/bw @wg; "
     "x:b ? @dev vis"),
    ("fencefence3", "race-free",
     "x:b := 1 @dev av; fence rel/b @wg; y:b := 1 atomic @wg || y:b == 1 atomic @wg; fence acq/b @wg; "
     "fence rel/b @wg; z:b := 1 atomic @wg || z:b == 1 atomic @wg; fence acq/b @wg; x:b ? @dev vis"),
    ("fencefence", "race-free",
     "x:b := 1 @dev av; fence rel/b @wg; y:b := 1 atomic @wg || y:b == 1 atomic @wg; fence acq/b @wg; "
     "x:b ? @dev vis"),
    ("fencefencebroken", "racy",
     "x:b := 1 @dev av; fence rel/b @wg; y:b := 1 atomic @dev ||| y:b == 1 atomic @dev; fence acq/b @wg; "
     "x:b ? @dev vis"),
    ("mp3", "race-free",
     "x:b := 1 @dev av; y:w := 1 atomic rel/bw @wg || y:w == 1 atomic acq/bw @wg; z:w := 1 atomic rel/bw @wg || "
     "z:w == 1 atomic acq/bw @wg; x:b ? @dev vis"),
    ("mp3acqrel", "race-free",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @dev ||| y:b 1->2 acq rel/b @dev ||| y:b == 2 atomic acq/b @dev; "
     "x:b ? @dev vis"),
    ("mp3transitive2", "free yes, race no, short free no, short race yes",
     "x:b := 1 np; y:w := 1 atomic rel/bw @wg +av || y:w == 1 atomic acq/bw @wg; "
     "z:w := 1 atomic rel/bw @dev +av ||| z:w == 1 atomic acq/bw @dev +vis; w:w := 1 atomic rel/bw @wg || "
     "w:w == 1 atomic acq/bw @wg +vis; x:b ? np"),
    ("mp3transitive3", "free yes, race no, short free no, short race yes",
     "x:b := 1 @wg av; bar0 acq rel/b @wg || bar0 acq rel/b @wg; z:w := 1 atomic rel/bw @dev +av ||| "
     "z:w == 1 atomic acq/bw @dev; x:b ? @dev vis"),
    ("mp3transitive4", "free yes, race no, short free no, short race yes",
     "x:b := 1 np; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg; z:w := 1 atomic rel/bw @dev +av ||| "
     "z:w == 1 atomic acq/w @dev; v:w := 1 atomic rel/w @dev ||| v:w == 1 atomic acq/bw @dev +vis; "
     "w:b := 1 atomic rel/b @wg || w:b == 1 atomic acq/b @wg +vis; x:b ? np"),
    ("mp3transitive", "free yes, race no, short free no, short race yes",
     "x:b := 1 @wg av; y:w := 1 atomic rel/bw @wg || y:w == 1 atomic acq/bw @wg; "
     "z:w := 1 atomic rel/bw @dev +av ||| z:w == 1 atomic acq/bw @dev; x:b ? @dev vis"),
    ("mp3transitivefail2", "free no, race yes, short free no, short race yes",
     "x:b := 1 np; y:w := 1 atomic rel/bw @wg +av || y:w == 1 atomic acq/bw @wg; "
     "z:w := 1 atomic rel/bw @dev +av ||| z:w == 1 atomic acq/bw @dev +vis; w:w := 1 atomic rel/bw @wg || "
     "w:w == 1 atomic acq/bw @wg; x:b ? np"),
    ("mp3transitivefail", "free no, race yes, short free no, short race yes",
     "x:b := 1 np; y:w := 1 atomic rel/bw @wg || y:w == 1 atomic acq/bw @wg; z:w := 1 atomic rel/bw @dev +av ||| "
     "z:w == 1 atomic acq/bw @dev +vis; w:w := 1 atomic rel/bw @wg || w:w == 1 atomic acq/bw @wg +vis; x:b ? np"),
    ("mp", "race-free", "x:b := 1 @dev av; y:b := 1 atomic rel/b @wg || y:b == 1 atomic acq/b @wg; x:b ? @dev vis"),
    ("mpinscope1", "forbidden",
     "x:b := 1 atomic rel/b @dev; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "x:b == 0 atomic acq/b @dev"),
    ("mpinscope2", "allowed", "x:b := 1 atomic rel/b @dev; y:b := 1 atomic rel/w @dev ||| y:b == 1 atomic acq/w @dev; "
     "x:b == 0 atomic acq/b @dev"),
    ("mpinscope3", "allowed",
     "x:b := 1 atomic rel/b @dev +av; y:b := 1 atomic rel/w @dev ||| y:b == 1 atomic acq/w @dev; "
     "x:b == 0 atomic acq/b @dev +vis"),
    ("mpinscope4", "forbidden",
     "x:b := 1 atomic rel/b @dev; fence rel/b @dev +av; y:b := 1 atomic rel/w @dev ||| y:b == 1 atomic acq/w @dev; "
     "fence acq/b @dev +vis; x:b == 0 atomic acq/b @dev"),
    ("mpinscope5", "allowed",
     "fence rel/b @dev +av; x:b := 1 atomic rel/b @dev; y:b := 1 atomic rel/w @dev ||| y:b == 1 atomic acq/w @dev; "
     "x:b == 0 atomic acq/b @dev; fence acq/b @dev +vis"),
    ("mpnotinscope1", "forbidden",
     "x:b := 1 atomic rel/b @wg; y:b := 1 atomic rel/b @dev +av ||| y:b == 1 atomic acq/b @dev +vis; "
     "x:b == 0 atomic acq/b @wg"),
    ("mpnotinscope2", "race yes",
     "x:b := 1 atomic rel/b @wg; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "x:b == 0 atomic acq/b @wg"),
    ("mpnotinscope3", "race yes",
     "x:b := 1 atomic rel/b @wg +av; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "x:b == 0 atomic acq/b @wg +vis"),
    ("mpnotinscope4", "forbidden",
     "x:b := 1 atomic rel/b @wg; fence rel/b @dev +av; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "fence acq/b @dev +vis; x:b == 0 atomic acq/b @wg"),
    ("mpnotinscope5", "race yes",
     "fence rel/b @wg +av; x:b := 1 atomic rel/b @wg; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "x:b == 0 atomic acq/b @wg; fence acq/b @wg +vis"),
    ("mpnotinscope6", "race yes",
     "x:b := 1 atomic rel/b @wg; fence rel/b @wg +av; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; "
     "fence acq/b @wg +vis; x:b == 0 atomic acq/b @wg"),
    ("mpsc1", "race-free", "x:w := 1 @dev av; y:w := 1 atomic rel/w @wg || y:w == 1 atomic acq/w @wg; x:w ? @dev vis"),
    ("noncohandatom", "race-free", "y:b := 1 np; y:b 1->2 @wg; y:b == 2"),
    ("noncohcoww", "forbidden", "x:b := 1 @wg av; x:b := 2 atomic @wg || x:b == 2 atomic @wg; x:b == 1 @wg vis"),
    ("noncohmp2", "race-free",
     "x:b := 1 np; x:b := 2 np; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg +vis; x:b == 2 np"),
    ("noncohmp3", "race-free",
     "x:b := 1 np; x:b := 2 @dev av; y:b := 1 atomic rel/b @wg || y:b == 1 atomic acq/b @wg; x:b == 2 @dev vis; "
     "x:b == 2 np"),
    ("noncohmp", "race-free", "x:b := 1 np; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg +vis; x:b ? np"),
    ("noncohmpbar", "race-free",
     "x:b := 1 np; fence rel/b @dev +av; y:b := 1 atomic @dev ||| y:b == 1 atomic @dev; fence acq/b @dev +vis; "
     "x:b ? np"),
    ("noncohmpbarsg", "race-free", "x:b := 1 np; bar0 acq rel/b @sg +av +vis | bar0 acq rel/b @sg +av +vis; x:b ? np"),
    ("noncohmpfail2", "racy",
     "x:b := 1 np; z:b := 1 atomic rel/w @wg +av || z:b == 1 atomic acq/b @wg +vis; x:b == 1 np"),
    ("noncohmpfail", "racy",
     "x:b := 1 np; y:b := 1 @dev av; z:b := 1 atomic rel/b @wg || z:b == 1 atomic acq/b @wg; x:b == 1 @dev vis"),
    ("noncohrmw", "race-free", "x:b := 1 @wg av; bar0 acq rel/b @wg; x:b 2->3 @wg || bar0 acq rel/b @wg; x:b 1->2 @wg"),
    ("noncohrmwfail", "forbidden",
     "x:b := 1 @wg av; bar0 acq rel/b @wg; x:b 1->2 @wg || bar0 acq rel/b @wg; x:b 1->2 @wg"),
    ("noncohwar", "race-free",
     "x:b ? np; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg +vis; x:b := 1 np"),
    ("privmp", "racy", "x:b := 1; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg +vis; x:b ?"),
    ("privpo", "race-free", "x:b == 0; x:b := 1; x:b == 1; x:b := 2 np"),
    ("privwar", "racy", "x:b ?; y:b := 1 atomic rel/b @wg +av || y:b == 1 atomic acq/b @wg +vis; x:b := 1"),
    ("qfmp", "race-free", "x:b := 1 @qf av; y:b := 1 atomic rel/b @qf ||| y:b == 1 atomic acq/b @qf; x:b ? @qf vis"),
    ("qfmpfail", "racy", "x:b := 1 @qf av; y:b := 1 atomic rel/b @qf |||| y:b == 1 atomic acq/b @qf; x:b ? @qf vis"),
    ("qfmpscopedev", "race-free",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @dev |||| y:b == 1 atomic acq/b @dev; x:b ? @dev vis"),
    ("releaseseq1", "free yes, sequence no", "y:b := 1 atomic rel/b @wg; y:b := 2 atomic @wg || y:b 2->3 @wg"),
    ("releaseseq2", "free yes, sequence yes", "y:b := 1 atomic rel/b @wg; y:b := 3 atomic @wg || y:b 1->2 @wg"),
    ("releaseseq3", "race-free",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @dev ||| y:b 1->2 @dev ||| y:b == 2 atomic acq/b @dev; "
     "x:b ? @dev vis"),
    ("releaseseq4", "race-free",
     "x:b := 1 @dev av; fence rel/b @dev; y:b := 1 atomic @dev ||| y:b 1->2 @dev ||| y:b == 2 atomic acq/b @dev; "
     "x:b ? @dev vis"),
    ("samethread2", "free yes, any race no",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @dev; y:b == 2 atomic acq/b @dev; x:b := 3 @dev av ||| "
     "y:b == 1 atomic acq/b @dev; x:b := 2 @dev av; y:b := 2 atomic rel/b @dev"),
    ("samethread", "race-free",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @wg; z:b == 1 atomic acq/b @wg; x:b == 2 @dev vis || "
     "y:b == 1 atomic acq/b @wg; x:b := 2 @dev av; z:b := 1 atomic rel/b @wg"),
    ("scnottransitive", "free no, any race yes",
     "a:b := 1 @dev av; fence rel/bw @wg; fence rel/w @dev; b:w := 1 atomic @dev ||| b:w == 1 atomic @dev; "
     "fence acq/w @dev; fence acq/bw @wg; a:b ? @dev vis"),
    ("scopeaccum", "race-free",
     "x:b := 1 @dev av; bar1 acq rel/b @wg || bar1 acq rel/b @wg; bar2 acq rel/b @dev ||| bar2 acq rel/b @dev; "
     "x:b ? @dev vis"),
    ("ssw0", "race-free", "x:b := 1 || make_available; make_visible || x:b ? # 0 -> 1, 1 -> 2"),
    ("ssw1", "race-free", "x:b := 1 || make_available; make_visible || y:w ? # 0 -> 1, 1 -> 2, y is x"),
    ("ssw2", "racy", "x:b := 1 || x:b ? # 0 -> 1"),
    ("ssw3", "race-free", "x:b := 1 @dev av || x:b ? @dev vis # 0 -> 1"),
    ("ssw4", "racy", "x:b := 1 @dev av || y:w ? @dev vis # 0 -> 1, y is x"),
    ("ssw5", "race-free", "x:b := 1; y:w := 1 || make_available; make_visible || z:w := 1; x:b ? # 0 -> 1, 1 -> 2"),
    ("ssw6", "race-free", "x:b ? || x:b := 1 # 0 -> 1"),
    ("ssw7", "race-free", "x:b ? || y:b == 0 || x:b := 1 # 0 -> 1, 1 -> 2"),
    ("ssw8", "race-free", "x:b := 1 np; fence rel/b @qf +av ||| fence acq/b @qf +vis; x:b ? np # 0 -> 1"),
    ("test0", "racy",
     "a:b := 1 @dev av; b:w := 1 @dev av; c:w := 1 atomic rel/w @wg || c:w == 1 atomic acq/bw @wg; a:b ? @dev vis"),
    ("test1", "racy",
     "a:b := 1 @dev av; b:w := 1 atomic rel/b @wg; c:b := 1 atomic rel/w @wg || c:b == 1 atomic acq/w @wg; "
     "a:b ? @dev vis"),
    ("test2", "racy",
     "a:b := 1 @dev av; b:w := 1 atomic rel/b @wg || b:w == 1 atomic acq/bw @wg; c:w := 1 atomic rel/w @dev ||| "
     "c:w == 1 atomic acq/w @dev; a:b ? @dev vis"),
    ("test3", "race-free", "a:b := 1 @dev av; fence rel/b @dev; b:b := 1 atomic @wg || b:b == 1 atomic acq/b @wg; "
     "c:b := 1 atomic rel/b @dev ||| c:b == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test4", "race-free", "a:b := 1 @dev av; fence rel/b @dev; b:b := 1 atomic @wg || b:b == 1 atomic acq/b @wg; "
     "c:b := 1 atomic rel/b @dev ||| c:b == 1 atomic acq/b @dev; d:b := 1 atomic rel/b @wg || "
     "d:b == 1 atomic acq/b @wg; a:b ? @dev vis"),
    ("test5", "race-free",
     "a:b := 1 @dev av; b:b := 1 atomic rel/b @wg || b:b == 1 atomic acq/b @wg; c:b := 1 atomic rel/b @dev ||| "
     "c:b == 1 atomic acq/b @dev; d:b := 1 atomic rel/b @wg || d:b == 1 atomic acq/b @wg; a:b ? @dev vis"),
    ("test6", "race-free",
     "a:b := 1 @dev av; bar0 acq rel/b @wg || bar0 acq rel/b @wg; bar1 acq rel/b @dev ||| bar1 acq rel/b @dev; "
     "bar2 acq rel/b @wg || bar2 acq rel/b @wg; a:b ? @dev vis"),
    ("test7", "racy",
     "a:b := 1 @dev av; bar0 acq rel/b @wg || bar0 acq rel/b @wg; bar1 acq rel/w @dev ||| bar1 acq rel/w @dev; "
     "bar2 acq rel/b @wg || bar2 acq rel/b @wg; a:b ? @dev vis"),
    ("test9", "race-free", "a:b := 1 @dev av; bar0 acq rel/b @wg || bar0 acq rel/b @wg; b:w := 1 atomic rel/b @dev ||| "
     "b:w == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test10", "race-free",
     "a:b := 1 @dev av; bar0 acq rel/b @wg || bar0 acq rel/b @wg; b:w := 1 atomic rel/b @dev ||| "
     "b:w == 1 atomic acq/b @dev; bar1 acq rel/b @wg || bar1 acq rel/b @wg; a:b ? @dev vis"),
    ("test11", "race-free", "a:b ? @dev vis; bar0 acq rel/bw @wg || bar0 acq rel/bw @wg; b:w := 1 @dev av # b is a"),
    ("test12", "race-free", "a:b := 1 @dev av; fence rel/b @wg; bar0 @wg || bar0 @wg; fence acq/b @wg; a:b ? @dev vis"),
    ("test13", "race-free", "a:b := 1 @dev av; fence rel/bw @wg; b:w := 1 atomic @wg || b:w == 1 atomic acq/b @wg; "
     "c:b := 1 atomic rel/b @dev; fence acq/b @wg ||| c:b == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test14", "race-free", "a:b := 1 @dev av; b:w := 1 atomic rel/b @wg || b:w == 1 atomic acq/b @wg; a:b ? @dev vis"),
    ("test16", "racy", "a:b := 1 atomic @wg || a:b == 1 atomic @wg; a:b ? @dev vis"),
    ("test17", "race-free", "a:b := 1 atomic rel/b @wg || a:b == 1 atomic acq/b @wg; a:b ? @wg vis"),
    ("test18", "race-free", "a:b := 1 atomic rel/b @dev ||| a:b == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test19", "race-free", "a:b := 1 atomic rel/b @dev +av ||| a:b == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test20", "race-free",
     "a:b := 1 atomic @dev; b:b := 1 atomic rel/b @dev +av ||| b:b == 1 atomic acq/b @dev; a:b ? @dev vis"),
    ("test21", "racy", "x:b := 1 @wg av; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; x:b ? @wg vis"),
    ("waw", "race-free",
     "x:b := 1 @dev av; y:b := 1 atomic rel/b @dev ||| y:b == 1 atomic acq/b @dev; x:b := 2 @dev av; "
     "z:b := 1 atomic rel/b @dev ||| z:b == 1 atomic acq/b @dev; x:b == 2 @dev vis"),
]

# Tests with these names in the literature: Alglave, Maranget and Tautschnig, "Herding Cats"; Batty, Owens, Sarkar, Sewell
# and Weber, "Mathematizing C++ Concurrency". The outcomes are those of C++ without sequentially consistent atomics, which
# Vulkan does not have. Each location is in a buffer. `r` and `a` add release and acquire. All accesses are atomics of
# scope Device.
CLASSIC = [("MP", "allowed", "x:=1; y:=1 ||| y==1; x==0"), ("MP+rel+acq", "forbidden", "x:=1; y:=1 r ||| y==1 a; x==0"),
           ("MP+rel+rlx", "allowed", "x:=1; y:=1 r ||| y==1; x==0"),
           ("MP+rlx+acq", "allowed", "x:=1; y:=1 ||| y==1 a; x==0"),
           ("MP+fences", "forbidden", "x:=1; fence r; y:=1 ||| y==1; fence a; x==0"),
           ("MP+fence+rlx", "allowed", "x:=1; fence r; y:=1 ||| y==1; x==0"),
           ("MP+rlx+fence", "allowed", "x:=1; y:=1 ||| y==1; fence a; x==0"),
           ("MP+fence+acq", "forbidden", "x:=1; fence r; y:=1 ||| y==1 a; x==0"),
           ("MP+rel+fence", "forbidden", "x:=1; y:=1 r ||| y==1; fence a; x==0"),
           ("MP+fence late", "allowed", "x:=1; y:=1; fence r ||| y==1 a; x==0"),
           ("MP+rmw", "forbidden", "x:=1; y:=1 r ||| y 1->2 ||| y==2 a; x==0"),
           ("MP+store between", "allowed", "x:=1; y:=1 r; y:=2 ||| y==2 a; x==0"),
           ("SB", "allowed", "x:=1; y==0 ||| y:=1; x==0"),
           ("SB+rel+acq", "allowed", "x:=1 r; y==0 a ||| y:=1 r; x==0 a"),
           ("SB+fences", "allowed", "x:=1; fence ar; y==0 ||| y:=1; fence ar; x==0"),
           ("SB+rmws", "forbidden", "x:=1; z 0->1 ar; y==0 ||| y:=1; z 1->2 ar; x==0"),
           ("LB", "allowed", "x==1; y:=1 ||| y==1; x:=1"),
           ("LB+acq+rel", "forbidden", "x==1 a; y:=1 r ||| y==1 a; x:=1 r"),
           ("LB+fences", "forbidden", "x==1; fence ar; y:=1 ||| y==1; fence ar; x:=1"),
           ("IRIW", "allowed", "x:=1 ||| y:=1 ||| x==1; y==0 ||| y==1; x==0"),
           ("IRIW+rel+acq", "allowed", "x:=1 r ||| y:=1 r ||| x==1 a; y==0 a ||| y==1 a; x==0 a"),
           ("IRIW+fences", "allowed", "x:=1 ||| y:=1 ||| x==1; fence ar; y==0 ||| y==1; fence ar; x==0"),
           ("2+2W", "allowed", "x:=1; y:=2 ||| y:=1; x:=2 ||| x==2; x==1 ||| y==2; y==1"),
           ("2+2W+rel", "allowed", "x:=1 r; y:=2 r ||| y:=1 r; x:=2 r ||| x==2; x==1 ||| y==2; y==1"),
           ("WRC", "allowed", "x:=1 ||| x==1; y:=1 ||| y==1; x==0"),
           ("WRC+acq+rel", "forbidden", "x:=1 r ||| x==1 a; y:=1 r ||| y==1 a; x==0"),
           ("WRC+rlx+rel", "forbidden", "x:=1 ||| x==1; y:=1 r ||| y==1 a; x==0"),
           ("ISA2", "forbidden", "x:=1; y:=1 r ||| y==1 a; z:=1 r ||| z==1 a; x==0"),
           ("S+rel+acq", "forbidden", "x:=2; y:=1 r ||| y==1 a; x:=1 ||| x==1; x==2"),
           ("S", "allowed", "x:=2; y:=1 ||| y==1; x:=1 ||| x==1; x==2"),
           ("R+rel+acq", "allowed", "x:=1; y:=1 r ||| y:=2 r; x==0 a ||| y==1; y==2"),
           ("CoRR", "forbidden", "x:=1 ||| x==1; x==0"),
           ("CoRR2", "forbidden", "x:=1 ||| x:=2 ||| x==1; x==2 ||| x==2; x==1"),
           ("CoWW", "forbidden", "x:=1; x:=2 ||| x==2; x==1"), ("CoRW1", "forbidden", "x==1; x:=1"),
           ("CoRW2", "forbidden", "x==2; x:=1 ||| x:=2 ||| x==1; x==2"),
           ("CoWR", "forbidden", "x:=1; x==2 ||| x:=2 ||| x==2; x==1"), ("CoWR0", "forbidden", "x:=1; x==0"),
           ("atomicity", "forbidden", "x 0->1 ||| x 0->2"),
           ("store into rmw", "forbidden", "x 0->2; x==2; x==1 ||| x:=1 ||| x==1; x==2; x==1")]


def classic_program(text):
    """Returns the long form of a program in CLASSIC."""

    def instruction(match):
        words = match.group(0).split()
        order = words.pop() if words[-1] in ("a", "r", "ar") else ""
        order = (" acq" if "a" in order else "") + (" rel" if "r" in order else "") + ("/b" if order else "")
        if words[0] == "fence":
            return f"fence{order} @dev"
        name, operator, value = re.fullmatch(r"(\w) ?(:=|==|)(\S+)", " ".join(words)).groups()
        return f"{name}:b {operator} {value} atomic{order} @dev".replace("  ", " ")

    return re.sub(r"[^;|\s][^;|]*[^;|\s]", instruction, text)


# Maps each rule of the model to a test that fails without the rule.
RULES = {"acyclic": "corr", "from_read": "corr", "modification_order": "releaseseq1", "storage_class": "test1",
         "scope": "fencefencebroken", "synchronizes_atomic": "mp", "synchronizes_fence": "fencefence",
         "synchronizes_barrier": "test12", "release_sequence": "releaseseq3", "program_order_release": "mp",
         "acquire_program_order": "mp", "transitive": "mp3", "availability": "noncohmpfail",
         "visibility": "mp3transitivefail2", "chain": "mp3transitive", "private": "privmp", "reference": "ssw4",
         "system": "ssw3", "initial_read": "mpinscope1"}


def parse(text):
    text, _, notes = text.partition("#")
    program = model.Program()
    for note in filter(None, notes.strip().split(", ")):
        first, word, second = note.split()
        if word == "is":
            program.aliases[first] = second
        else:
            program.system.append((int(first), int(second)))
    places = [0, 0, 0]  # queue family, workgroup, subgroup
    for part in re.split(r"(\|+)", text):
        part = part.strip()
        if part.startswith("|"):
            if len(part) > 1:
                places[4 - len(part)] += 1
            continue
        thread = program.thread(places[1], places[2], places[0])
        for instruction in part.split(";"):
            add_instruction(program, thread, instruction.strip())
    return program


def add_instruction(program, thread, text):
    words = text.split()
    event = model.Event(thread=thread, kind=words[0], name=text)
    if words[0].startswith("bar"):
        event.kind, event.instance = "barrier", words[0]
    elif ":" in words[0]:
        event.location, event.storage = words[0].split(":")
        number = lambda t: program.constant(int(t))
        if words[1] == ":=":
            event.kind, event.put = "store", number(words[2])
        elif words[1] in ("==", "?"):
            event.kind = "load"
        else:
            event.kind, event.atomic = "rmw", True
            event.put = number(words[1].split("->")[1])
    for word in words[1:]:
        order, _, classes = word.partition("/")
        event.acquire |= order == "acq"
        event.release |= order == "rel"
        event.semantics |= frozenset(classes)
        event.atomic |= word == "atomic"
        event.nonprivate |= word == "np"
        event.available |= word == "av"
        event.visible |= word == "vis"
        event.semantics_available |= word == "+av"
        event.semantics_visible |= word == "+vis"
        if word.startswith("@"):
            event.scope = model.SCOPES[word[1:]]
    program.add(event)
    if event.kind == "load" and words[1] == "==":
        event.got = program.constant(int(words[2]))
    elif event.kind == "rmw":
        event.got = program.constant(int(words[1].split("->")[0]))


def answer(program, question, without):
    words = question.split()
    execution = model.Execution(program, chains=words[0] != "short", without=without)
    race = execution.race.some()
    conditions = {"any": [], "free": [model.negate(race)], "race": [race],
                  "sequence": [(execution.release_sequence - execution.identity).some()]}[words[-1]]
    found = execution.find(*conditions, consistent=words[0] != "any" or len(words) == 1)
    return "no" if found is None else "yes"


def run(text, outcome, without=()):
    """Returns the outcome of the model, by name if OUTCOMES has it."""
    program = parse(text)
    questions = [q.rsplit(" ", 1)[0] for q in OUTCOMES.get(outcome, outcome).split(", ")]
    answers = ", ".join(f"{q} {answer(program, q, without)}" for q in questions)
    return next((name for name, all_of in OUTCOMES.items() if all_of == answers), answers)


def all_tests():
    yield from KHRONOS
    for name, outcome, text in CLASSIC:
        yield name, "any yes" if outcome == "allowed" else outcome, classic_program(text)


def main():
    tests = list(all_tests())
    if "--rules" in sys.argv:
        by_name = {name: (outcome, text) for name, outcome, text in tests}
        for rule in model.RULES:
            outcome, text = by_name[RULES[rule]]
            got = run(text, outcome, [rule])
            verdict = "ok" if got != outcome else "FAIL"
            print(f"{verdict} notices_without_{rule} ({RULES[rule]}: {outcome}, without the rule {got})")
        return
    wrong = 0
    for name, outcome, text in tests:
        got = run(text, outcome)
        if got != outcome:
            wrong += 1
            print(f"FAIL litmus {name}: expected {outcome}, got {got}")
        elif "--table" in sys.argv:
            print(f"  {name:24} expected {outcome:32} got {got}")
    if not wrong:
        print(f"ok litmus ({len(tests)} tests)")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
