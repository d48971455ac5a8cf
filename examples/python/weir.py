"""Binds the part of Weir that the examples use, by ctypes: structs and functions of <weir.h>, and an exception for errors.

The library is libweir_c.so.1, or the file in the environment variable WEIR_LIBRARY.
"""

import ctypes
import operator
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

U32, I32, F32, U64, I64, F64, U8, I8, U16, I16, F16 = 0, 1, 2, 3, 4, 5, 16, 17, 18, 19, 20
ACCESS_ANY = 0
MEMORY_DEVICE = 0


class WeirError(Exception):
    """An error of Weir, with its message."""


def integer(name, value, c_type=c_uint32):
    """Returns `value` as an integer, or raises an error if it does not fit `c_type`. ctypes would drop the upper bits."""
    try:
        value = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, which is not an integer") from None
    bits = 8 * ctypes.sizeof(c_type)
    least = -(1 << (bits - 1)) if c_type(-1).value < 0 else 0
    greatest = least + (1 << bits) - 1
    if not least <= value <= greatest:
        raise ValueError(f"{name} is {value}; it must be from {least} to {greatest}")
    return value


class Structure(ctypes.Structure):
    """A C struct that rejects unknown members and integers that do not fit. ctypes accepts both silently."""

    def __setattr__(self, name, value):
        c_type = dict(self._fields_).get(name)
        if c_type is None:
            raise TypeError(f"{type(self).__name__} has no member '{name}'; it has {', '.join(dict(self._fields_))}")
        if c_type in (c_int, c_int32, c_uint32, c_uint64, c_size_t):
            value = integer(f"{type(self).__name__}.{name}", value, c_type)
        super().__setattr__(name, value)


class Error(Structure):
    _fields_ = [("code", c_int32), ("vulkan", c_int32), ("message", c_char * 4088)]


class Count(Structure):
    _fields_ = [("kind", c_uint32), ("max", c_uint32), ("id", c_uint32), ("word", c_uint32), ("is_direct", c_uint32),
                ("graph", c_void_p)]


class BufferRef(Structure):
    _fields_ = [("id", c_uint32), ("type", c_uint32), ("capacity", c_uint32), ("graph", c_void_p), ("count", Count)]


class BufferView(Structure):
    _fields_ = [("buffer", c_uint64), ("offset", c_uint64), ("size", c_uint64)]


class Tagged(Structure):
    """A struct that begins with its size. Members without a value are zero."""

    def __init__(self, **members):
        super().__init__(ctypes.sizeof(type(self)), **members)


class ContextOptions(Tagged):
    _fields_ = [("size", c_size_t), ("device", c_char_p), ("validation", c_uint32), ("on_validation", c_void_p),
                ("cache_directory", c_char_p), ("log", c_void_p), ("log_level", c_uint32),
                ("compiler_threads", c_uint32), ("memory_limit", c_uint64), ("shader_file", c_char_p),
                ("user", c_void_p)]


class AdoptedDevice(Tagged):
    _fields_ = [("size", c_size_t), ("get_instance_proc_addr", c_void_p), ("instance", c_void_p),
                ("physical_device", c_void_p), ("device", c_void_p), ("queue", c_void_p), ("queue_family", c_uint32),
                ("api_version", c_uint32), ("lock_queue", c_void_p), ("unlock_queue", c_void_p), ("no_probe", c_uint32),
                ("enabled_features", c_void_p), ("enabled_extensions", POINTER(c_char_p)),
                ("enabled_extension_count", c_uint32), ("pipeline_cache", c_uint64), ("cache_directory", c_char_p),
                ("log", c_void_p), ("log_level", c_uint32), ("compiler_threads", c_uint32), ("memory_limit", c_uint64),
                ("shader_file", c_char_p), ("user", c_void_p)]


class SortOptions(Tagged):
    _fields_ = [("size", c_size_t), ("values", BufferRef), ("want_indices", c_uint32), ("descending", c_uint32),
                ("first_bit", c_uint32), ("end_bit", c_uint32), ("omit_keys", c_uint32), ("output_keys", BufferRef),
                ("output_values", BufferRef), ("longest", c_uint32)]


class SortResult(Structure):
    _fields_ = [("keys", BufferRef), ("values", BufferRef)]


_library = ctypes.CDLL(os.environ.get("WEIR_LIBRARY", "libweir_c.so.1"))


def _call(name, *arguments):
    """Calls a function whose last parameter is an error."""
    error = Error()
    if getattr(_library, name)(*arguments, byref(error)) != 0:
        raise WeirError(error.message.decode())


class _Handle(c_void_p):
    """Owns an object of the C interface and destroys it."""

    destroy = None

    def __del__(self):
        getattr(_library, self.destroy)(self)


class Buffer(_Handle):
    destroy = "weir_buffer_destroy"

    def __init__(self, context, size):
        super().__init__()
        self.context = context  # must outlive the buffer
        _call("weir_buffer_create", context, c_uint64(integer("size", size, c_uint64)), MEMORY_DEVICE, byref(self))


class Context(_Handle):
    destroy = "weir_context_destroy"

    def __init__(self, host=None):
        """Creates a context on a device of its own, or on the device of `host`, an AdoptedDevice."""
        super().__init__()
        if host is None:
            _call("weir_context_create", byref(ContextOptions()), byref(self))
        else:
            _call("weir_context_adopt", byref(host), byref(self))

    def upload(self, data):
        """Returns a buffer with the bytes of an object with the buffer protocol, such as a numpy array."""
        data = memoryview(data).cast("B")
        buffer = Buffer(self, data.nbytes)
        _call("weir_upload", self, _library.weir_buffer_range(buffer), bytes(data), c_size_t(data.nbytes))
        return buffer

    def download(self, view, data):
        """Reads a view into an object with the buffer protocol, such as a numpy array."""
        data = memoryview(data).cast("B")
        _call("weir_download", self, (c_char * data.nbytes).from_buffer(data), c_size_t(data.nbytes), view)


class Graph(_Handle):
    destroy = "weir_graph_destroy"

    def __init__(self, context):
        super().__init__()
        _call("weir_graph_create", context, byref(self))

    def import_buffer(self, name, element_type, capacity):
        return _library.weir_import(self, name.encode(), c_uint32(integer("element_type", element_type)),
                                    c_uint32(integer("capacity", capacity)), ACCESS_ANY)

    def radix_sort(self, keys, **options):
        return _library.weir_radix_sort(self, keys, byref(SortOptions(**options)))

    def scan(self, numbers):
        return _library.weir_scan(self, numbers, None)

    def export(self, buffer):
        _library.weir_export(self, buffer, ACCESS_ANY)


class Program(_Handle):
    destroy = "weir_program_destroy"

    def __init__(self, context, graph):
        super().__init__()
        _call("weir_compile", context, graph, None, byref(self))

    def bind(self, imported, buffer):
        _call("weir_program_bind_buffer", self, imported, buffer)

    def record(self, commands):
        _call("weir_program_record", self, commands)

    def run(self):
        _call("weir_program_run", self, None)

    def view(self, buffer):
        view = BufferView()
        _call("weir_program_view", self, buffer, byref(view))
        return view


def enable_features(get_instance_proc_addr, instance, physical_device, chain, api_version=0):
    _call("weir_enable_features", get_instance_proc_addr, instance, c_uint32(integer("api_version", api_version)),
          physical_device, byref(chain))


for _name, _result in [("weir_buffer_range", BufferView), ("weir_import", BufferRef), ("weir_radix_sort", SortResult),
                       ("weir_scan", BufferRef), ("weir_export", None), ("weir_buffer_destroy", None),
                       ("weir_context_destroy", None), ("weir_graph_destroy", None), ("weir_program_destroy", None),
                       ("weir_version", c_char_p)]:
    getattr(_library, _name).restype = _result


def version():
    return _library.weir_version().decode()
