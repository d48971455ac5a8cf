"""A host that creates a Vulkan device, which Weir adopts, and records a scan into its own command buffer."""

import ctypes
from ctypes import (POINTER, Structure, addressof, byref, c_char_p, c_float, c_int, c_uint32, c_uint64, c_void_p, cast,
                    pointer)

import numpy

import weir

loader = ctypes.CDLL("libvulkan.so.1")


class ApplicationInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("name", c_char_p), ("version", c_uint32), ("engine", c_char_p),
                ("engine_version", c_uint32), ("api_version", c_uint32)]


class InstanceInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("flags", c_uint32), ("application", POINTER(ApplicationInfo)),
                ("layer_count", c_uint32), ("layers", c_void_p), ("extension_count", c_uint32), ("extensions", c_void_p)]


class Features(Structure):  # VkPhysicalDeviceFeatures2, with 55 switches
    _fields_ = [("type", c_int), ("next", c_void_p), ("switches", c_uint32 * 55)]


class Vulkan12Features(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("switches", c_uint32 * 47)]


class Vulkan13Features(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("switches", c_uint32 * 15)]


class QueueInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("flags", c_uint32), ("family", c_uint32), ("count", c_uint32),
                ("priorities", POINTER(c_float))]


class DeviceCreateInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("flags", c_uint32), ("queue_count", c_uint32),
                ("queues", POINTER(QueueInfo)), ("layer_count", c_uint32), ("layers", c_void_p),
                ("extension_count", c_uint32), ("extensions", c_void_p), ("features", c_void_p)]


class QueueFamily(Structure):
    _fields_ = [("flags", c_uint32), ("rest", c_uint32 * 5)]


class PoolInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("flags", c_uint32), ("family", c_uint32)]


class CommandBufferInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("pool", c_uint64), ("level", c_int), ("count", c_uint32)]


class BeginInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("flags", c_uint32), ("inheritance", c_void_p)]


class SubmitInfo(Structure):
    _fields_ = [("type", c_int), ("next", c_void_p), ("wait_count", c_uint32), ("waits", c_void_p),
                ("stages", c_void_p), ("command_count", c_uint32), ("commands", POINTER(c_void_p)),
                ("signal_count", c_uint32), ("signals", c_void_p)]


def vk(name, *arguments):
    result = getattr(loader, name)(*arguments)
    assert result == 0, f"{name} returned {result}"


for name in ["vkGetPhysicalDeviceQueueFamilyProperties", "vkGetDeviceQueue", "vkDestroyDevice", "vkDestroyInstance",
             "vkDestroyCommandPool"]:
    getattr(loader, name).restype = None

# The device. weir.enable_features sets the features that Weir recommends.
application = ApplicationInfo(type=0, api_version=(1 << 22) | (3 << 12))
instance = c_void_p()
vk("vkCreateInstance", byref(InstanceInfo(type=1, application=pointer(application))), None, byref(instance))
physical_device, one = c_void_p(), c_uint32(1)
found = loader.vkEnumeratePhysicalDevices(instance, byref(one), byref(physical_device))
assert found in (0, 5) and one.value == 1, "no Vulkan device found"  # 5: VK_INCOMPLETE
families, count = (QueueFamily * 16)(), c_uint32(16)
loader.vkGetPhysicalDeviceQueueFamilyProperties(physical_device, byref(count), families)
family = next(i for i in range(count.value) if families[i].flags & 2)  # VK_QUEUE_COMPUTE_BIT

# [adopt]
get_instance_proc_addr = cast(loader.vkGetInstanceProcAddr, c_void_p).value
vulkan13 = Vulkan13Features(type=53)
vulkan12 = Vulkan12Features(type=51, next=cast(byref(vulkan13), c_void_p))
features = Features(type=1000059000, next=cast(byref(vulkan12), c_void_p))
weir.enable_features(get_instance_proc_addr, instance.value, physical_device.value, addressof(features))
queues = QueueInfo(type=2, family=family, count=1, priorities=pointer(c_float(1)))
device = c_void_p()
vk("vkCreateDevice", physical_device,
   byref(DeviceCreateInfo(type=3, next=cast(byref(features), c_void_p), queue_count=1, queues=pointer(queues))), None,
   byref(device))
queue = c_void_p()
loader.vkGetDeviceQueue(device, family, 0, byref(queue))
gpu = weir.Context.adopt(get_instance_proc_addr=get_instance_proc_addr, instance=instance.value,
                         physical_device=physical_device.value, device=device.value, queue=queue.value,
                         queue_family=family, enabled_features=addressof(features))
# [/adopt]

graph = weir.Graph(gpu)
source = graph.input("numbers", "uint32", 1000)
sums = graph.scan(source)
graph.output(sums)
program = graph.compile()
program.bind(source, numpy.arange(1000, dtype="uint32"))

# The frame: Weir records, the host submits.
pool, commands = c_uint64(), c_void_p()
vk("vkCreateCommandPool", device, byref(PoolInfo(type=39, family=family)), None, byref(pool))
vk("vkAllocateCommandBuffers", device, byref(CommandBufferInfo(type=40, pool=pool.value, count=1)), byref(commands))
vk("vkBeginCommandBuffer", commands, byref(BeginInfo(type=42)))
program.record(commands.value)
vk("vkEndCommandBuffer", commands)
submission = SubmitInfo(type=4, command_count=1, commands=pointer(commands))
vk("vkQueueSubmit", queue, 1, byref(submission), c_uint64(0))
vk("vkQueueWaitIdle", queue)
assert program.read(sums).tolist() == numpy.cumsum(numpy.arange(1000)).tolist()
print("scanned 1000 numbers on the host's device")

# Objects of the device must be destroyed before it.
del program, graph, source, sums, gpu
loader.vkDestroyCommandPool(device, pool, None)
loader.vkDestroyDevice(device, None)
loader.vkDestroyInstance(instance, None)
