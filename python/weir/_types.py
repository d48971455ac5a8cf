"""Element types."""

from __future__ import annotations

from typing import Any

import numpy

from weir._native import lib

_types = {
    "uint32": lib.WEIR_U32, "int32": lib.WEIR_I32, "float32": lib.WEIR_F32,
    "uint64": lib.WEIR_U64, "int64": lib.WEIR_I64, "float64": lib.WEIR_F64,
    "uint8": lib.WEIR_U8, "int8": lib.WEIR_I8, "uint16": lib.WEIR_U16, "int16": lib.WEIR_I16, "float16": lib.WEIR_F16,
}
type_of: dict[numpy.dtype[Any], int] = {numpy.dtype(name): number for name, number in _types.items()}

UINT32 = numpy.dtype("uint32")


def element_type(dtype: Any) -> numpy.dtype[Any]:
    """Returns the dtype. Raises TypeError for a dtype that no device buffer can have."""
    checked: numpy.dtype[Any] = numpy.dtype(dtype)
    if checked not in type_of:
        raise TypeError(f"elements are of type {checked}; supported are {', '.join(_types)}")
    return checked
