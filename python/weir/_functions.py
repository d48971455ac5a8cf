"""Functions on arrays. Each takes numpy arrays and returns numpy arrays, or takes device arrays and returns them."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import ArrayLike

from weir._array import Array, array, empty
from weir._context import Context, capacity
from weir._errors import number
from weir._graph import Buffer, Graph, Segments
from weir._types import UINT32, converted


def _input(x: ArrayLike | Array, most_dimensions: int = 1, context: Context | None = None) -> tuple[Array, bool]:
    """Returns the device array, and True if results are returned as device arrays."""
    on_device = isinstance(x, Array)
    x = x if isinstance(x, Array) else array(x, context=context)
    if context is not None and x.context is not context:
        raise ValueError("the arrays are on different contexts")
    if not 1 <= x.ndim <= most_dimensions:
        raise ValueError(f"the array has {x.ndim} dimensions; at least 1 and at most {most_dimensions} are supported")
    return x, on_device


def _result(x: Array, on_device: bool) -> Any:
    return x if on_device else x.numpy()


def _like(x: Array, shape: int | tuple[int, ...], dtype: Any = None) -> Array:
    return empty(shape, x.dtype if dtype is None else dtype, context=x.context)


def _range(x: Array) -> tuple[Any, int]:
    """Returns the memory, and the bytes to bind: whole words, and at least one."""
    return x._block, max(4, -(-x.nbytes // 4) * 4)


def _row_capacities(x: Array) -> tuple[int, int]:
    rows, length = x.shape
    return capacity(rows, 1), capacity(length, 1)


# Sorts


def _build_sort(graph: Graph, capacities: tuple[int], dtype: Any, descending: bool, keys: bool, values: Any) -> None:
    count = graph.parameter("count", *capacities)
    x = graph.input("keys", dtype, *capacities, count)
    moved = graph.input("values", values, *capacities, count) if values is not None else None
    sorted_keys = graph.input("sorted keys", dtype, *capacities, count) if keys else None
    places = graph.input("sorted values", UINT32 if values is None else values, *capacities, count) \
        if values is not None or not keys else None
    graph.sort(x, moved, want_indices=not keys, omit_keys=not keys, descending=descending, output_keys=sorted_keys,
               output_values=places)


def _build_row_sort(graph: Graph, capacities: tuple[int, int], dtype: Any, descending: bool, keys: bool) -> None:
    rows, length = (graph.parameter(name, most) for name, most in zip(("rows", "length"), capacities))
    most = capacities[0] * capacities[1]
    x = graph.input("keys", dtype, most, most)
    out = graph.input("output", dtype if keys else UINT32, most, most)
    graph.segmented_sort(x, Segments.of_rows(rows, length), want_indices=not keys, local_indices=not keys,
                         omit_keys=not keys, descending=descending, output_keys=out if keys else None,
                         output_values=None if keys else out)


def _sorted(x: ArrayLike | Array, descending: bool, keys: bool) -> Any:
    x, on_device = _input(x, 2)
    out = _like(x, x.shape, None if keys else UINT32)
    if x.size:
        if x.ndim == 1:
            sort = x.context._operation(_build_sort, x.shape, (capacity(x.size),), x.dtype, descending, keys, None)
        else:
            sort = x.context._operation(_build_row_sort, x.shape, _row_capacities(x), x.dtype, descending, keys)
        sort.run(x.shape, (_range(x), _range(out)))
    return _result(out, on_device)


def sort(x: ArrayLike | Array, *, descending: bool = False) -> Any:
    """Returns the sorted elements; of a matrix, each row sorted.

    The sort is stable. Floats sort in IEEE 754 total order: negative NaNs, -inf, ..., -0.0, 0.0, ..., inf, NaNs.

    Parameters
    ----------
    x : array_like or Array, shape (n,) or (rows, n)
        Numbers of 8 to 64 bits; of a matrix, 32 or 64 bits.
    descending : bool
        Largest element first.

    Returns
    -------
    ndarray or Array, the shape and dtype of `x`

    Raises
    ------
    TypeError
        The dtype is not supported.
    InvalidArgumentError
        The dtype is not supported for a matrix.

    Examples
    --------
    >>> weir.sort([3, 1, 2])
    array([1, 2, 3])
    >>> weir.sort([[3, 1, 2], [6, 5, 4]], descending=True)
    array([[3, 2, 1],
           [6, 5, 4]])
    """
    return _sorted(x, bool(descending), True)


def argsort(x: ArrayLike | Array, *, descending: bool = False) -> Any:
    """Returns the indices that sort the elements; of a matrix, each row. Equal elements keep their order.

    Parameters
    ----------
    x : array_like or Array, shape (n,) or (rows, n)
        As for `sort`.
    descending : bool
        Largest element first. Equal elements keep their order.

    Returns
    -------
    ndarray or Array of uint32, the shape of `x`

    Raises
    ------
    TypeError, InvalidArgumentError
        As for `sort`.

    Examples
    --------
    >>> weir.argsort([3, 1, 2])
    array([1, 2, 0], dtype=uint32)
    """
    return _sorted(x, bool(descending), False)


def sort_by_key(keys: ArrayLike | Array, values: ArrayLike | Array, *, descending: bool = False) -> tuple[Any, Any]:
    """Returns the sorted keys, and the values in the order of their keys. Values of equal keys keep their order.

    Parameters
    ----------
    keys : array_like or Array, shape (n,)
        Numbers of 8 to 64 bits.
    values : array_like or Array, shape (n,)
        Numbers of 32 or 64 bits.
    descending : bool
        Largest key first.

    Returns
    -------
    keys, values : ndarray or Array
        Device arrays if `keys` is one.

    Raises
    ------
    ValueError
        The numbers of keys and values differ.

    Examples
    --------
    >>> weir.sort_by_key([3, 1, 2], [30, 10, 20])
    (array([1, 2, 3]), array([10, 20, 30]))
    """
    keys, on_device = _input(keys)
    values, _ = _input(values, context=keys.context)
    if values.shape != keys.shape:
        raise ValueError(f"there are {keys.size} keys and {values.size} values")
    out, moved = _like(keys, keys.shape), _like(values, values.shape)
    if keys.size:
        sort = keys.context._operation(_build_sort, keys.shape, (capacity(keys.size),), keys.dtype, bool(descending),
                                       True, values.dtype)
        sort.run(keys.shape, (_range(keys), _range(values), _range(out), _range(moved)))
    return _result(out, on_device), _result(moved, on_device)


def _build_segmented_sort(graph: Graph, capacities: tuple[int, int], dtype: Any, descending: bool,
                          indices: bool) -> None:
    most, most_segments = capacities
    count, segments = graph.parameter("count", most), graph.parameter("segments", most_segments)
    x = graph.input("keys", dtype, most, count)
    offsets = graph.input("offsets", UINT32, most_segments + 1, most_segments + 1)
    out = graph.input("sorted keys", dtype, most, count)
    places = graph.input("indices", UINT32, most, count) if indices else None
    graph.segmented_sort(x, Segments.between(offsets, segments), want_indices=indices, descending=descending,
                         output_keys=out, output_values=places)


def segmented_sort(x: ArrayLike | Array, offsets: ArrayLike | Array, *, descending: bool = False,
                   return_indices: bool = False) -> Any:
    """Returns the elements with each segment sorted. The sort is stable.

    Segment s has the elements [offsets[s], offsets[s + 1]). Segments may be empty. Results for elements in no segment,
    before the first and from the last offset on, are undefined.

    Parameters
    ----------
    x : array_like or Array, shape (n,)
        Numbers of 32 or 64 bits.
    offsets : array_like or Array of uint32, shape (segments + 1,)
        Ascending. An offset greater than n counts as n.
    descending : bool
        Largest element first.
    return_indices : bool
        Also return the index in `x` of each element.

    Returns
    -------
    ndarray or Array, or a tuple of two
        Device arrays if `x` is one.

    Raises
    ------
    ValueError
        There are no offsets, or offsets in host memory do not ascend.
    TypeError
        Offsets in device memory are not of uint32.
    InvalidArgumentError
        The dtype is not supported.

    Examples
    --------
    >>> weir.segmented_sort([3, 1, 2, 9, 8], [0, 3, 3, 5])
    array([1, 2, 3, 8, 9])
    """
    x, on_device = _input(x)
    if not isinstance(offsets, Array):
        offsets = converted("offsets", offsets, UINT32)
        if offsets.ndim == 1 and (offsets[1:] < offsets[:-1]).any():
            raise ValueError("offsets do not ascend")
    offsets, _ = _input(offsets, context=x.context)
    if offsets.size == 0:
        raise ValueError("there are no offsets; there must be one more than segments")
    if offsets.dtype != UINT32:
        raise TypeError(f"offsets have elements of type {offsets.dtype}; they must have uint32")
    out = _like(x, x.shape)
    indices = _like(x, x.shape, UINT32) if return_indices else None
    segments = offsets.size - 1
    if x.size and segments:
        classes = capacity(x.size), capacity(segments)
        sort = x.context._operation(_build_segmented_sort, (x.size, segments), classes, x.dtype, bool(descending),
                                    bool(return_indices))
        ranges = (_range(x), _range(offsets), _range(out))
        sort.run((x.size, segments), ranges if indices is None else (*ranges, _range(indices)))
    return _result(out, on_device) if indices is None else (_result(out, on_device), _result(indices, on_device))


def _build_top_k(graph: Graph, capacities: tuple[int, int], dtype: Any, largest: bool) -> None:
    most, most_k = capacities
    count, k = graph.parameter("count", most), graph.parameter("k", most_k)
    x = graph.input("keys", dtype, most, count)
    out = graph.input("values", dtype, most_k, k)
    indices = graph.input("indices", UINT32, most_k, k)
    graph.top_k(x, k, descending=largest, output_keys=out, output_indices=indices)


def _build_row_top_k(graph: Graph, capacities: tuple[int, int, int], dtype: Any, largest: bool) -> None:
    most_rows, most, most_k = capacities
    rows, length, k = graph.parameter("rows", most_rows), graph.parameter("length", most), graph.parameter("k", most_k)
    x = graph.input("keys", dtype, most_rows * most, most_rows * most)
    out = graph.input("values", dtype, most_rows * most_k, most_rows * most_k)
    indices = graph.input("indices", UINT32, most_rows * most_k, most_rows * most_k)
    graph.segmented_top_k(x, Segments.of_rows(rows, length), k, descending=largest, want_indices=True,
                          local_indices=True, output_keys=out, output_indices=indices)


def top_k(x: ArrayLike | Array, k: int, *, largest: bool = True) -> tuple[Any, Any]:
    """Returns the k largest elements, largest first, and their indices; of a matrix, those of each row.

    Parameters
    ----------
    x : array_like or Array, shape (n,) or (rows, n)
        Numbers of 32 or 64 bits. Floats are in IEEE 754 total order.
    k : int
        From 1 to n.
    largest : bool
        False: the k smallest elements, smallest first.

    Returns
    -------
    values : ndarray or Array, shape (k,) or (rows, k)
    indices : ndarray or Array of uint32, the same shape
        The first of equal elements are chosen.

    Raises
    ------
    ValueError
        `k` is less than 1 or greater than n.
    InvalidArgumentError
        The dtype is not supported.

    Examples
    --------
    >>> weir.top_k([5, 9, 2, 9], 3)
    (array([9, 9, 5]), array([1, 3, 0], dtype=uint32))
    """
    x, on_device = _input(x, 2)
    n = x.shape[-1]
    k = number("k", k)
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}; it must be from 1 to {n}")
    shape = (*x.shape[:-1], k)
    values, indices = _like(x, shape), _like(x, shape, UINT32)
    if x.size:
        counts = (*x.shape, k)
        classes = (capacity(n),) if x.ndim == 1 else _row_capacities(x)
        build: Any = _build_top_k if x.ndim == 1 else _build_row_top_k
        choose = x.context._operation(build, counts, (*classes, capacity(k, 1)), x.dtype, bool(largest))
        choose.run(counts, (_range(x), _range(values), _range(indices)))
    return _result(values, on_device), _result(indices, on_device)


# Scans


def _build_cumsum(graph: Graph, capacities: tuple[int], dtype: Any, exclusive: bool) -> None:
    count = graph.parameter("count", *capacities)
    x = graph.input("elements", dtype, *capacities, count)
    graph.scan(x, exclusive=exclusive, output=graph.input("sums", dtype, *capacities, count))


def _build_row_cumsum(graph: Graph, capacities: tuple[int, int], dtype: Any, exclusive: bool) -> None:
    most, most_length = capacities
    count, length = graph.parameter("count", most), graph.parameter("length", most_length)
    x = graph.input("elements", dtype, most, count)
    graph.scan(x, exclusive=exclusive, segments=Segments.of_length(length),
               output=graph.input("sums", dtype, most, count))


def cumsum(x: ArrayLike | Array, *, exclusive: bool = False) -> Any:
    """Returns the sums of all elements up to each one; of a matrix, along each row.

    The sums have the dtype of the elements: integers wrap, unlike those of numpy, which adds 8- to 32-bit integers in
    64 bits. Sums of floats are rounded in another order than those of numpy, the same in each call.

    Parameters
    ----------
    x : array_like or Array, shape (n,) or (rows, n)
        Numbers of 32 or 64 bits. float64 needs a device with `has_float64`.
    exclusive : bool
        Each sum excludes its own element.

    Returns
    -------
    ndarray or Array, the shape and dtype of `x`

    Raises
    ------
    InvalidArgumentError
        The dtype is not supported.
    UnsupportedError
        The device has no 64-bit floats.

    Examples
    --------
    >>> weir.cumsum(numpy.array([1, 2, 3], dtype="int32"))
    array([1, 3, 6], dtype=int32)
    """
    x, on_device = _input(x, 2)
    out = _like(x, x.shape)
    if x.size:
        build: Any = _build_cumsum if x.ndim == 1 else _build_row_cumsum
        counts = x.shape if x.ndim == 1 else (x.size, x.shape[1])
        scan = x.context._operation(build, counts, tuple(map(capacity, counts)), x.dtype, bool(exclusive))
        scan.run(counts, (_range(x), _range(out)))
    return _result(out, on_device)


# Compaction


def _counted(x: Array, count: Array, dtype: Any = None) -> Array:
    """Returns an array with the capacity of `x`, whose number of elements is the word `count`."""
    out = _like(x, x.size, dtype)
    out._shape, out._count = None, count
    return out


def _build_select(graph: Graph, capacities: tuple[int], dtype: Any, bits: bool, indices: bool) -> None:
    (most,) = capacities
    count = graph.parameter("count", most)
    x = graph.input("elements", dtype, most, count)
    mask = graph.input("mask", UINT32, -(-most // 32) if bits else most, -(-most // 32) if bits else count)
    total = graph.input("number", UINT32, 1)
    out = graph.input("selected elements", dtype, most, count)
    places = graph.input("indices", UINT32, most, count) if indices else None
    select = graph.select_by_bits if bits else graph.select_flagged
    select(x, mask, output=out, output_indices=places, output_count=total)


def select(x: ArrayLike | Array, mask: ArrayLike | Array, *, return_indices: bool = False) -> Any:
    """Returns the elements whose mask is true, in their order, like `x[mask]` of numpy.

    Parameters
    ----------
    x : array_like or Array, shape (n,)
        Numbers of 32 or 64 bits.
    mask : array_like of bool, or Array of uint32, shape (n,)
        Element i is selected if mask[i] is not 0.
    return_indices : bool
        Also return the index in `x` of each selected element.

    Returns
    -------
    ndarray or Array, or a tuple of two
        Device arrays if `x` is one; their number of elements is known on the GPU only until `shape` is read.

    Raises
    ------
    ValueError
        The mask has another number of elements, or not one dimension.
    TypeError
        A mask in device memory is not of uint32.

    Examples
    --------
    >>> weir.select([3, 1, 2], [True, False, True])
    array([3, 2])
    """
    x, on_device = _input(x)
    marks: Any = mask if isinstance(mask, Array) else numpy.asarray(mask, bool)
    if marks.ndim != 1:
        raise ValueError(f"the mask has {marks.ndim} dimensions; it must have 1")
    size = marks.size
    if size != x.size:
        raise ValueError(f"there are {x.size} elements and a mask of {size}")
    bits = not isinstance(mask, Array)
    if isinstance(mask, Array):
        if mask.dtype != UINT32:
            raise TypeError(f"the mask has elements of type {mask.dtype}; it must have uint32")
        flags, _ = _input(mask, context=x.context)
    else:
        packed = numpy.packbits(marks, bitorder="little")
        words = numpy.zeros(-(-size // 32) * 4, numpy.uint8)
        words[:packed.size] = packed
        flags = array(words.view(numpy.uint32), context=x.context)
    if not x.size:
        nothing = _result(_like(x, 0), on_device)
        return (nothing, _result(_like(x, 0, UINT32), on_device)) if return_indices else nothing
    total = _like(x, 1, UINT32)
    out, indices = _counted(x, total), _counted(x, total, UINT32)
    ranges = [_range(x), _range(flags), _range(total), (out._block, _range(x)[1])]
    if return_indices:
        ranges.append((indices._block, 4 * x.size))
    operation = x.context._operation(_build_select, x.shape, (capacity(x.size),), x.dtype, bits, bool(return_indices))
    operation.run(x.shape, ranges)
    return (_result(out, on_device), _result(indices, on_device)) if return_indices else _result(out, on_device)


def _build_runs(graph: Graph, capacities: tuple[int], dtype: Any, sorts: bool, lengths: bool) -> None:
    (most,) = capacities
    count = graph.parameter("count", most)
    x = graph.input("elements", dtype, most, count)
    total = graph.input("number", UINT32, 1)
    values = graph.input("values", dtype, most, count)
    runs: Buffer | None = x
    if sorts:
        runs = graph.sort(x).keys
    assert runs is not None
    if lengths:
        graph.run_length_encode(runs, output_values=values, output_count=total,
                                output_lengths=graph.input("lengths", UINT32, most, count))
    else:
        graph.unique(runs, output=values, output_count=total)


def _runs(x: ArrayLike | Array, sorts: bool, lengths: bool) -> Any:
    x, on_device = _input(x)
    if not x.size:
        nothing = _result(_like(x, 0), on_device)
        return (nothing, _result(_like(x, 0, UINT32), on_device)) if lengths else nothing
    total = _like(x, 1, UINT32)
    values, counts = _counted(x, total), _counted(x, total, UINT32)
    ranges = [_range(x), _range(total), (values._block, _range(x)[1])]
    if lengths:
        ranges.append((counts._block, 4 * x.size))
    x.context._operation(_build_runs, x.shape, (capacity(x.size),), x.dtype, sorts, lengths).run(x.shape, ranges)
    return (_result(values, on_device), _result(counts, on_device)) if lengths else _result(values, on_device)


def unique(x: ArrayLike | Array, *, return_counts: bool = False) -> Any:
    """Returns the different elements, sorted as by `sort`.

    Elements are equal if their bits are. Therefore -0.0 and 0.0 are different, and each kind of NaN is one element.

    Parameters
    ----------
    x : array_like or Array, shape (n,)
        Numbers of 32 or 64 bits.
    return_counts : bool
        Also return how often each element occurs, as uint32.

    Returns
    -------
    ndarray or Array, or a tuple of two
        Device arrays if `x` is one; their number of elements is known on the GPU only until `shape` is read.

    Raises
    ------
    InvalidArgumentError
        The dtype is not supported.

    Examples
    --------
    >>> weir.unique([3, 1, 3, 2], return_counts=True)
    (array([1, 2, 3]), array([1, 1, 2], dtype=uint32))
    """
    return _runs(x, True, bool(return_counts))


def run_length_encode(x: ArrayLike | Array) -> tuple[Any, Any]:
    """Returns the element and the length of each run of equal neighbors. Elements are equal if their bits are.

    Parameters
    ----------
    x : array_like or Array, shape (n,)
        Numbers of 32 or 64 bits.

    Returns
    -------
    values, lengths : ndarray or Array
        The lengths are uint32. Device arrays if `x` is one; their number of elements is known on the GPU only until
        `shape` is read.

    Raises
    ------
    InvalidArgumentError
        The dtype is not supported.

    Examples
    --------
    >>> weir.run_length_encode([7, 7, 7, 5, 7])
    (array([7, 5, 7]), array([3, 1, 1], dtype=uint32))
    """
    values, lengths = _runs(x, False, True)
    return values, lengths


def _build_histogram(graph: Graph, capacities: tuple[int], dtype: Any, bins: int, lower: Any, upper: Any) -> None:
    count = graph.parameter("count", *capacities)
    x = graph.input("elements", dtype, *capacities, count)
    if lower is None:
        edges = graph.input("edges", dtype, bins + 1)
        graph.histogram(x, edges=edges, output=graph.input("counts", UINT32, bins))
    else:
        graph.histogram(x, bins=bins, lower=lower, upper=upper, output=graph.input("counts", UINT32, bins))


def histogram(x: ArrayLike | Array, bins: int | ArrayLike | Array,
              range: tuple[Any, Any] | None = None) -> Any:  # noqa: A002 (the name in numpy)
    """Returns the number of elements in each bin.

    Bins are half open: an element equal to the last edge is in no bin, unlike in numpy. Floats are in IEEE 754 total
    order.

    Parameters
    ----------
    x : array_like or Array, shape (n,)
        Numbers of 32 bits.
    bins : int, or array_like or Array of edges, shape (bins + 1,)
        Number of bins of equal width in `range`; or ascending edges.
    range : (lower, upper), optional
        Bounds; required if `bins` is an int. Each pair of bounds compiles a program.

    Returns
    -------
    ndarray or Array of uint32, shape (bins,)

    Raises
    ------
    ValueError
        There are no bins, `range` is missing, or `range` is set for edges. Edges in host memory do not ascend, or an
        edge or bound is not of the dtype.
    TypeError
        Edges in device memory have another dtype than `x`.
    InvalidArgumentError
        The dtype is not supported.

    Examples
    --------
    >>> numbers = numpy.array([1, 5, 5, 9], dtype="int32")
    >>> weir.histogram(numbers, 2, (0, 10))
    array([1, 3], dtype=uint32)
    >>> weir.histogram(numbers, [0, 5, 6])
    array([1, 2], dtype=uint32)
    """
    x, on_device = _input(x)
    is_even = isinstance(bins, (int, numpy.integer))
    if is_even != (range is not None):
        raise ValueError("range is required for a number of bins" if is_even else "range is set, but bins are edges")
    edges: Any = None
    if not is_even:
        edges = converted("bins", bins, x.dtype) if not isinstance(bins, Array) else bins
        if isinstance(edges, numpy.ndarray) and edges.ndim == 1 and (edges[1:] < edges[:-1]).any():
            raise ValueError("the edges in bins do not ascend")
        edges, _ = _input(edges, context=x.context)
        if edges.dtype != x.dtype:
            raise TypeError(f"the edges have elements of type {edges.dtype}; those of x are of type {x.dtype}")
    count = int(bins) if is_even else edges.size - 1  # type: ignore[arg-type]
    if count < 1:
        raise ValueError(f"there are {count} bins; at least 1 is required")
    if not x.size:
        nothing = numpy.zeros(count, numpy.uint32)
        return array(nothing, context=x.context) if on_device else nothing
    out = _like(x, count, UINT32)
    lower, upper = range if range is not None else (None, None)
    operation = x.context._operation(_build_histogram, x.shape, (capacity(x.size),), x.dtype, count, lower, upper)
    operation.run(x.shape, (_range(x), _range(out)) if edges is None else (_range(x), _range(edges), _range(out)))
    return _result(out, on_device)
