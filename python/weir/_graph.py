"""Graphs of primitives, and compiled programs."""

from __future__ import annotations

import dataclasses
import os
import sys
from typing import Any

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from weir._array import Array
from weir._context import Context, default_context
from weir._errors import check, number
from weir._native import ffi, lib
from weir._types import UINT32, converted, element_type, type_of

_PACKAGE = os.path.dirname(__file__)
_files: dict[str, Any] = {}  # names of files in messages, which the library keeps
_operators = {"add": 0, "mul": 1, "min": 2, "max": 3, "and": 4, "or": 5, "xor": 6}
_comparisons = {"==": 1, "!=": 2, "<": 3, "<=": 4, ">": 5, ">=": 6}
_set_operations = {"union": 0, "intersection": 1, "difference": 2, "symmetric_difference": 3}


class Count:
    """A number of elements: a parameter of a graph, or a word that the GPU reads. Functions also take an int."""

    def __init__(self, count: Any) -> None:
        self._count = ffi.new("weir_count*", count)[0]  # a copy: members of a struct do not keep it alive

    @property
    def maximum(self) -> int:
        """Maximum of the count."""
        return int(self._count.max)


class Buffer:
    """A buffer of a graph: elements of one dtype. It refers to memory only when the program runs."""

    def __init__(self, ref: Any, dtype: numpy.dtype[Any]) -> None:
        self._ref = ffi.new("weir_buffer_ref*", ref)[0]  # a copy: members of a struct do not keep it alive
        self.dtype = dtype

    @property
    def capacity(self) -> int:
        """Maximum number of elements."""
        return int(self._ref.capacity)

    @property
    def count(self) -> Count:
        """Number of elements in use."""
        return Count(self._ref.count)

    def with_count(self, count: Count | int) -> Buffer:
        """Returns the buffer with another number of elements, at most its capacity."""
        return Buffer(lib.weir_with_count(self._ref, _count(count, "count")), self.dtype)


@dataclasses.dataclass(frozen=True)
class SortResult:
    """Sorted keys, and the values or indices that moved with them. A buffer that was not requested is None."""

    keys: Buffer | None
    values: Buffer | None


@dataclasses.dataclass(frozen=True)
class TopKResult:
    """Chosen keys and their indices. A buffer that was not requested is None. `count` is one word."""

    keys: Buffer | None
    indices: Buffer | None
    count: Buffer | None


@dataclasses.dataclass(frozen=True)
class SelectResult:
    """Selected elements and their indices. A buffer that was not requested is None. `count` is one word."""

    items: Buffer | None
    indices: Buffer | None
    count: Buffer


@dataclasses.dataclass(frozen=True)
class RunLengthResult:
    """Element, length and first index of each run. `offsets` are None if not requested. `count` is one word."""

    values: Buffer
    lengths: Buffer
    offsets: Buffer | None
    count: Buffer


@dataclasses.dataclass(frozen=True)
class ByKeyResult:
    """A key and a value for each run of equal keys. `count` is one word."""

    keys: Buffer
    values: Buffer
    count: Buffer


@dataclasses.dataclass(frozen=True)
class ExtremumResult:
    """Smallest or largest element, and the index of the first element equal to it."""

    value: Buffer
    position: Buffer


@dataclasses.dataclass(frozen=True)
class MergeResult:
    """Merged keys. `count` is one word."""

    keys: Buffer
    count: Buffer


class Segments:
    """Ranges of consecutive elements that are sorted, scanned or reduced separately. Use the class methods.

    The segments of `between` must ascend; an offset beyond the end counts as the end.
    """

    def __init__(self, kind: int, length: Count | int | None = None, buffer: Buffer | None = None,
                 rows: Count | int | None = None) -> None:
        self._segments = ffi.new("weir_segments*")
        self._segments.size = ffi.sizeof("weir_segments")
        self._segments.kind = kind
        if length is not None:
            count = _count(length, "length")
            self._segments.length = count.max
            self._segments.variable_length = count
        if buffer is not None:
            self._segments.buffer = buffer._ref
        if rows is not None:
            self._segments.rows = _count(rows, "rows")

    @classmethod
    def of_length(cls, length: Count | int) -> Segments:
        """Returns segments of `length` elements each. Sorts and top-k take a constant only."""
        return cls(lib.WEIR_SEGMENTS_LENGTH, length)

    @classmethod
    def of_rows(cls, rows: Count | int, length: Count | int) -> Segments:
        """Returns the rows of a row-major matrix as segments. For sorts and top-k only."""
        return cls(lib.WEIR_SEGMENTS_ROWS, length, rows=rows)

    @classmethod
    def between(cls, offsets: Buffer, segments: Count | int) -> Segments:
        """Returns segments [offsets[s], offsets[s + 1]). `offsets` are uint32, one more than segments."""
        return cls(lib.WEIR_SEGMENTS_BETWEEN_OFFSETS, buffer=offsets.with_count(segments))


def _count(value: Count | int, name: str) -> Any:
    if isinstance(value, Count):
        return value._count
    return lib.weir_constant(number(name, value))


def _ref(value: Buffer | None) -> Any:
    return ffi.new("weir_buffer_ref*")[0] if value is None else value._ref


def _options(struct: str, **members: Any) -> Any:
    """Returns a struct of options. Members that are None stay zero."""
    options = ffi.new(struct + "*")
    options.size = ffi.sizeof(struct)
    for name, value in members.items():
        if isinstance(value, Buffer):
            setattr(options, name, value._ref)
        elif isinstance(value, int):
            setattr(options, name, number(name, value))
        elif value is not None:
            setattr(options, name, value)
    return options


def _element(name: str, value: Any, dtype: numpy.dtype[Any]) -> Any:
    """Returns a pointer to one element, which owns it; null for None. Raises ValueError, with the name."""
    if value is None:
        return ffi.NULL
    element = converted(name, value, dtype)
    if element.size != 1:
        raise ValueError(f"{name} has {element.size} elements; it must be one number")
    return ffi.new("char[]", element.tobytes())


def _choice(name: str, value: str, choices: dict[str, int]) -> int:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(choices)}")
    return choices[value]


class Graph:
    """Primitives on buffers, compiled into one program. The primitives share memory, and barriers are merged.

    Methods that add primitives return their outputs. A mistake does not raise at once: `compile` raises the first one,
    with the line of Python that made it.

    Parameters
    ----------
    context : Context, optional
        Default: `default_context()`.

    Examples
    --------
    The indices of the three smallest numbers below 100:

    >>> graph = weir.Graph()
    >>> numbers = graph.input("numbers", "uint32", 6)
    >>> small = graph.select_if(numbers, "<", 100, want_indices=True)
    >>> order = graph.sort(small.items, small.indices).values
    >>> graph.output(order)
    >>> program = graph.compile()
    >>> program.bind(numbers, weir.array([7, 400, 3, 9, 100, 1], "uint32"))
    >>> program.submit()
    >>> program.read(order)
    array([5, 2, 0, 3], dtype=uint32)
    """

    def __init__(self, context: Context | None = None) -> None:
        self.context = default_context() if context is None else context
        created = ffi.new("weir_graph**")
        check(lib.weir_graph_create, self.context._context, created)
        self._graph = ffi.gc(created[0], lib.weir_graph_destroy)
        self._parameters: list[Count] = []
        self._inputs: list[Buffer] = []

    def _here(self) -> Any:
        """Sets the line of the caller outside the package, for messages. Returns the graph."""
        frame = sys._getframe(1)
        while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _PACKAGE:
            frame = frame.f_back
        name = frame.f_code.co_filename
        if name not in _files:
            _files[name] = ffi.new("char[]", name.encode())
        lib.weir_graph_at(self._graph, _files[name], frame.f_lineno)
        return self._graph

    def _buffer(self, ref: Any, dtype: Any) -> Buffer:
        return Buffer(ref, numpy.dtype(dtype))

    def _optional(self, is_wanted: bool, ref: Any, dtype: Any) -> Buffer | None:
        """Returns the buffer if it is wanted, else None. After a mistake, functions that take the buffer refuse it."""
        return Buffer(ref, numpy.dtype(dtype)) if is_wanted else None

    def input(self, name: str, dtype: DTypeLike, capacity: int, count: Count | int | None = None) -> Buffer:
        """Adds a buffer to which an array is bound: an input, or an output that the application owns.

        Parameters
        ----------
        name : str
            Name in messages.
        dtype : dtype
            Type of the elements.
        capacity : int
            Maximum number of elements. The bound array may have fewer if `count` is given.
        count : Count or int, optional
            Number of elements. Default: the capacity.
        """
        dtype = element_type(dtype)
        graph = self._here()
        ref = lib.weir_import(graph, name.encode(), type_of[dtype], number("capacity", capacity), lib.WEIR_ACCESS_ANY)
        if count is not None:
            lib.weir_allow_smaller(graph, ref)
            ref = lib.weir_with_count(ref, _count(count, "count"))
        buffer = Buffer(ref, dtype)
        self._inputs.append(buffer)
        lib.weir_export(graph, ref, lib.WEIR_ACCESS_ANY)  # later commands wait, also for reads
        return buffer

    def temporary(self, name: str, dtype: DTypeLike, capacity: int) -> Buffer:
        """Adds a buffer that exists within one execution, for `output` parameters and for `fill` and `iota`."""
        dtype = element_type(dtype)
        return Buffer(lib.weir_transient(self._here(), name.encode(), type_of[dtype], number("capacity", capacity)),
                      dtype)

    def parameter(self, name: str, maximum: int) -> Count:
        """Adds a count that `Program.set` changes between executions, at most `maximum`, which is the initial value."""
        count = Count(lib.weir_parameter(self._here(), name.encode(), number("maximum", maximum)))
        self._parameters.append(count)
        return count

    def count_in(self, buffer: Buffer, word: int = 0, maximum: int | None = None) -> Count:
        """Returns the count in a word of a buffer of uint32. A value above `maximum` counts as `maximum`."""
        limit = 2**32 - 1 if maximum is None else number("maximum", maximum)
        return Count(lib.weir_count_in(self._here(), buffer._ref, number("word", word), limit))

    def output(self, buffer: Buffer) -> None:
        """Keeps a buffer and what computes it, for `Program.read`. If its count is on the GPU, keeps that too."""
        graph = self._here()
        lib.weir_export(graph, buffer._ref, lib.WEIR_ACCESS_ANY)
        count = buffer._ref.count
        if count.kind == lib.WEIR_COUNT_GPU:
            lib.weir_export(graph, _word_of(count), lib.WEIR_ACCESS_ANY)

    def _compile(self, frames_in_flight: int = 3, name: str | None = None) -> Any:
        options = ffi.new("weir_compile_options*")
        options.size = ffi.sizeof("weir_compile_options")
        options.frames_in_flight = frames_in_flight
        text = ffi.NULL if name is None else ffi.new("char[]", name.encode())
        options.name = text
        created = ffi.new("weir_program**")
        with self.context._shared.lock:
            check(lib.weir_compile, self.context._context, self._graph, options, created)
        return ffi.gc(created[0], lib.weir_program_destroy)

    def compile(self, *, frames_in_flight: int = 3, name: str | None = None) -> Program:
        """Compiles the graph.

        Parameters
        ----------
        frames_in_flight : int
            Maximum number of executions that may be pending at once.
        name : str, optional
            Name of the program in debuggers.

        Raises
        ------
        InvalidGraphError, InvalidArgumentError
            The first mistake of the graph.
        UnsupportedError, LimitExceededError, OutOfMemoryError
            The device cannot run it; the message names the pass or the buffer.
        """
        return Program(self.context, self._compile(number("frames_in_flight", frames_in_flight), name))

    # Sorts

    def sort(self, keys: Buffer, values: Buffer | None = None, *, want_indices: bool = False, descending: bool = False,
             first_bit: int = 0, end_bit: int = 0, omit_keys: bool = False, output_keys: Buffer | None = None,
             output_values: Buffer | None = None) -> SortResult:
        """Adds a stable radix sort. Floats sort in IEEE 754 total order.

        Parameters
        ----------
        keys : Buffer
            Numbers of 8 to 64 bits.
        values : Buffer, optional
            Elements of 32 or 64 bits that move along with the keys.
        want_indices : bool
            Return the indices of the keys as values.
        descending : bool
            Largest key first.
        first_bit, end_bit : int
            Compared bits [first_bit, end_bit). `end_bit` 0: all bits from `first_bit` on.
        omit_keys : bool
            Write no sorted keys.
        output_keys, output_values : Buffer, optional
            Outputs; may be the inputs. Default: temporary buffers.
        """
        options = _options("weir_sort_options", values=values, want_indices=want_indices, descending=descending,
                           first_bit=first_bit, end_bit=end_bit, omit_keys=omit_keys, output_keys=output_keys,
                           output_values=output_values)
        return self._sorted(lib.weir_radix_sort(self._here(), keys._ref, options), options, keys, values)

    def segmented_sort(self, keys: Buffer, segments: Segments, values: Buffer | None = None, *,
                       want_indices: bool = False, local_indices: bool = False, descending: bool = False,
                       omit_keys: bool = False, longest: int = 0, output_keys: Buffer | None = None,
                       output_values: Buffer | None = None) -> SortResult:
        """Adds a stable sort of each segment. Keys have 32 or 64 bits. The other parameters are those of `sort`.

        Parameters
        ----------
        segments : Segments
            Segments of one constant length, rows, or between offsets.
        local_indices : bool
            Indices count from the start of the segment; requires `want_indices`.
        longest : int
            Promised maximum number of keys of a segment at offsets. 0: not known.
        """
        options = _options("weir_sort_options", values=values, want_indices=want_indices, descending=descending,
                           omit_keys=omit_keys, longest=longest, local_indices=local_indices, output_keys=output_keys,
                           output_values=output_values)
        sorted_ = lib.weir_segmented_sort(self._here(), keys._ref, segments._segments, options)
        return self._sorted(sorted_, options, keys, values)

    def _sorted(self, result: Any, options: Any, keys: Buffer, values: Buffer | None) -> SortResult:
        has_values = values is not None or bool(options.want_indices)
        return SortResult(self._optional(not options.omit_keys, result.keys, keys.dtype),
                          self._optional(has_values, result.values, UINT32 if values is None else values.dtype))

    def top_k(self, keys: Buffer, k: Count | int, *, descending: bool = False, unsorted: bool = False,
              omit_keys: bool = False, want_indices: bool = False, output_keys: Buffer | None = None,
              output_indices: Buffer | None = None, output_count: Buffer | None = None) -> TopKResult:
        """Adds a selection of the `k` smallest keys, or of the largest with `descending`. Keys have 32 or 64 bits.

        The selected keys are sorted, unless `unsorted` keeps the order of the input. Of equal keys the first are
        selected. Unused places of the outputs are not written.
        """
        options = _options("weir_top_k_options", descending=descending, unsorted=unsorted, omit_keys=omit_keys,
                           want_indices=want_indices, output_keys=output_keys, output_indices=output_indices,
                           output_count=output_count)
        found = lib.weir_top_k(self._here(), keys._ref, _count(k, "k"), options)
        return self._top(found, options, keys, True)

    def segmented_top_k(self, keys: Buffer, segments: Segments, k: Count | int, *, descending: bool = False,
                        unsorted: bool = False, want_indices: bool = False, local_indices: bool = False,
                        output_keys: Buffer | None = None, output_indices: Buffer | None = None) -> TopKResult:
        """Adds a selection of the `k` smallest keys of each segment, or of the largest with `descending`.

        Segment s has `k` places in the outputs, from place s * k on. If it has fewer keys, the indices of its other
        places are 0xFFFFFFFF. `count` is None.
        """
        options = _options("weir_top_k_options", descending=descending, unsorted=unsorted, want_indices=want_indices,
                           local_indices=local_indices, output_keys=output_keys, output_indices=output_indices)
        found = lib.weir_segmented_top_k(self._here(), keys._ref, segments._segments, _count(k, "k"), options)
        return self._top(found, options, keys, False)

    def _top(self, result: Any, options: Any, keys: Buffer, is_counted: bool) -> TopKResult:
        has_indices = bool(options.want_indices or options.output_indices.id)
        return TopKResult(self._optional(not options.omit_keys, result.keys, keys.dtype),
                          self._optional(has_indices, result.indices, UINT32),
                          self._optional(is_counted, result.count, UINT32))

    # Scans and reductions

    def scan(self, x: Buffer, op: str = "add", *, exclusive: bool = False, initial: Any = None,
             segments: Segments | None = None, output: Buffer | None = None) -> Buffer:
        """Adds a prefix scan, which restarts at each segment.

        Parameters
        ----------
        x : Buffer
            Numbers of 32 or 64 bits. Integers wrap.
        op : str
            "add", "mul", "min", "max", "and", "or" or "xor".
        exclusive : bool
            Element i of the output does not include element i of the input.
        initial : scalar, optional
            A number before the first one.
        """
        first = _element("initial", initial, x.dtype)
        by = ffi.NULL if segments is None else segments._segments
        options = _options("weir_scan_options", op=_choice("op", op, _operators), exclusive=exclusive, initial=first,
                           segments=by, output=output)
        return self._buffer(lib.weir_scan(self._here(), x._ref, options), x.dtype)

    def reduce(self, x: Buffer, op: str = "add", *, initial: Any = None, segments: Segments | None = None,
               output: Buffer | None = None) -> Buffer:
        """Adds a reduction of all elements to one, or of each segment to one. `op` is that of `scan`."""
        first = _element("initial", initial, x.dtype)
        options = _options("weir_reduce_options", op=_choice("op", op, _operators), initial=first, output=output)
        if segments is None:
            return self._buffer(lib.weir_reduce(self._here(), x._ref, options), x.dtype)
        return self._buffer(lib.weir_reduce_by_segment(self._here(), x._ref, segments._segments, options), x.dtype)

    def reduce_by_key(self, keys: Buffer, values: Buffer, op: str = "add", *, initial: Any = None) -> ByKeyResult:
        """Adds a reduction of the values of each run of equal neighboring keys. `op` is that of `scan`."""
        first = _element("initial", initial, values.dtype)
        options = _options("weir_reduce_by_key_options", op=_choice("op", op, _operators), initial=first)
        result = lib.weir_reduce_by_key(self._here(), keys._ref, values._ref, options)
        return ByKeyResult(self._buffer(result.keys, keys.dtype), self._buffer(result.values, values.dtype),
                           self._buffer(result.count, UINT32))

    def min_element(self, x: Buffer) -> ExtremumResult:
        """Adds a search for the smallest number. Floats compare in IEEE 754 total order."""
        return self._extremum(lib.weir_min_element(self._here(), x._ref, ffi.NULL), x)

    def max_element(self, x: Buffer) -> ExtremumResult:
        """Adds a search for the largest number. Floats compare in IEEE 754 total order."""
        return self._extremum(lib.weir_max_element(self._here(), x._ref, ffi.NULL), x)

    def _extremum(self, result: Any, x: Buffer) -> ExtremumResult:
        return ExtremumResult(self._buffer(result.value, x.dtype), self._buffer(result.position, UINT32))

    # Compaction

    def select_if(self, x: Buffer, comparison: str, value: Any, *, omit_items: bool = False,
                  want_indices: bool = False) -> SelectResult:
        """Adds a selection of the elements for which `x comparison value` is true.

        Parameters
        ----------
        comparison : str
            "==", "!=", "<", "<=", ">" or ">=". Floats compare as in IEEE 754.
        value : scalar
            A number of the type of the elements.
        """
        predicate = ffi.new("weir_predicate*")
        predicate.size = ffi.sizeof("weir_predicate")
        predicate.comparison = _choice("comparison", comparison, _comparisons)
        value = _element("value", value, x.dtype)
        predicate.number = value
        options = _options("weir_select_options", omit_items=omit_items, want_indices=want_indices)
        return self._selected(lib.weir_select_if(self._here(), x._ref, predicate, options), options, x)

    def select_flagged(self, x: Buffer, flags: Buffer, *, omit_items: bool = False, want_indices: bool = False,
                       output: Buffer | None = None, output_indices: Buffer | None = None,
                       output_count: Buffer | None = None) -> SelectResult:
        """Adds a selection of the elements whose flag, a uint32, is not 0."""
        options = _options("weir_select_options", omit_items=omit_items, want_indices=want_indices, output=output,
                           output_indices=output_indices, output_count=output_count)
        return self._selected(lib.weir_select_flagged(self._here(), x._ref, flags._ref, options), options, x)

    def select_by_bits(self, x: Buffer, bits: Buffer, *, omit_items: bool = False, want_indices: bool = False,
                       output: Buffer | None = None, output_indices: Buffer | None = None,
                       output_count: Buffer | None = None) -> SelectResult:
        """Adds a selection of the elements whose bit is set: bit i % 32 of word i // 32 of `bits`, which are uint32."""
        options = _options("weir_select_options", omit_items=omit_items, want_indices=want_indices, output=output,
                           output_indices=output_indices, output_count=output_count)
        return self._selected(lib.weir_select_by_bits(self._here(), x._ref, bits._ref, options), options, x)

    def unique(self, x: Buffer, *, omit_items: bool = False, want_indices: bool = False, output: Buffer | None = None,
               output_indices: Buffer | None = None, output_count: Buffer | None = None) -> SelectResult:
        """Adds a selection of the first element of each run of equal neighbors."""
        options = _options("weir_select_options", omit_items=omit_items, want_indices=want_indices, output=output,
                           output_indices=output_indices, output_count=output_count)
        return self._selected(lib.weir_unique(self._here(), x._ref, options), options, x)

    def _selected(self, result: Any, options: Any, x: Buffer) -> SelectResult:
        has_indices = bool(options.want_indices or options.output_indices.id)
        return SelectResult(self._optional(not options.omit_items, result.items, x.dtype),
                            self._optional(has_indices, result.indices, UINT32), self._buffer(result.count, UINT32))

    def run_length_encode(self, x: Buffer, *, want_offsets: bool = False, repeated_only: bool = False,
                          output_values: Buffer | None = None, output_lengths: Buffer | None = None,
                          output_count: Buffer | None = None) -> RunLengthResult:
        """Adds a run-length encoding of runs of equal neighbors.

        Parameters
        ----------
        want_offsets : bool
            Return the index of the first element of each run.
        repeated_only : bool
            Omit runs of one element.
        """
        options = _options("weir_run_length_options", want_offsets=want_offsets, repeated_only=repeated_only,
                           output_values=output_values, output_lengths=output_lengths, output_count=output_count)
        result = lib.weir_run_length_encode(self._here(), x._ref, options)
        return RunLengthResult(self._buffer(result.values, x.dtype), self._buffer(result.lengths, UINT32),
                               self._optional(want_offsets, result.offsets, UINT32), self._buffer(result.count, UINT32))

    def run_length_decode(self, values: Buffer, lengths: Buffer, capacity: int) -> SelectResult:
        """Adds a run-length decoding: value i is repeated lengths[i] times. At most `capacity` elements are written."""
        options = _options("weir_run_length_decode_options", capacity=capacity)
        result = lib.weir_run_length_decode(self._here(), values._ref, lengths._ref, options)
        return SelectResult(self._buffer(result.items, values.dtype), None, self._buffer(result.count, UINT32))

    # Elementwise

    def histogram(self, x: Buffer, *, bins: int | None = None, lower: Any = None, upper: Any = None,
                  edges: Buffer | None = None, output: Buffer | None = None) -> Buffer:
        """Adds a histogram. Returns a uint32 per bin.

        Parameters
        ----------
        bins, lower, upper : int, scalar, scalar, optional
            `bins` bins of equal width in [lower, upper).
        edges : Buffer, optional
            Ascending numbers of the type of the elements. Bin b has the elements in [edges[b], edges[b + 1]).
            Without edges and bins, the 256 bins count the bytes of all elements.
        """
        if bins is not None and edges is not None:
            raise ValueError(f"bins is {bins}, but edges are set")
        for name, bound in (("lower", lower), ("upper", upper)):
            if bins is None and bound is not None:
                raise ValueError(f"{name} is {bound}, but bins is not set")
        bounds = [_element("lower", lower, x.dtype), _element("upper", upper, x.dtype)]
        kind = lib.WEIR_BINS_EDGES if edges is not None else lib.WEIR_BINS_BYTES if bins is None else lib.WEIR_BINS_EVEN
        options = _options("weir_bins", kind=kind, count=bins, lower=bounds[0], upper=bounds[1], edges=edges)
        return self._buffer(lib.weir_histogram(self._here(), x._ref, options, _ref(output)), UINT32)

    def fill(self, output: Buffer, value: Any) -> Buffer:
        """Adds a pass that sets all elements of `output` to `value`. Returns it."""
        pointer = _element("value", value, output.dtype)
        return self._buffer(lib.weir_fill(self._here(), output._ref, pointer), output.dtype)

    def iota(self, output: Buffer, start: Any = 0, step: Any = 1) -> Buffer:
        """Adds a pass that sets `output` to start, start + step and so on. Returns it."""
        numbers = [_element("start", start, output.dtype), _element("step", step, output.dtype)]
        return self._buffer(lib.weir_iota(self._here(), output._ref, *numbers), output.dtype)

    def gather(self, x: Buffer, indices: Buffer, output: Buffer | None = None) -> Buffer:
        """Adds output[i] = x[indices[i]]. If the index is not less than the count of `x`, output[i] is not written."""
        return self._buffer(lib.weir_gather(self._here(), x._ref, indices._ref, _ref(output)), x.dtype)

    def scatter(self, x: Buffer, indices: Buffer, output: Buffer) -> Buffer:
        """Adds output[indices[i]] = x[i]. Indices that are not less than the count of `output` are ignored."""
        return self._buffer(lib.weir_scatter(self._here(), x._ref, indices._ref, output._ref), x.dtype)

    def adjacent_difference(self, x: Buffer, output: Buffer | None = None) -> Buffer:
        """Adds output[i] = x[i] - x[i - 1] and output[0] = x[0]."""
        return self._buffer(lib.weir_adjacent_difference(self._here(), x._ref, _ref(output)), x.dtype)

    def random_permutation(self, count: Count | int, seed: Count | int) -> Buffer:
        """Adds the numbers 0 to `count` - 1 in a random order, which `seed` determines."""
        zero = _ref(None)
        ref = lib.weir_random_permutation(self._here(), _count(count, "count"), _count(seed, "seed"), zero)
        return self._buffer(ref, UINT32)

    # Searches

    def lower_bound(self, x: Buffer, keys: Buffer, output: Buffer | None = None) -> Buffer:
        """Adds a search of ascending numbers: the index of the first element that is not less than each key."""
        return self._buffer(lib.weir_lower_bound(self._here(), x._ref, keys._ref, _ref(output)), UINT32)

    def upper_bound(self, x: Buffer, keys: Buffer, output: Buffer | None = None) -> Buffer:
        """Adds a search of ascending numbers: the index of the first element that is greater than each key."""
        return self._buffer(lib.weir_upper_bound(self._here(), x._ref, keys._ref, _ref(output)), UINT32)

    def merge(self, first: Buffer, second: Buffer) -> MergeResult:
        """Adds a stable merge of two arrays of ascending numbers."""
        return self._merged(lib.weir_merge(self._here(), first._ref, second._ref, ffi.NULL), first)

    def set_operation(self, kind: str, first: Buffer, second: Buffer) -> MergeResult:
        """Adds "union", "intersection", "difference" or "symmetric_difference" of two arrays of ascending numbers."""
        which = _choice("kind", kind, _set_operations)
        return self._merged(lib.weir_set_operation(self._here(), which, first._ref, second._ref, ffi.NULL), first)

    def _merged(self, result: Any, first: Buffer) -> MergeResult:
        return MergeResult(self._buffer(result.keys, first.dtype), self._buffer(result.count, UINT32))


def _word_of(count: Any) -> Any:
    """Returns the buffer whose word is the count."""
    ref = ffi.new("weir_buffer_ref*")
    ref.id, ref.type, ref.capacity, ref.graph = count.id, lib.WEIR_U32, count.word + 1, count.graph
    ref.count.max = count.word + 1
    return ref[0]


class Program:
    """A compiled graph, made by `Graph.compile`. One thread at a time must use it."""

    def __init__(self, context: Context, program: Any) -> None:
        self.context = context
        self._program = program
        self._bound: dict[int, Array] = {}  # by id of the input; the program does not keep the arrays
        self._values: dict[int, int] = {}  # by id of the parameter
        self._executed: dict[int, int] = {}  # `_values` of the latest execution

    def bind(self, buffer: Buffer, array: Array | ArrayLike) -> None:
        """Binds an array to an input of the graph, for the following executions. Arrays of numpy are uploaded.

        Raises
        ------
        TypeError
            The array has another dtype.
        ValueError
            The array is on another context, or a number is not of the dtype.
        InvalidArgumentError
            The array is too small; the message names the input.
        """
        if not isinstance(array, Array):
            from weir._array import array as upload

            array = upload(converted("the array", array, buffer.dtype), context=self.context)
        if array.context is not self.context:
            raise ValueError("the array is on another context than the program")
        if array.dtype != buffer.dtype:
            raise TypeError(f"the array has elements of type {array.dtype}; the buffer has {buffer.dtype}")
        view = lib.weir_buffer_range(array._block._buffer)
        view.size = max(4, -(-array.nbytes // 4) * 4)
        check(lib.weir_program_bind, self._program, buffer._ref, view)
        self._bound[buffer._ref.id] = array

    def set(self, parameter: Count, value: int) -> None:
        """Sets a parameter for the following executions.

        Raises
        ------
        InvalidArgumentError
            The value is greater than the maximum of the parameter.
        """
        check(lib.weir_program_set, self._program, parameter._count, number("value", value))
        self._values[parameter._count.id] = value

    def submit(self) -> None:
        """Submits one execution. Waits only if `frames_in_flight` executions are pending.

        Raises
        ------
        InvalidArgumentError
            An input has no array; the message names it.
        DeviceLostError
            The device was lost.
        """
        with self.context._shared.lock:
            check(lib.weir_program_submit, self._program, ffi.NULL)
            self.context._shared.latest = self._program
        self._executed = dict(self._values)

    def run(self) -> float | None:
        """Submits one execution and waits. Returns the time on the GPU in milliseconds; None if it is not measured."""
        gpu_ms = ffi.new("double*")
        with self.context._shared.lock:
            check(lib.weir_program_run, self._program, gpu_ms)
        self._executed = dict(self._values)
        return None if gpu_ms[0] < 0 else float(gpu_ms[0])

    def record(self, commands: int) -> None:
        """Records one execution into a VkCommandBuffer of the application, outside a render pass.

        It changes the bound compute pipeline, compute descriptor set 0 and the push constants. Bound arrays must exist
        until the execution is complete.
        """
        check(lib.weir_program_record, self._program, ffi.cast("VkCommandBuffer", commands))
        self._executed = dict(self._values)

    def read(self, buffer: Buffer) -> NDArray[Any]:
        """Returns the elements of an output of the latest submitted execution. Waits for the GPU.

        Raises
        ------
        InvalidArgumentError
            The buffer is not an output of the graph.
        """
        count = buffer._ref.count
        used = min(count.max, buffer.capacity)
        if count.kind == lib.WEIR_COUNT_PARAMETER:
            used = min(used, self._executed.get(count.id, count.max))
        elif count.kind == lib.WEIR_COUNT_GPU:
            used = min(used, int(self._download(_word_of(count), UINT32, count.word + 1)[count.word]))
        return self._download(buffer._ref, buffer.dtype, used)

    def _download(self, ref: Any, dtype: numpy.dtype[Any], count: int) -> NDArray[Any]:
        view = ffi.new("weir_buffer_view*")
        check(lib.weir_program_view, self._program, ref, view)
        out = numpy.empty(count, dtype)
        if count:
            with self.context._shared.lock:
                check(lib.weir_download, self.context._context, ffi.cast("void*", out.ctypes.data), out.nbytes, view[0])
        return out

    @property
    def memory(self) -> int:
        """Bytes of device memory that the program holds."""
        return int(lib.weir_program_memory(self._program))

    def plan(self) -> str:
        """Returns the passes, and the barriers with their reasons, as text."""
        return str(ffi.string(lib.weir_program_plan(self._program, lib.WEIR_PLAN_TEXT)).decode())
