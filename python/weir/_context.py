"""Devices, and the memory and cached programs of a device."""

from __future__ import annotations

import atexit
import collections
import dataclasses
import sys
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Hashable, Sequence

from weir._errors import LimitExceededError, OutOfMemoryError, check, failure, number
from weir._native import ffi, lib

if TYPE_CHECKING:
    from weir._graph import Graph

_MAX_OPERATIONS = 128


@dataclasses.dataclass(frozen=True)
class DeviceInfo:
    """A device of this machine.

    Attributes
    ----------
    index : int
        Value for the parameter `device` of `Context`.
    name, driver : str
        Names that the driver reports.
    unusable : str
        Reason why Weir cannot run on the device; empty if it can.
    """

    index: int
    name: str
    driver: str
    unusable: str


def list_devices() -> list[DeviceInfo]:
    """Returns the Vulkan devices of this machine, including unusable ones.

    Raises
    ------
    NoDeviceError
        There is no Vulkan loader or no driver.

    Examples
    --------
    >>> [device.index for device in weir.list_devices()][0]
    0
    """
    count = ffi.new("uint32_t*")
    check(lib.weir_list_devices, ffi.NULL, count)
    infos = ffi.new("weir_device_info[]", count[0])
    check(lib.weir_list_devices, infos, count)
    return [DeviceInfo(info.index, *(ffi.string(text).decode() for text in (info.name, info.driver, info.unusable)))
            for info in infos[0:count[0]]]


def _rounded(size: int) -> int:
    """Returns the bytes of the block for `size` bytes: at least 256, and above that at most a quarter larger.

    Arrays of about the same size have blocks of one size, so a freed block can be used again.
    """
    step = max(256, 1 << max(0, size.bit_length() - 3))
    return -(-max(size, 1) // step) * step


def capacity(count: int, least: int = 1024) -> int:
    """Returns the capacity of programs for `count` elements.

    It is `least`, or at most twice as large as `count`, or above 2^20 at most a quarter larger.
    """
    if count <= least:
        return least
    if count <= 1 << 20:
        return 1 << (count - 1).bit_length()
    step = 1 << (count.bit_length() - 3)
    return int(min(-(-count // step) * step, 2**32 - 1))


class Block:
    """Device memory that returns to the context when it is no longer referenced."""

    __slots__ = ("view", "_buffer", "_free", "_context")

    def __init__(self, context: Context, buffer: Any, view: Any, free: list[Any]) -> None:
        self.view = view  # the whole buffer; Operation.run shortens it to the bound bytes
        self._buffer = buffer
        self._free = free
        self._context = context  # trims its blocks when the last one has returned

    def __del__(self) -> None:
        self._free.append((self._buffer, self.view))


class Operation:
    """A compiled program of a function on arrays. Each run binds its own buffers and sets its own numbers."""

    def __init__(self, context: Context, graph: Graph) -> None:
        self._context = context._shared
        self._program = graph._compile(frames_in_flight=16)
        self._parameters = [count._count for count in graph._parameters]
        self._imports = [buffer._ref for buffer in graph._inputs]
        self._error = ffi.new("weir_error*")

    def run(self, numbers: Sequence[int], ranges: Sequence[tuple[Block, int]]) -> None:
        """Submits the program. `ranges` are the blocks to bind, with the bytes of each."""
        program, error, shared = self._program, self._error, self._context
        with shared.lock:
            for parameter, value in zip(self._parameters, numbers):
                if lib.weir_program_set(program, parameter, value, error):
                    raise failure(error)
            for imported, (block, size) in zip(self._imports, ranges):
                view = block.view
                view.size = size
                if lib.weir_program_bind(program, imported, view[0], error):
                    raise failure(error)
            if lib.weir_program_submit(program, ffi.NULL, error):
                raise failure(error)
            shared.latest = program


class _Shared:
    """State of a context that its programs use."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # programs, and the order of submissions
        self.latest: Any = None        # program of the latest submission


class Context:
    """A device to compute on. All methods are thread-safe.

    Work is submitted to one queue and runs in that order. Functions on device arrays return before the GPU is done.

    Parameters
    ----------
    device : str or int, optional
        Index, part of a name, or kind ("discrete", "cpu"). Default: the environment variable WEIR_DEVICE, or the best
        device.
    validation : bool
        Load the Khronos validation layer with synchronization checks.
    cache_directory : str, optional
        Folder for compiled pipelines. Default: a folder of the user. "none": nothing is kept.
    memory_limit : int
        Maximum bytes of device memory. 0: no maximum.

    Raises
    ------
    NoDeviceError
        No device exists or none matches `device`.
    UnsupportedError
        The device lacks a feature, or the validation layer is missing.

    Examples
    --------
    >>> gpu = weir.Context()
    >>> weir.array([3, 1, 2], context=gpu).size
    3
    """

    def __init__(self, device: str | int | None = None, *, validation: bool = False, cache_directory: str | None = None,
                 memory_limit: int = 0) -> None:
        options = ffi.new("weir_context_options*")
        options.size = ffi.sizeof("weir_context_options")
        texts = [_text(None if device is None else str(device)), _text(cache_directory)]
        options.device, options.cache_directory = texts
        options.validation = validation
        options.memory_limit = number("memory_limit", memory_limit, 2**64 - 1)
        options.no_glsl = True
        created = ffi.new("weir_context**")
        check(lib.weir_context_create, options, created)
        self._own(created[0])

    @classmethod
    def adopt(cls, *, get_instance_proc_addr: int, instance: int, physical_device: int, device: int, queue: int = 0,
              queue_family: int = 0, api_version: int = 0, enabled_features: int = 0) -> Context:
        """Creates a context on a device of the application, which must outlive the context and its arrays.

        Parameters
        ----------
        get_instance_proc_addr, instance, physical_device, device : int
            Address of vkGetInstanceProcAddr, and Vulkan handles.
        queue : int
            A queue with compute. 0: programs can only be recorded; there are no arrays.
        queue_family : int
            Family of `queue` and of the command buffers of `Program.record`.
        api_version : int
            VkApplicationInfo::apiVersion of the instance. 0: Vulkan 1.3.
        enabled_features : int
            Address of the VkPhysicalDeviceFeatures2 with which the device was created. 0: no features.

        Raises
        ------
        InvalidArgumentError
            A handle is null.
        UnsupportedError
            The device lacks a feature; the message names it.
        """
        adopted = ffi.new("weir_adopted_device*")
        adopted.size = ffi.sizeof("weir_adopted_device")
        adopted.get_instance_proc_addr = ffi.cast("PFN_vkGetInstanceProcAddr", get_instance_proc_addr)
        adopted.instance = ffi.cast("VkInstance", instance)
        adopted.physical_device = ffi.cast("VkPhysicalDevice", physical_device)
        adopted.device = ffi.cast("VkDevice", device)
        adopted.queue = ffi.cast("VkQueue", queue)
        adopted.queue_family = number("queue_family", queue_family)
        adopted.api_version = number("api_version", api_version)
        adopted.enabled_features = ffi.cast("VkPhysicalDeviceFeatures2*", enabled_features)
        adopted.no_glsl = True
        created = ffi.new("weir_context**")
        check(lib.weir_context_adopt, adopted, created)
        context = cls.__new__(cls)
        context._own(created[0])
        return context

    def _own(self, context: Any) -> None:
        self._context = ffi.gc(context, lib.weir_context_destroy)
        self._shared = _Shared()
        self._free: dict[int, list[Any]] = collections.defaultdict(list)  # by size of the block
        self._operations: collections.OrderedDict[Hashable, Operation] = collections.OrderedDict()
        properties = ffi.new("weir_device_properties*")
        properties.size = ffi.sizeof("weir_device_properties")
        check(lib.weir_context_properties, self._context, properties)
        self._properties = properties
        _contexts.add(self)

    def __del__(self) -> None:
        if hasattr(self, "_operations") and not sys.is_finalizing():
            self.trim()

    @property
    def name(self) -> str:
        """Name of the device, as the driver reports it."""
        return str(ffi.string(self._properties.name).decode())

    @property
    def driver(self) -> str:
        """Name, information and version of the driver."""
        return str(ffi.string(self._properties.driver).decode())

    @property
    def subgroup_size(self) -> int:
        """Invocations of a subgroup, the driver's default."""
        return int(self._properties.subgroup_size)

    @property
    def has_float64(self) -> bool:
        """True if the device has 64-bit floats, which sums of float64 need."""
        return bool(self._properties.float64)

    @property
    def memory_in_use(self) -> int:
        """Bytes of device memory that arrays, freed blocks and programs hold."""
        return int(lib.weir_context_memory(self._context))

    def wait(self) -> None:
        """Waits until all submitted work is complete.

        Raises
        ------
        DeviceLostError
            The device was lost.
        """
        with self._shared.lock:
            if self._shared.latest is not None:
                check(lib.weir_program_wait, self._shared.latest)
                self._shared.latest = None

    def trim(self) -> None:
        """Waits, and frees the memory of freed arrays and of cached programs."""
        with self._shared.lock:
            self.wait()
            self._operations.clear()
            for blocks in list(self._free.values()):
                while blocks:
                    lib.weir_buffer_destroy(blocks.pop()[0])

    def _allocate(self, size: int) -> Block:
        """Returns memory for `size` bytes. Submitted work may still use a freed block; later work waits for it."""
        size = _rounded(size)
        free = self._free[size]
        try:
            buffer, view = free.pop()
        except IndexError:
            created = ffi.new("weir_buffer**")
            try:
                check(lib.weir_buffer_create, self._context, size, lib.WEIR_MEMORY_DEVICE, created)
            except OutOfMemoryError:
                self.trim()
                check(lib.weir_buffer_create, self._context, size, lib.WEIR_MEMORY_DEVICE, created)
            buffer, view = created[0], ffi.new("weir_buffer_view*", lib.weir_buffer_range(created[0]))
        return Block(self, buffer, view, free)

    def _operation(self, build: Callable[..., None], counts: tuple[int, ...], classes: tuple[int, ...],
                   *key: Hashable) -> Operation:
        """Returns the cached program for the capacities `classes`, or builds it by `build(graph, capacities, *key)`.

        If a limit does not allow these capacities, the program has the capacities `counts`.
        """
        operations = self._operations
        with self._shared.lock:
            for capacities in (classes, counts):
                operation = operations.get((build, capacities, key))
                if operation is not None:
                    operations.move_to_end((build, capacities, key))
                    return operation
            from weir._graph import Graph

            capacities = classes
            while operation is None:
                graph = Graph(self)
                build(graph, capacities, *key)
                try:
                    operation = Operation(self, graph)
                except (LimitExceededError, OutOfMemoryError):
                    if capacities == counts:
                        raise
                    self.trim()
                    capacities = counts
            operations[build, capacities, key] = operation
            if len(operations) > _MAX_OPERATIONS:
                operations.popitem(last=False)
            return operation


_contexts: weakref.WeakSet[Context] = weakref.WeakSet()


@atexit.register
def _trim_all() -> None:
    for context in list(_contexts):
        context.trim()


def _text(text: str | None) -> Any:
    return ffi.NULL if text is None else ffi.new("char[]", text.encode())


def enable_features(get_instance_proc_addr: int, instance: int, physical_device: int, chain: int,
                    api_version: int = 0) -> None:
    """Enables the features that Weir can use, in the structures with which the application creates its device.

    Parameters
    ----------
    get_instance_proc_addr, instance, physical_device : int
        As for `Context.adopt`.
    chain : int
        Address of a VkPhysicalDeviceFeatures2 and the structures of its chain, which are changed.
    api_version : int
        VkApplicationInfo::apiVersion of the instance. 0: Vulkan 1.3.

    Raises
    ------
    UnsupportedError
        Weir cannot run on the device; the message gives the reason.
    """
    check(lib.weir_enable_features, ffi.cast("PFN_vkGetInstanceProcAddr", get_instance_proc_addr),
          ffi.cast("VkInstance", instance), number("api_version", api_version),
          ffi.cast("VkPhysicalDevice", physical_device), ffi.cast("VkPhysicalDeviceFeatures2*", chain))


_default: Context | None = None
_default_lock = threading.Lock()


def default_context() -> Context:
    """Returns the context of functions that get no device array. It is created by the first call.

    Raises
    ------
    NoDeviceError
        No device exists.
    """
    global _default
    with _default_lock:
        if _default is None:
            _default = Context()
        return _default


def set_default_context(context: Context | None) -> None:
    """Sets the context of functions that get no device array. None: a new one is created when it is needed."""
    global _default
    with _default_lock:
        _default = context
