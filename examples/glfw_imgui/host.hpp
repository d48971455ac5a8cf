#pragma once

// The parts of a program with GLFW and Dear ImGui that do not depend on Weir: a window, a device, and the swapchain
// from the helpers of Dear ImGui's backend. Only the lines between the marks are added for Weir: the features of the
// device.

#include <cstdio>
#include <cstdlib>
#include <vector>

#define GLFW_INCLUDE_VULKAN
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_vulkan.h>
#include <weir/weir.hpp>

/// Ends the program unless `worked`.
inline void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}
inline void require(VkResult status) {
    require(status >= VK_SUCCESS, "a call of Vulkan");
}

class Host {
public:
    explicit Host(std::uint32_t frames_in_flight) : frames_in_flight_(frames_in_flight) {
        open_window();
        choose_device();
        make_device();
        require(glfwCreateWindowSurface(instance, window, nullptr, &view.Surface));
        const VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
        view.SurfaceFormat = ImGui_ImplVulkanH_SelectSurfaceFormat(physical_device, view.Surface, &format, 1,
                                                                   VK_COLOR_SPACE_SRGB_NONLINEAR_KHR);
        view.PresentMode = VK_PRESENT_MODE_FIFO_KHR;
        resize();
        start_imgui();
    }
    ~Host() {
        vkDeviceWaitIdle(device);
        ImGui_ImplVulkan_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
        vkDestroyDescriptorPool(device, descriptors_, nullptr);
        ImGui_ImplVulkanH_DestroyWindow(instance, device, &view, nullptr);
        vkDestroyDevice(device, nullptr);
        vkDestroyInstance(instance, nullptr);
        glfwDestroyWindow(window);
        glfwTerminate();
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    /// Handles input. Returns true while the window stays open.
    [[nodiscard]] bool is_open() const {
        glfwPollEvents();
        return glfwWindowShouldClose(window) == GLFW_FALSE && glfwGetKey(window, GLFW_KEY_ESCAPE) != GLFW_PRESS;
    }

    /// Acquires the image for the next frame, with index `view.FrameIndex`. Returns false if the size of the window has
    /// changed; the frame must then be skipped.
    bool acquire() {
        const VkSemaphore acquired = view.FrameSemaphores[view.SemaphoreIndex].ImageAcquiredSemaphore;
        return succeeded(
            vkAcquireNextImageKHR(device, view.Swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &view.FrameIndex));
    }

    /// Records the draws of Dear ImGui.
    void draw(VkCommandBuffer commands) const {
        VkRenderPassBeginInfo pass{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, nullptr, view.RenderPass};
        pass.framebuffer = view.Frames[view.FrameIndex].Framebuffer;
        pass.renderArea.extent = {static_cast<std::uint32_t>(view.Width), static_cast<std::uint32_t>(view.Height)};
        pass.clearValueCount = 1;
        pass.pClearValues = &view.ClearValue;
        vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
        ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
        vkCmdEndRenderPass(commands);
    }

    /// Submits the frame, which signals the fence `done`, and presents it.
    void submit(VkCommandBuffer commands, VkFence done) {
        const ImGui_ImplVulkanH_FrameSemaphores& semaphores = view.FrameSemaphores[view.SemaphoreIndex];
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
        const VkSubmitInfo info{
            VK_STRUCTURE_TYPE_SUBMIT_INFO,      nullptr, 1, &semaphores.ImageAcquiredSemaphore, &stage, 1, &commands, 1,
            &semaphores.RenderCompleteSemaphore};
        require(vkQueueSubmit(queue, 1, &info, done));
        const VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                       nullptr,
                                       1,
                                       &semaphores.RenderCompleteSemaphore,
                                       1,
                                       &view.Swapchain,
                                       &view.FrameIndex};
        view.SemaphoreIndex = (view.SemaphoreIndex + 1) % view.ImageCount;
        succeeded(vkQueuePresentKHR(queue, &present));
    }

    GLFWwindow* window = nullptr;
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t family = 0;
    ImGui_ImplVulkanH_Window view; ///< contains the swapchain
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    std::vector<const char*> extensions;

private:
    bool succeeded(VkResult shown) {
        if (shown == VK_ERROR_OUT_OF_DATE_KHR || shown == VK_SUBOPTIMAL_KHR) {
            resize();
            return false;
        }
        require(shown);
        return true;
    }

    void resize() {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window, &width, &height);
        while (width == 0 || height == 0) { // minimized
            glfwWaitEvents();
            glfwGetFramebufferSize(window, &width, &height);
        }
        ImGui_ImplVulkanH_CreateOrResizeWindow(instance, physical_device, device, &view, family, nullptr, width, height,
                                               frames_in_flight_);
    }

    void open_window() {
        require(glfwInit() == GLFW_TRUE && glfwVulkanSupported() == GLFW_TRUE, "finding a display and Vulkan");
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        window = glfwCreateWindow(480, 320, "glfw_imgui", nullptr, nullptr);
        require(window != nullptr, "opening a window");
    }

    void choose_device() {
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, nullptr, 0, &application};
        info.ppEnabledExtensionNames = glfwGetRequiredInstanceExtensions(&info.enabledExtensionCount);
        require(vkCreateInstance(&info, nullptr, &instance));
        std::uint32_t count = 1; // the first device
        require(vkEnumeratePhysicalDevices(instance, &count, &physical_device));
        require(count == 1, "finding a device");
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
        constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        while (family < count && ((families[family].queueFlags & needed) != needed ||
                                  glfwGetPhysicalDevicePresentationSupport(instance, physical_device, family) == 0)) {
            ++family;
        }
        require(family < count, "finding a queue that draws to windows");
    }

    void make_device() {
        // [features]
        features.pNext = &vulkan12_;
        vulkan12_.pNext = &vulkan13_;
        const auto requirements = weir::device_requirements(vkGetInstanceProcAddr, instance, physical_device);
        weir::check(weir::enable_features(requirements, features));
        extensions = requirements.recommended_extensions;
        // [/features]
        extensions.push_back(VK_KHR_SWAPCHAIN_EXTENSION_NAME);
        const float priority = 1;
        const VkDeviceQueueCreateInfo queues{
            VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, family, 1, &priority};
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features, 0, 1, &queues};
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        info.ppEnabledExtensionNames = extensions.data();
        require(vkCreateDevice(physical_device, &info, nullptr, &device));
        vkGetDeviceQueue(device, family, 0, &queue);
    }

    void start_imgui() {
        const VkDescriptorPoolSize sets{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
        const VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                              nullptr,
                                              VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                              1,
                                              1,
                                              &sets};
        require(vkCreateDescriptorPool(device, &pool, nullptr, &descriptors_));
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui_ImplGlfw_InitForVulkan(window, true);
        ImGui_ImplVulkan_InitInfo info{instance, physical_device, device, family, queue};
        info.DescriptorPool = descriptors_;
        info.MinImageCount = frames_in_flight_;
        info.ImageCount = view.ImageCount;
        info.CheckVkResultFn = require;
        require(ImGui_ImplVulkan_Init(&info, view.RenderPass), "starting Dear ImGui");
    }

    std::uint32_t frames_in_flight_;
    VkPhysicalDeviceVulkan12Features vulkan12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features vulkan13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
};
