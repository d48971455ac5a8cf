"""Sorts numpy arrays, device arrays, and a selection by a graph."""

import numpy

import weir

# [functions]
numbers = numpy.random.default_rng(1).normal(size=10000).astype(numpy.float32)

ascending = weir.sort(numbers)  # a numpy array, as the input
largest, places = weir.top_k(numbers, 5)  # and their indices

x = weir.array(numbers)  # in device memory
sums = weir.cumsum(weir.sort(x))  # does not wait for the GPU
total = sums.numpy()[-1]  # waits
# [/functions]

assert (ascending == numpy.sort(numbers)).all()
assert (numbers[places] == largest).all() and largest[0] == numbers.max()
assert abs(total - numbers.sum(dtype=float)) < 0.1

# [graph]
graph = weir.Graph()
count = graph.parameter("count", 10000)
keys = graph.input("keys", "float32", 10000, count)
positive = graph.select_if(keys, ">", 0, want_indices=True)
order = graph.sort(positive.items, positive.indices, descending=True).values  # the count stays on the GPU
graph.output(order)
program = graph.compile()  # once

program.bind(keys, x)  # each time
program.set(count, 5000)
program.submit()
indices = program.read(order)  # waits
# [/graph]

first = numbers[:5000]
assert (indices == numpy.argsort(-first, kind="stable")[:(first > 0).sum()]).all()

# [errors]
try:
    weir.cumsum(numbers.astype(numpy.float16))
except weir.InvalidArgumentError as error:
    print(error)  # weir_scan: the input cannot be of type f16, with the line of this file
# [/errors]
else:
    raise SystemExit("a scan of 16-bit numbers is not reported")
print("sorted", numbers.size, "numbers")
