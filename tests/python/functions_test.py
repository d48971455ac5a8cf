"""Compares the functions of the Python package with numpy."""

import os
import unittest

import numpy

import weir

# Each type, and each class of capacities, is another program, whose pipelines take a second on a CPU driver.
LONG = bool(os.environ.get("WEIR_TESTS_LONG"))
NARROW = ["uint8", "int8", "uint16", "int16", "float16"]
WIDE = ["uint32", "int32", "float32", "uint64", "int64", "float64"]
TYPES = WIDE if LONG else ["uint32", "float32", "int64"]
SORTED_TYPES = NARROW + WIDE if LONG else ["int8", "float16", "int32", "float64"]
SIZES = [0, 1, 2, 31, 33, 1023, 1024, 1025] + ([2048, 2049, 4097, 20000, 100000] if LONG else [])
random = numpy.random.default_rng(1)


def numbers(dtype, size, values=None):
    """Returns random numbers; of floats, also NaNs, infinities and both zeros."""
    dtype = numpy.dtype(dtype)
    if dtype.kind != "f":
        info = numpy.iinfo(dtype)
        low, high = (info.min, info.max) if values is None else (0, min(values, info.max))
        return random.integers(low, high, size, dtype, endpoint=True)
    x = (random.normal(size=size) * 100).astype(dtype)
    if values is None:
        special = numpy.array([numpy.nan, -numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0], dtype)
        at = random.integers(0, 10, x.shape)
        return numpy.where(at < len(special), special[numpy.minimum(at, 5)], x)
    return numpy.round(x) % values


def order(x):
    """Returns unsigned integers in the order of `sort`: IEEE 754 total order of floats."""
    bits = x.view(f"uint{8 * x.itemsize}")
    top = bits.dtype.type(1 << (8 * x.itemsize - 1))
    if x.dtype.kind == "u":
        return bits
    if x.dtype.kind == "i":
        return bits ^ top
    return numpy.where(bits & top, ~bits, bits | top)


def places(x, descending=False):
    """Returns the stable order of the last axis."""
    keys = order(x)
    return numpy.argsort(~keys if descending else keys, axis=-1, kind="stable")


def can_add(dtype):
    return dtype != "float64" or weir.default_context().has_float64


class FunctionsTest(unittest.TestCase):
    def same(self, actual, expected):
        """Checks type, shape and bits."""
        expected = numpy.ascontiguousarray(expected)
        self.assertEqual((actual.dtype, actual.shape), (expected.dtype, expected.shape))
        self.assertEqual(actual.tobytes(), expected.tobytes())

    def test_sort_sizes(self):
        for size in SIZES:
            x = numbers("float32", size)
            self.same(weir.sort(x), x[places(x)])
        for size in (0, 1, 1000, 5000):
            x = numbers("float32", size)
            self.same(weir.argsort(x), places(x).astype("uint32"))

    def test_sort_types(self):
        for dtype in SORTED_TYPES:
            with self.subTest(dtype=dtype):
                x = numbers(dtype, 1000)
                self.same(weir.sort(x, descending=True), x[places(x, True)])
        few = numbers("uint32", 1000, 3)
        self.same(weir.argsort(few, descending=True), places(few, True).astype("uint32"))  # equal keys keep their order

    def test_sort_by_key(self):
        keys, values = numbers("uint32", 3000, 50), numbers("int64", 3000)
        at = places(keys)
        out, moved = weir.sort_by_key(keys, values)
        self.same(out, keys[at])
        self.same(moved, values[at])

    def test_sort_rows(self):
        for shape in [(0, 5), (5, 0), (3, 100), (4, 128)] + ([(1, 1), (100, 3), (4, 5000)] if LONG else []):
            x = numbers("float32", shape)
            self.same(weir.sort(x), numpy.take_along_axis(x, places(x), -1))
        x = numbers("uint32", (5, 70), 10)
        self.same(weir.argsort(x, descending=True), places(x, True).astype("uint32"))

    def test_cumsum(self):
        for size in SIZES:
            x = numbers("int32", size)
            self.same(weir.cumsum(x), numpy.cumsum(x, dtype="int32"))
            self.same(weir.cumsum(x, exclusive=True), numpy.cumsum(x, dtype="int32") - x)
        for dtype in filter(can_add, TYPES):
            x = numbers(dtype, 1000, 100)  # sums of whole floats are exact
            self.same(weir.cumsum(x), numpy.cumsum(x, dtype=dtype))
        for shape in [(0, 5), (3, 100), (100, 3), (1, 1)]:
            x = numbers("uint32", shape)
            self.same(weir.cumsum(x), numpy.cumsum(x, -1, dtype="uint32"))

    def test_unique(self):
        for size in SIZES:
            x = numbers("uint32", size, 100)
            expected, counts = numpy.unique(x, return_counts=True)
            self.same(weir.unique(x), expected)
            values, found = weir.unique(x, return_counts=True)
            self.same(values, expected)
            self.same(found, counts.astype("uint32"))
        for dtype in TYPES:
            x = numbers(dtype, 500, 20)
            self.same(weir.unique(x), numpy.unique(x))
        zeros = numpy.array([0.0, -0.0, 0.0], "float32")
        self.same(weir.unique(zeros), zeros[1:])

    def test_run_length_encode(self):
        for dtype, size in [(dtype, 1000) for dtype in TYPES] + [("uint32", size) for size in SIZES]:
            x = numpy.repeat(numbers(dtype, size, 3), 2)[:size]
            starts = numpy.flatnonzero(numpy.append(numpy.ones(min(size, 1), bool), x[1:] != x[:-1]))
            values, lengths = weir.run_length_encode(x)
            self.same(values, x[starts])
            self.same(lengths, numpy.diff(numpy.append(starts, size)).astype("uint32"))

    def test_histogram(self):
        for size in SIZES:
            x = numbers("int32", size, 999)
            self.same(weir.histogram(x, 10, (0, 1000)), numpy.histogram(x, 10, (0, 1000))[0].astype("uint32"))
        for dtype in ["uint32", "int32", "float32"]:
            x = numbers(dtype, 1000, 100)
            edges = numpy.array([0, 1, 10, 10, 50], dtype)
            places_of_x = numpy.searchsorted(edges, x, "right") - 1
            expected = numpy.bincount(places_of_x[(places_of_x >= 0) & (places_of_x < 4)], minlength=4)
            self.same(weir.histogram(x, edges), expected.astype("uint32"))
            self.same(weir.histogram(weir.array(x), weir.array(edges)).numpy(), expected.astype("uint32"))

    def test_segmented_sort(self):
        for dtype in TYPES:
            x = numbers(dtype, 1000)
            offsets = numpy.sort(numpy.concatenate([[0, 1000, 7, 7, 7], random.integers(0, 1000, 40)]))  # empty ones
            found, indices = weir.segmented_sort(x, offsets, descending=True, return_indices=True)
            at = numpy.concatenate([a + places(x[a:b], True) for a, b in zip(offsets[:-1], offsets[1:])])
            self.same(found, x[at])
            self.same(indices, at.astype("uint32"))
        x = numbers("uint32", 100)
        self.same(weir.segmented_sort(x, [0, 100, 200]), numpy.sort(x))  # offsets beyond the end
        self.assertEqual(weir.segmented_sort([], [0]).size, 0)

    def test_top_k(self):
        for dtype in TYPES:
            x = numbers(dtype, 1000, 200)  # equal keys: the first are chosen
            for k, largest in [(10, False), (9, False)] + ([(1, True), (100, True)] if LONG else []):
                values, indices = weir.top_k(x, k, largest=largest)
                self.same(indices, places(x, largest)[:k].astype("uint32"))
                self.same(values, x[places(x, largest)[:k]])
        for shape, k in [((3, 100), 5), ((4, 128), 8)] + ([((1, 1), 1), ((20, 7), 7), ((3, 3000), 5)] if LONG else []):
            x = numbers("float32", shape)
            values, indices = weir.top_k(x, k)
            self.same(indices, places(x, True)[:, :k].astype("uint32"))
            self.same(values, numpy.take_along_axis(x, places(x, True), -1)[:, :k])
        self.assertEqual(weir.top_k(numpy.zeros((0, 5)), 2)[0].shape, (0, 2))

    def test_select(self):
        for dtype, size in [(dtype, 1000) for dtype in TYPES] + [("uint32", size) for size in SIZES]:
            x, mask = numbers(dtype, size), random.integers(0, 2, size, "uint32")
            self.same(weir.select(x, mask.astype(bool)), x[mask != 0])
            items, indices = weir.select(weir.array(x), weir.array(mask), return_indices=True)
            self.same(items.numpy(), x[mask != 0])
            self.same(indices.numpy(), numpy.flatnonzero(mask).astype("uint32"))

    def test_inputs_are_not_changed(self):
        x = numbers("uint32", 1000)
        device = weir.array(x)
        results = [weir.sort(device), weir.cumsum(device), weir.unique(device), *weir.top_k(device, 3)]
        self.assertTrue(all(isinstance(result, weir.Array) for result in results))
        self.same(device.numpy(), x)
        self.same(results[0].numpy(), numpy.sort(x))
        strided = numpy.arange(20, dtype="uint32")[::-2]
        self.same(weir.sort(strided), numpy.sort(strided))
        self.same(weir.sort(strided.astype(">u4")), numpy.sort(strided))

    def test_memory_is_used_again_in_order(self):
        """The memory of a freed array belongs to the next one while the GPU still reads it."""
        x = [numbers("uint32", 1000) for _ in range(20)]
        sorts = [weir.sort(weir.cumsum(weir.array(part))) for part in x]
        for part, found in zip(x, sorts):
            self.same(found.numpy(), numpy.sort(numpy.cumsum(part, dtype="uint32")))

    def test_shapes_do_not_compile(self):
        device = weir.default_context()
        weir.sort(numbers("uint32", 1025))
        compiled = set(device._operations)
        for size in (1026, 1500, 2048):
            weir.sort(numbers("uint32", size))
        self.assertEqual(compiled, set(device._operations))

    def test_errors(self):
        x, other = numpy.arange(4, dtype="uint32"), weir.Context(cache_directory="none")
        for error, message, call in [
            (TypeError, "elements are of type complex128; supported are uint32", lambda: weir.sort([1j])),
            (ValueError, "the array has 3 dimensions; at least 1 and at most 2 are supported",
             lambda: weir.sort(numpy.zeros((2, 2, 2)))),
            (ValueError, "there are 4 keys and 3 values", lambda: weir.sort_by_key(x, x[:3])),
            (ValueError, "k is 5; it must be from 1 to 4", lambda: weir.top_k(x, 5)),
            (ValueError, "there are 4 elements and a mask of 2", lambda: weir.select(x, [True, False])),
            (ValueError, "the mask has 2 dimensions; it must have 1", lambda: weir.select(x, numpy.ones((4, 2), bool))),
            (TypeError, "the mask has elements of type float32", lambda: weir.select(x, weir.array(x, "float32"))),
            (ValueError, "range is required for a number of bins", lambda: weir.histogram(x, 3)),
            (ValueError, "range is set, but bins are edges", lambda: weir.histogram(x, [1, 2], (1, 2))),
            (ValueError, "there are 0 bins", lambda: weir.histogram(x, 0, (1, 2))),
            (ValueError, "the edges in bins do not ascend", lambda: weir.histogram(x, [2, 1])),
            (ValueError, "bins has 1.5, which is not of type uint32", lambda: weir.histogram(x, [1, 1.5])),
            (ValueError, "lower has -1, which is not of type uint32", lambda: weir.histogram(x, 2, (-1, 5))),
            (ValueError, "there are no offsets", lambda: weir.segmented_sort(x, [])),
            (ValueError, "the array has 0 dimensions", lambda: weir.segmented_sort(x, 3)),
            (ValueError, "the array has 0 dimensions", lambda: weir.histogram(x, numpy.array(2))),
            (ValueError, "offsets do not ascend", lambda: weir.segmented_sort(x, [0, 3, 1])),
            (ValueError, "offsets has -1, which is not of type uint32", lambda: weir.segmented_sort(x, [-1, 3])),
            (TypeError, "offsets have elements of type float32",
             lambda: weir.segmented_sort(x, weir.array(x, "float32"))),
            (TypeError, "k is 2.5; it must be an integer", lambda: weir.top_k(x, 2.5)),
            (ValueError, "the arrays are on different contexts",
             lambda: weir.sort_by_key(weir.array(x), weir.array(x, context=other))),
            (weir.InvalidArgumentError, "weir_scan: the input cannot be of type u8",
             lambda: weir.cumsum(x.astype("uint8"))),
            (weir.InvalidArgumentError, "cannot be of type i16", lambda: weir.sort(numpy.zeros((2, 2), "int16"))),
        ]:
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                call()
        if not can_add("float64"):
            with self.assertRaises(weir.UnsupportedError):
                weir.cumsum(numpy.zeros(10))


if __name__ == "__main__":
    unittest.main()
