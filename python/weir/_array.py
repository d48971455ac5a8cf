"""Arrays in device memory."""

from __future__ import annotations

import math
import operator
from typing import Any, Protocol

import numpy
from numpy.typing import ArrayLike, DTypeLike, NDArray

from weir._context import Block, Context, default_context
from weir._errors import check
from weir._native import ffi, lib
from weir._types import element_type


class Array:
    """A contiguous array of numbers in device memory, made by `array`, `empty` and functions on arrays.

    The number of elements of some results is known on the GPU only, for example those of `unique`. Their `shape` waits
    for the GPU when it is read first.
    """

    __slots__ = ("context", "dtype", "_shape", "_block", "_count")

    def __init__(self, context: Context, dtype: numpy.dtype[Any], shape: tuple[int, ...] | None, block: Block,
                 count: Array | None = None) -> None:
        self.context = context
        self.dtype = dtype
        self._shape = shape
        self._block = block
        self._count = count  # one word; set until the shape is known

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of elements of each dimension, as in numpy."""
        shape, count = self._shape, self._count
        if shape is None and count is not None:
            self._shape = shape = (int(count.numpy()[0]),)
        self._count = None
        return shape if shape is not None else self.shape  # None: another thread has just read it

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return 1 if self._shape is None else len(self._shape)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def vk_buffer(self) -> int:
        """The VkBuffer. The elements begin at offset 0."""
        return int(ffi.cast("uintptr_t", self._block.view.buffer))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"weir.Array(shape={self.shape}, dtype={self.dtype})"

    def reshape(self, *shape: int) -> Array:
        """Returns an array of another shape that shares the memory.

        Raises
        ------
        ValueError
            The shape has a different number of elements, or a negative dimension.

        Examples
        --------
        >>> weir.array([1, 2, 3, 4]).reshape(2, 2).shape
        (2, 2)
        """
        shape = tuple(map(operator.index, shape))
        if math.prod(shape) != self.size or min(shape, default=0) < 0:
            raise ValueError(f"an array of {self.size} elements cannot have the shape {shape}")
        return Array(self.context, self.dtype, shape, self._block)

    def numpy(self) -> NDArray[Any]:
        """Returns the elements in a new numpy array. Waits for the GPU.

        Raises
        ------
        DeviceLostError
            The device was lost.

        Examples
        --------
        >>> weir.array([3, 1, 2]).numpy()
        array([3, 1, 2])
        """
        out = numpy.empty(self.shape, self.dtype)
        if out.size:
            view = lib.weir_buffer_range(self._block._buffer)
            with self.context._shared.lock:
                check(lib.weir_download, self.context._context, ffi.cast("void*", out.ctypes.data), out.nbytes, view)
        return out

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a device array cannot become a numpy array without a copy")
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)

    def __dlpack__(self, *, stream: None = None) -> Any:
        """Returns a DLPack capsule with a copy in host memory (kDLCPU)."""
        return self.numpy().__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # kDLCPU


def empty(shape: int | tuple[int, ...], dtype: DTypeLike = numpy.float32, *, context: Context | None = None) -> Array:
    """Returns a device array with undefined elements.

    Parameters
    ----------
    shape : int or tuple of int
        Number of elements of each dimension.
    dtype : dtype
        int8 to int64, uint8 to uint64, float16, float32 or float64.
    context : Context, optional
        Default: `default_context()`.

    Raises
    ------
    TypeError
        The dtype is not supported, or a dimension is not an integer.
    ValueError
        A dimension is negative.
    OutOfMemoryError, LimitExceededError
        The memory is not available, or too large for a buffer of the device.
    """
    on = default_context() if context is None else context
    shape = tuple(map(operator.index, (shape,) if isinstance(shape, (int, numpy.integer)) else shape))
    if min(shape, default=0) < 0:
        raise ValueError(f"the shape is {shape}; dimensions must be at least 0")
    dtype = element_type(dtype)
    return Array(on, dtype, shape, on._allocate(math.prod(shape) * dtype.itemsize))


def array(x: ArrayLike | Array, dtype: DTypeLike = None, *, context: Context | None = None) -> Array:
    """Returns a device array with a copy of the elements. Waits for the copy.

    Parameters
    ----------
    x : array_like
        Elements, anything that `numpy.asarray` takes.
    dtype : dtype, optional
        Type of the elements. Default: that of `x`.
    context : Context, optional
        Default: `default_context()`.

    Raises
    ------
    TypeError
        The dtype is not supported.
    OutOfMemoryError, LimitExceededError
        The memory is not available, or too large for a buffer of the device.

    Examples
    --------
    >>> weir.array([0.5, 2], dtype="float32")
    weir.Array(shape=(2,), dtype=float32)
    """
    host = numpy.asarray(x, dtype)
    if not host.dtype.isnative:
        host = host.astype(host.dtype.newbyteorder("="))
    out = empty(host.shape, element_type(host.dtype), context=context)
    if host.size:
        host = numpy.ascontiguousarray(host)
        with out.context._shared.lock:
            check(lib.weir_upload, out.context._context, lib.weir_buffer_range(out._block._buffer),
                  ffi.cast("void*", host.ctypes.data), host.nbytes)
    return out


class SupportsDLPack(Protocol):
    """An object with the DLPack protocol, such as a tensor of PyTorch."""

    def __dlpack__(self, *, stream: None = None) -> Any:
        """Returns a capsule."""

    def __dlpack_device__(self) -> tuple[int, int]:
        """Returns the kind and the number of the device."""


def from_dlpack(x: SupportsDLPack, *, context: Context | None = None) -> Array:
    """Returns a device array with a copy of a tensor in host memory.

    Parameters
    ----------
    x : object
        A tensor with `__dlpack__` whose memory the CPU can access (kDLCPU).
    context : Context, optional
        Default: `default_context()`.

    Raises
    ------
    TypeError
        The dtype is not supported.
    RuntimeError, BufferError
        The tensor is not in host memory.

    Examples
    --------
    >>> weir.from_dlpack(numpy.arange(3)).numpy()
    array([0, 1, 2])
    """
    if isinstance(x, Array):
        return array(x.numpy(), context=context)
    return array(numpy.from_dlpack(x), context=context)
