"""Element types."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from weir._native import lib

_types = {
    "uint32": lib.WEIR_U32, "int32": lib.WEIR_I32, "float32": lib.WEIR_F32,
    "uint64": lib.WEIR_U64, "int64": lib.WEIR_I64, "float64": lib.WEIR_F64,
    "uint8": lib.WEIR_U8, "int8": lib.WEIR_I8, "uint16": lib.WEIR_U16, "int16": lib.WEIR_I16, "float16": lib.WEIR_F16,
}
type_of: dict[numpy.dtype[Any], int] = {numpy.dtype(name): number for name, number in _types.items()}

UINT32: numpy.dtype[Any] = numpy.dtype("uint32")


def converted(name: str, values: ArrayLike, dtype: numpy.dtype[Any]) -> NDArray[Any]:
    """Returns the values as `dtype`. Raises ValueError if that is a type of integers and does not have one of them."""
    given = numpy.asarray(values)
    if given.dtype == dtype or dtype.kind == "f":
        return given.astype(dtype, copy=False)
    with numpy.errstate(invalid="ignore"):
        out = given.astype(dtype)
    limits = numpy.iinfo(dtype)
    wrong = (out != given) | (given < limits.min) | (given > limits.max)
    if wrong.any():
        raise ValueError(f"{name} has {given[wrong].flat[0]!r}, which is not of type {dtype}")
    return out


def element_type(dtype: Any) -> numpy.dtype[Any]:
    """Returns the dtype. Raises TypeError for a dtype that no device buffer can have."""
    checked: numpy.dtype[Any] = numpy.dtype(dtype)
    if checked not in type_of:
        raise TypeError(f"elements are of type {checked}; supported are {', '.join(_types)}")
    return checked
