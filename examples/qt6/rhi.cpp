// Weir in a frame of QRhi, the renderer below Qt Quick. In Qt 6.4 its headers are private. This program creates the
// device with the features that Weir recommends, and QRhi imports it. Weir sorts in the command buffer of QRhi's frame,
// without a window.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include <QGuiApplication>
#include <QVulkanFunctions>
#include <QVulkanInstance>
#include <private/qrhi_p.h>
#include <private/qrhivulkan_p.h>
#include <weir/weir.hpp>

namespace {

void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}

} // namespace

int main(int argc, char** argv) {
    const QGuiApplication application(argc, argv);
    QVulkanInstance instance;
    instance.setApiVersion(QVersionNumber(1, 3));
    instance.setExtensions(QRhiVulkanInitParams::preferredInstanceExtensions());
    require(instance.create(), "creating an instance");
    QVulkanFunctions* vk = instance.functions();
    std::uint32_t count = 1; // the first device; with common drivers, its first family draws and computes
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    vk->vkEnumeratePhysicalDevices(instance.vkInstance(), &count, &physical_device);
    require(count == 1, "finding a device");

    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12, {}};
    const auto get_proc =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(instance.getInstanceProcAddr("vkGetInstanceProcAddr"));
    const auto requirements = weir::device_requirements(get_proc, instance.vkInstance(), physical_device);
    weir::check(weir::enable_features(requirements, features));
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features, 0, 1, &queues};
    VkDevice device = VK_NULL_HANDLE;
    require(vk->vkCreateDevice(physical_device, &info, nullptr, &device) == VK_SUCCESS, "creating a device");

    QRhiVulkanInitParams params;
    params.inst = &instance;
    QRhiVulkanNativeHandles handles;
    handles.physDev = physical_device;
    handles.dev = device;
    handles.gfxQueueFamilyIdx = 0;
    instance.deviceFunctions(device)->vkGetDeviceQueue(device, 0, 0, &handles.gfxQueue);
    {
        const std::unique_ptr<QRhi> rhi(QRhi::create(QRhi::Vulkan, &params, {}, &handles));
        require(rhi != nullptr, "importing the device");
        weir::AdoptedDevice adopted;
        adopted.get_instance_proc_addr = get_proc;
        adopted.instance = instance.vkInstance();
        adopted.physical_device = physical_device;
        adopted.device = device;
        adopted.queue = handles.gfxQueue;
        adopted.queue_family = 0;
        adopted.enabled_features = &features;
        const weir::Context gpu = weir::check(weir::Context::adopt(adopted));

        constexpr std::uint32_t keys = 5000;
        weir::Graph graph(gpu);
        auto unsorted = graph.import_buffer<std::uint32_t>("keys", keys);
        auto sorted = weir::radix_sort(graph, unsorted).keys;
        graph.export_buffer(sorted);
        weir::Program program = weir::check(weir::compile(gpu, graph));
        std::vector<std::uint32_t> in(keys);
        std::iota(in.begin(), in.end(), 0U);
        std::reverse(in.begin(), in.end());
        const weir::Buffer memory = weir::check(gpu.create_buffer(keys * 4));
        weir::check(gpu.upload(memory, in));
        weir::check(program.bind(unsorted, memory));

        QRhiCommandBuffer* frame = nullptr;
        require(rhi->beginOffscreenFrame(&frame) == QRhi::FrameOpSuccess, "beginning a frame");
        frame->beginExternal();
        const auto* native = static_cast<const QRhiVulkanCommandBufferNativeHandles*>(frame->nativeHandles());
        weir::check(program.record(native->commandBuffer));
        frame->endExternal();
        require(rhi->endOffscreenFrame() == QRhi::FrameOpSuccess, "ending a frame");
        std::sort(in.begin(), in.end());
        require(weir::check(gpu.download<std::uint32_t>(program.view(sorted), keys)) == in,
                "the sorted keys equal those of the CPU");
        std::printf("frame 0: as on the CPU\n");
    }
    instance.resetDeviceFunctions(device);
    const auto destroy = reinterpret_cast<PFN_vkDestroyDevice>(instance.getInstanceProcAddr("vkDestroyDevice"));
    destroy(device, nullptr);
    return 0;
}
