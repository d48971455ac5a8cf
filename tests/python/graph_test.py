"""Tests graphs, programs, arrays and contexts of the Python package, and the examples in its documentation."""

import doctest
import gc
import threading
import unittest
import unittest.mock

import numpy

import weir
from weir import _array, _context, _functions, _graph

random = numpy.random.default_rng(2)


def load_tests(loader, tests, pattern):
    for module in (weir, _array, _context, _functions, _graph):
        tests.addTests(doctest.DocTestSuite(module, extraglobs={"weir": weir, "numpy": numpy}))
    return tests


class GraphTest(unittest.TestCase):
    def test_primitives(self):
        graph = weir.Graph()
        x = graph.input("x", "uint32", 8)
        halves = weir.Segments.of_length(4)
        runs = graph.run_length_encode(x, want_offsets=True)
        decoded = graph.run_length_decode(runs.values, runs.lengths, 8)
        by_key = graph.reduce_by_key(x, x)
        ascending = graph.sort(x).keys
        order = graph.sort(x, want_indices=True, omit_keys=True).values
        few = ascending.with_count(4)
        cases = [
            (graph.reduce(x, "max"), [9]),
            (graph.reduce(x, segments=halves), [21, 23]),
            (graph.min_element(x).position, [6]),
            (graph.max_element(x).value, [9]),
            (runs.offsets, [0, 2, 3, 6, 7]),
            (decoded.items, [5, 5, 2, 9, 9, 9, 1, 4]),
            (by_key.keys, [5, 2, 9, 1, 4]),
            (by_key.values, [10, 2, 27, 1, 4]),
            (graph.select_if(x, ">=", 5).items, [5, 5, 9, 9, 9]),
            (graph.unique(x).count, [5]),
            (order, [6, 2, 7, 0, 1, 3, 4, 5]),
            (graph.gather(x, order), [1, 2, 4, 5, 5, 9, 9, 9]),
            (graph.adjacent_difference(ascending), [1, 1, 2, 1, 0, 4, 0, 0]),
            (graph.lower_bound(ascending, few), [0, 1, 2, 3]),
            (graph.upper_bound(ascending, few), [1, 2, 3, 5]),
            (graph.merge(few, few).keys, [1, 1, 2, 2, 4, 4, 5, 5]),
            (graph.set_operation("union", few, few).keys, [1, 2, 4, 5]),
            (graph.scan(x, initial=100, exclusive=True), [100, 105, 110, 112, 121, 130, 139, 140]),
            (graph.segmented_top_k(x, halves, 2, descending=True).keys, [9, 5, 9, 9]),
            (graph.fill(graph.temporary("sevens", "float32", 3), 7.5), [7.5, 7.5, 7.5]),
            (graph.iota(graph.temporary("numbers", "int32", 3), 5, -2), [5, 3, 1]),
            (graph.histogram(x, bins=2, lower=0, upper=10), [3, 5]),
        ]
        for output, _ in cases:
            graph.output(output)
        program = graph.compile()
        program.bind(x, [5, 5, 2, 9, 9, 9, 1, 4])
        program.run()
        for output, expected in cases:
            self.assertEqual(program.read(output).tolist(), expected)

    def test_counts(self):
        graph = weir.Graph()
        count = graph.parameter("count", 100)
        x = graph.input("x", "uint32", 100, count)
        small = graph.select_if(x, "<", 50, want_indices=True)
        order = graph.sort(small.items, small.indices, descending=True)
        graph.output(order.keys)
        graph.output(order.values)
        sums = graph.scan(x)
        graph.output(sums)
        program = graph.compile()
        self.assertIn("count", program.plan())
        for size in (100, 7):
            numbers = random.integers(0, 100, size, "uint32")
            program.bind(x, numbers)
            program.set(count, size)
            program.submit()
            chosen = numpy.flatnonzero(numbers < 50)
            chosen = chosen[numpy.argsort(~numbers[chosen], kind="stable")]
            self.assertEqual(program.read(order.values).tolist(), chosen.tolist())
            self.assertEqual(program.read(order.keys).tolist(), numbers[chosen].tolist())
            self.assertEqual(program.read(sums).tolist(), numpy.cumsum(numbers).tolist())
            program.set(count, 1)  # for the next execution; reads are of the submitted one
            self.assertEqual(len(program.read(sums)), size)
        self.assertGreater(program.memory, 0)

    def test_mistakes_name_the_line(self):
        graph = weir.Graph()
        x = graph.input("bytes", "uint8", 4)
        graph.output(graph.scan(x))
        with self.assertRaisesRegex(weir.InvalidArgumentError, r"weir_scan: .*u8.*graph_test.py:\d+"):
            graph.compile()
        other = weir.Graph()
        other.output(other.sort(x).keys)
        with self.assertRaisesRegex(weir.InvalidGraphError, "another graph"):
            other.compile()

    def test_errors(self):
        graph = weir.Graph()
        x = graph.input("x", "uint32", 4)
        for error, message, call in [
            (ValueError, "capacity is 8589934592; it must be from 0 to 4294967295",
             lambda: graph.input("y", "uint32", 2**33)),
            (ValueError, "end_bit is -1; it must be from 0", lambda: graph.sort(x, end_bit=-1)),
            (TypeError, "capacity is 1.5; it must be an integer", lambda: graph.input("y", "uint32", 1.5)),
            (TypeError, "decending", lambda: graph.sort(x, decending=True)),
            (ValueError, "op is 'sum'; it must be one of add, mul", lambda: graph.scan(x, "sum")),
            (TypeError, "elements are of type", lambda: graph.input("y", "complex64", 1)),
            (ValueError, "initial has 1.5, which is not of type uint32", lambda: graph.scan(x, initial=1.5)),
            (ValueError, "bins is 2, but edges are set", lambda: graph.histogram(x, bins=2, edges=x)),
            (ValueError, "lower is 0, but bins is not set", lambda: graph.histogram(x, lower=0)),
            (ValueError, "value has 2 elements; it must be one number", lambda: graph.select_if(x, "<", [1, 2])),
        ]:
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                call()
        graph.output(graph.sort(x).keys)
        program = graph.compile()
        with self.assertRaisesRegex(weir.InvalidArgumentError, "'x'"):
            program.submit()
        with self.assertRaisesRegex(weir.InvalidArgumentError, "'x'"):
            program.bind(x, numpy.zeros(3, "uint32"))
        with self.assertRaisesRegex(TypeError, "float32"):
            program.bind(x, weir.array(numpy.zeros(4, "float32")))
        with self.assertRaises(weir.NoDeviceError):
            weir.Context(device="a device that does not exist")
        self.assertTrue(issubclass(weir.OutOfMemoryError, weir.Error))

    def test_arrays(self):
        x = random.integers(0, 100, (3, 5)).astype("int16")
        device = weir.array(x)
        self.assertEqual((device.shape, device.ndim, device.size, device.nbytes, len(device)), ((3, 5), 2, 15, 30, 3))
        numpy.testing.assert_array_equal(device, x)
        numpy.testing.assert_array_equal(numpy.from_dlpack(device), x)
        numpy.testing.assert_array_equal(weir.from_dlpack(x).numpy(), x)
        numpy.testing.assert_array_equal(weir.from_dlpack(device.reshape(5, 3)).numpy(), x.reshape(5, 3))
        self.assertEqual(device.__dlpack_device__(), (1, 0))
        self.assertNotEqual(device.vk_buffer, 0)
        with self.assertRaisesRegex(ValueError, "15 elements cannot have the shape"):
            device.reshape(4, 4)
        with self.assertRaisesRegex(ValueError, "at least 0"):
            weir.empty((-1, 2))
        self.assertEqual(weir.empty(numpy.int64(2)).reshape(numpy.int64(1), 2).shape, (1, 2))
        self.assertEqual(weir.array([]).numpy().size, 0)

    def test_contexts(self):
        """A context of its own, whose memory is freed with its arrays."""
        gpu = weir.Context(cache_directory="none")
        self.assertEqual(gpu.name, weir.default_context().name)
        self.assertGreaterEqual(gpu.subgroup_size, 4)
        x = weir.array(numpy.arange(1000, dtype="uint32")[::-1], context=gpu)
        found = weir.sort(x)
        self.assertIs(found.context, gpu)
        self.assertEqual(found.numpy()[:3].tolist(), [0, 1, 2])
        self.assertGreater(gpu.memory_in_use, 0)
        x = found = None
        gc.collect()
        gpu.trim()
        self.assertEqual(gpu.memory_in_use, 0)
        limited = weir.Context(cache_directory="none", memory_limit=1 << 16)
        with self.assertRaises(weir.OutOfMemoryError):
            weir.empty(1 << 20, context=limited)

    def test_capacities(self):
        for count in [1, 1023, 1024, 1025, 2048, 2049, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 25, 2**32 - 1]:
            capacity = _context.capacity(count)
            self.assertTrue(count <= capacity <= max(1024, 2 * count - 1), count)
            self.assertTrue(count <= 1 << 20 or capacity <= count * 5 / 4, count)
            self.assertEqual(_context.capacity(capacity), capacity)
        self.assertEqual([_context.capacity(count, 1) for count in (1, 2, 3, 5)], [1, 2, 4, 8])

    def test_capacity_above_a_limit(self):
        """If a limit does not allow the capacity, the program is for the number of elements."""
        real, refused = _context.Operation, []

        def limited(context, graph):
            capacity = graph._parameters[0].maximum
            if capacity > 1500:
                refused.append(capacity)
                raise weir.LimitExceededError("too large")
            return real(context, graph)

        gpu = weir.Context(cache_directory="none")
        numbers = random.integers(0, 1000, 1500, "uint32")
        with unittest.mock.patch.object(_context, "Operation", limited):
            found = weir.sort(weir.array(numbers, context=gpu)).numpy()
            self.assertEqual(found.tolist(), sorted(numbers.tolist()))
            self.assertEqual(refused, [2048])
            with self.assertRaises(weir.LimitExceededError):
                weir.sort(weir.array(numpy.zeros(2000, "uint32"), context=gpu))

    def test_threads(self):
        """Threads use the cached programs of one context."""
        failures = []

        def work(seed):
            for size in range(1, 400, 37):
                x = numpy.random.default_rng(seed).integers(0, 1000, size, "uint32")
                if weir.sort(weir.array(x)).numpy().tolist() != sorted(x.tolist()):
                    failures.append((seed, size))

        threads = [threading.Thread(target=work, args=[seed]) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
