"""Measures the CPU time of calls of the Python package beyond that of the functions of C that they call.

    tests/drivers.sh lavapipe-8 python3 benchmarks/python/overhead.py

The package must be installed. Prints microseconds of the calling thread per call, the minimum of 100 rounds.
"""

import time

import numpy

import weir
from weir._native import ffi, lib

ROUNDS, CALLS = 100, 15  # 16 executions may be pending; one more waits


def per_call(function):
    best = float("inf")
    for _ in range(ROUNDS):
        weir.default_context().wait()
        start = time.thread_time_ns()
        for _ in range(CALLS):
            function()
        best = min(best, time.thread_time_ns() - start)
    return best / CALLS / 1000


def functions_of_c(operation, numbers, arrays):
    """Returns a function that only calls the functions of C that a run of the operation calls."""
    program, error = operation._program, ffi.new("weir_error*")
    set_, bind, submit = lib.weir_program_set, lib.weir_program_bind, lib.weir_program_submit
    parameters = list(zip(operation._parameters, numbers))
    imports = [(ref, array._block.view[0]) for ref, array in zip(operation._imports, arrays)]

    def call():
        for parameter, value in parameters:
            set_(program, parameter, value, error)
        for ref, view in imports:
            bind(program, ref, view, error)
        submit(program, ffi.NULL, error)

    return call


x = weir.array(numpy.arange(16, dtype="uint32"))
out, k = weir.empty(16, "uint32"), weir.empty(4, "uint32")
for name, call, numbers, arrays in [
    ("sort", lambda: weir.sort(x), (16,), (x, out)),
    ("cumsum", lambda: weir.cumsum(x), (16,), (x, out)),
    ("top_k", lambda: weir.top_k(x, 4), (16, 4), (x, k, out)),
    ("unique", lambda: weir.unique(x), (16,), (x, k, out)),
]:
    call()
    operation = next(reversed(weir.default_context()._operations.values()))
    in_c, whole = per_call(functions_of_c(operation, numbers, arrays)), per_call(call)
    print(f"{name:8} {whole:6.1f} us, of which functions of C {in_c:6.1f} us; Python {whole - in_c:5.1f} us")
