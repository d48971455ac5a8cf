"""Exceptions for the errors of Weir."""

from __future__ import annotations

from typing import Any

from weir._native import ffi


class Error(Exception):
    """An error of Weir. The message names the pass, the resource, the option and the number.

    Attributes
    ----------
    vulkan : int
        VkResult of the Vulkan call that failed; 0 if none failed.
    """

    def __init__(self, message: str, vulkan: int = 0) -> None:
        super().__init__(message)
        self.vulkan = vulkan


class InvalidArgumentError(Error, ValueError):
    """An invalid value was passed."""


class InvalidGraphError(Error, ValueError):
    """A graph cannot be compiled."""


class UnsupportedError(Error):
    """The device or driver lacks a required feature."""


class NoDeviceError(Error):
    """There is no Vulkan loader, no device, or no device that matches the request."""


class OutOfMemoryError(Error, MemoryError):
    """Host or device memory is exhausted."""


class LimitExceededError(Error):
    """A size exceeds a limit of the device."""


class ShaderCompilationError(Error):
    """GLSL does not compile, or no compiler is available."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class DeviceLostError(Error):
    """The device was lost. Its context can no longer be used."""


class VulkanError(Error):
    """Any other failure reported by Vulkan."""


# By weir_result - 1.
_classes = [InvalidArgumentError, InvalidGraphError, UnsupportedError, NoDeviceError, OutOfMemoryError,
            LimitExceededError, ShaderCompilationError, FileError, DeviceLostError, VulkanError]


def failure(error: Any) -> Error:
    """Returns the exception for a filled weir_error."""
    kind: type[Error] = _classes[error.code - 1]
    return kind(ffi.string(error.message).decode(), error.vulkan)


def check(function: Any, *arguments: Any) -> None:
    """Calls a function of C whose last parameter is an error. Raises the error."""
    error = ffi.new("weir_error*")
    if function(*arguments, error):
        raise failure(error)


def number(name: str, value: Any, maximum: int = 2**32 - 1) -> int:
    """Returns `value` as an integer from 0 to `maximum`. Raises TypeError or ValueError, with the name."""
    if not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; it must be an integer")
    index: int = value.__index__()
    if not 0 <= index <= maximum:
        raise ValueError(f"{name} is {index}; it must be from 0 to {maximum}")
    return index
