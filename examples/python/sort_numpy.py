"""Sorts a numpy array on the GPU, and the places where its elements were."""

import sys

import weir

try:
    import numpy
except ImportError:
    print("skipped: there is no numpy")
    sys.exit()

# [sort]
numbers = numpy.random.default_rng(1).normal(size=10000).astype(numpy.float32)

gpu = weir.Context()
graph = weir.Graph(gpu)
keys = graph.import_buffer("numbers", weir.F32, numbers.size)
result = graph.radix_sort(keys, indices=True, descending=True)
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

# What goes wrong is an exception with Weir's sentence.
try:
    bad = weir.Graph(gpu)
    bad.export(bad.radix_sort(keys).keys)
    weir.Program(gpu, bad)
    sys.exit("a buffer of another graph is not noticed")
except weir.WeirError as error:
    assert "another graph" in str(error)
print("sorted", numbers.size, "numbers")
