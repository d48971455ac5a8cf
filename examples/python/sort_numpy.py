"""Sorts a numpy array and the indices of its elements on the GPU."""

import sys

import weir

try:
    import numpy
except ImportError:
    print("skipped: numpy is not installed")
    sys.exit()

# [sort]
numbers = numpy.random.default_rng(1).normal(size=10000).astype(numpy.float32)

gpu = weir.Context()
graph = weir.Graph(gpu)
keys = graph.import_buffer("numbers", weir.F32, numbers.size)
result = graph.radix_sort(keys, want_indices=True, descending=True)
graph.export(result.keys)
graph.export(result.values)
program = weir.Program(gpu, graph)

memory = gpu.upload(numbers)
program.bind(keys, memory)
program.run()
greatest_first = numpy.empty_like(numbers)
places = numpy.empty(numbers.size, numpy.uint32)
gpu.download(program.view(result.keys), greatest_first)
gpu.download(program.view(result.values), places)
# [/sort]

assert (greatest_first == numpy.sort(numbers)[::-1]).all()
assert (numbers[places] == greatest_first).all()

# Errors are exceptions with Weir's message.
try:
    bad = weir.Graph(gpu)
    bad.export(bad.radix_sort(keys).keys)
    weir.Program(gpu, bad)
    sys.exit("a buffer of another graph is not reported")
except weir.WeirError as error:
    assert "another graph" in str(error)
print("sorted", numbers.size, "numbers")
