"""GPU parallel primitives for Vulkan, on numpy arrays and on arrays in device memory.

>>> weir.sort([3, 1, 2])
array([1, 2, 3])

Functions that take numpy arrays copy them to the GPU, wait, and return numpy arrays. Functions that take device arrays
(`weir.array`) return device arrays and do not wait. `Graph` composes primitives into one program.
"""

from weir._array import Array, SupportsDLPack, array, empty, from_dlpack
from weir._context import (Context, DeviceInfo, default_context, enable_features, list_devices,
                           set_default_context)
from weir._errors import (DeviceLostError, Error, FileError, InvalidArgumentError, InvalidGraphError,
                          LimitExceededError, NoDeviceError, OutOfMemoryError, ShaderCompilationError,
                          UnsupportedError, VulkanError)
from weir._functions import (argsort, cumsum, histogram, run_length_encode, segmented_sort, select, sort, sort_by_key,
                             top_k, unique)
from weir._graph import (Buffer, ByKeyResult, Count, ExtremumResult, Graph, MergeResult, Program, RunLengthResult,
                         Segments, SelectResult, SortResult, TopKResult)
from weir._native import ffi as _ffi
from weir._native import lib as _lib

__version__: str = _ffi.string(_lib.weir_version()).decode()

__all__ = [
    "Array", "Buffer", "ByKeyResult", "Context", "Count", "DeviceInfo", "DeviceLostError", "Error", "ExtremumResult",
    "FileError", "Graph", "InvalidArgumentError", "InvalidGraphError", "LimitExceededError", "MergeResult",
    "NoDeviceError", "OutOfMemoryError", "Program", "RunLengthResult", "Segments", "SelectResult",
    "ShaderCompilationError", "SortResult", "SupportsDLPack", "TopKResult", "UnsupportedError", "VulkanError",
    "argsort", "array", "cumsum", "default_context", "empty", "enable_features", "from_dlpack", "histogram",
    "list_devices", "run_length_encode", "segmented_sort", "select", "set_default_context", "sort", "sort_by_key",
    "top_k", "unique",
]
