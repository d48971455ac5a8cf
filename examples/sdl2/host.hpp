#pragma once

// The parts of a program with SDL 2 that do not depend on Weir: a window, a device with dynamic rendering, a swapchain,
// frames in flight, and a pipeline that draws discs. Only the lines between the marks are added for Weir: the features
// of the device.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <SDL2/SDL.h>
#include <SDL2/SDL_vulkan.h>
#include <vulkan/vulkan.h>
#include <weir/weir.hpp>

/// Ends the program unless `worked`.
inline void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s (%s)\n", what, SDL_GetError());
        std::exit(1);
    }
}
inline void require(VkResult status) {
    require(status >= VK_SUCCESS, "a call of Vulkan");
}

class Host {
public:
    static constexpr std::uint32_t in_flight = 2;

    /// Objects that a frame uses while it is pending.
    struct Frame {
        VkCommandPool pool = VK_NULL_HANDLE;
        VkCommandBuffer commands = VK_NULL_HANDLE;
        VkFence done = VK_NULL_HANDLE;
        VkSemaphore acquired = VK_NULL_HANDLE;
    };

    Host() {
        require(SDL_Init(SDL_INIT_VIDEO) == 0, "finding a display");
        window_ = SDL_CreateWindow("sdl2", 0, 0, 480, 320, SDL_WINDOW_VULKAN | SDL_WINDOW_RESIZABLE);
        require(window_ != nullptr, "opening a window");
        choose_device();
        make_device();
        make_frames();
        make_pipeline();
        resize();
    }
    ~Host() {
        vkDeviceWaitIdle(device);
        destroy_images();
        vkDestroySwapchainKHR(device, swapchain_, nullptr);
        vkDestroyPipeline(device, pipeline_, nullptr);
        vkDestroyPipelineLayout(device, layout_, nullptr);
        for (const Frame& frame : frames_) {
            vkDestroySemaphore(device, frame.acquired, nullptr);
            vkDestroyFence(device, frame.done, nullptr);
            vkDestroyCommandPool(device, frame.pool, nullptr);
        }
        vkDestroyDevice(device, nullptr);
        vkDestroySurfaceKHR(instance, surface_, nullptr);
        vkDestroyInstance(instance, nullptr);
        SDL_DestroyWindow(window_);
        SDL_Quit();
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    /// Handles input. Returns true while the window stays open.
    static bool is_open() {
        bool open = true;
        for (SDL_Event event; SDL_PollEvent(&event) != 0;) {
            open = open && event.type != SDL_QUIT && (event.type != SDL_KEYDOWN || event.key.keysym.sym != SDLK_ESCAPE);
        }
        return open;
    }

    /// Waits for the frame `in_flight` frames ago and begins the commands of a frame. Returns null if the size of the
    /// window has changed; the frame must then be skipped.
    const Frame* begin() {
        const Frame& frame = frames_[number_ % in_flight];
        require(vkWaitForFences(device, 1, &frame.done, VK_TRUE, UINT64_MAX));
        const VkResult acquired =
            vkAcquireNextImageKHR(device, swapchain_, UINT64_MAX, frame.acquired, VK_NULL_HANDLE, &image_);
        if (acquired == VK_ERROR_OUT_OF_DATE_KHR) {
            resize();
            return nullptr;
        }
        require(acquired);
        require(vkResetFences(device, 1, &frame.done));
        require(vkResetCommandPool(device, frame.pool, 0));
        const VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        require(vkBeginCommandBuffer(frame.commands, &info));
        return &frame;
    }

    /// Begins rendering to the window, with the pipeline bound.
    void begin_rendering(const Frame& frame) {
        change_layout(frame, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        VkRenderingAttachmentInfo color{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
        color.imageView = images_[image_].view;
        color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
        color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
        VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
        info.renderArea.extent = extent_;
        info.layerCount = 1;
        info.colorAttachmentCount = 1;
        info.pColorAttachments = &color;
        vkCmdBeginRendering(frame.commands, &info);
        const std::array size = {static_cast<float>(extent_.width), static_cast<float>(extent_.height)};
        const VkViewport viewport{0, 0, size[0], size[1], 0, 1};
        vkCmdSetViewport(frame.commands, 0, 1, &viewport);
        vkCmdSetScissor(frame.commands, 0, 1, &info.renderArea);
        vkCmdBindPipeline(frame.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
        vkCmdPushConstants(frame.commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(size), size.data());
    }

    /// Ends rendering, submits the frame and presents it.
    void end(const Frame& frame) {
        vkCmdEndRendering(frame.commands);
        change_layout(frame, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
        require(vkEndCommandBuffer(frame.commands));
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
        const VkSemaphore& drawn = images_[image_].drawn;
        const VkSubmitInfo submit{
            VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 1, &frame.acquired, &stage, 1, &frame.commands, 1, &drawn};
        require(vkQueueSubmit(queue, 1, &submit, frame.done));
        ++number_;
        const VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, nullptr, 1, &drawn, 1, &swapchain_, &image_};
        const VkResult shown = vkQueuePresentKHR(queue, &present);
        if (shown == VK_ERROR_OUT_OF_DATE_KHR || shown == VK_SUBOPTIMAL_KHR) {
            resize();
        } else {
            require(shown);
        }
    }

    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    std::uint32_t family = 0;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    std::vector<const char*> extensions;

private:
    /// An image of the swapchain.
    struct Image {
        VkImage image = VK_NULL_HANDLE;
        VkImageView view = VK_NULL_HANDLE;
        VkSemaphore drawn = VK_NULL_HANDLE;
    };

    void choose_device() {
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, nullptr, 0, &application};
        SDL_Vulkan_GetInstanceExtensions(window_, &info.enabledExtensionCount, nullptr);
        std::vector<const char*> names(info.enabledExtensionCount);
        SDL_Vulkan_GetInstanceExtensions(window_, &info.enabledExtensionCount, names.data());
        info.ppEnabledExtensionNames = names.data();
        require(vkCreateInstance(&info, nullptr, &instance));
        require(SDL_Vulkan_CreateSurface(window_, instance, &surface_) == SDL_TRUE, "creating a surface");
        std::uint32_t count = 1; // the first device
        require(vkEnumeratePhysicalDevices(instance, &count, &physical_device));
        require(count == 1, "finding a device");
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, nullptr);
        std::vector<VkQueueFamilyProperties> families(count);
        vkGetPhysicalDeviceQueueFamilyProperties(physical_device, &count, families.data());
        constexpr VkQueueFlags needed = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        const auto presents = [&] {
            VkBool32 can = VK_FALSE;
            vkGetPhysicalDeviceSurfaceSupportKHR(physical_device, family, surface_, &can);
            return can == VK_TRUE;
        };
        while (family < count && ((families[family].queueFlags & needed) != needed || !presents())) {
            ++family;
        }
        require(family < count, "finding a queue that draws to windows");
    }

    void make_device() {
        vulkan13_.dynamicRendering = VK_TRUE;
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

    void make_frames() {
        for (Frame& frame : frames_) {
            const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, family};
            require(vkCreateCommandPool(device, &pool, nullptr, &frame.pool));
            const VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                                       frame.pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
            require(vkAllocateCommandBuffers(device, &commands, &frame.commands));
            const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
            require(vkCreateFence(device, &fence, nullptr, &frame.done));
            const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
            require(vkCreateSemaphore(device, &semaphore, nullptr, &frame.acquired));
        }
    }

    VkShaderModule make_shader(const std::vector<std::uint32_t>& words) const {
        const VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, words.size() * 4,
                                            words.data()};
        VkShaderModule shader = VK_NULL_HANDLE;
        require(vkCreateShaderModule(device, &info, nullptr, &shader));
        return shader;
    }

    /// Creates the pipeline. It draws an instance of four vertices for each 16 bytes of a vertex buffer.
    void make_pipeline() {
        const VkShaderModule vertices = make_shader({
#include "star.vert.inc"
        });
        const VkShaderModule fragments = make_shader({
#include "star.frag.inc"
        });
        std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
        stages[0] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                     nullptr,
                     0,
                     VK_SHADER_STAGE_VERTEX_BIT,
                     vertices,
                     "main"};
        stages[1] = {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                     nullptr,
                     0,
                     VK_SHADER_STAGE_FRAGMENT_BIT,
                     fragments,
                     "main"};
        const VkVertexInputBindingDescription binding{0, 16, VK_VERTEX_INPUT_RATE_INSTANCE};
        const VkVertexInputAttributeDescription attribute{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
        const VkPipelineVertexInputStateCreateInfo input{
            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, nullptr, 0, 1, &binding, 1, &attribute};
        const VkPipelineInputAssemblyStateCreateInfo assembly{
            VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
            VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP};
        VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
        viewport.viewportCount = viewport.scissorCount = 1;
        VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
        raster.lineWidth = 1;
        VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
        samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
        VkPipelineColorBlendAttachmentState target{};
        target.colorWriteMask = 0xF;
        VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
        blend.attachmentCount = 1;
        blend.pAttachments = &target;
        const std::array dynamic = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
        const VkPipelineDynamicStateCreateInfo dynamic_info{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                            nullptr, 0, 2, dynamic.data()};
        const VkPushConstantRange push{VK_SHADER_STAGE_VERTEX_BIT, 0, 8};
        VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout.pushConstantRangeCount = 1;
        layout.pPushConstantRanges = &push;
        require(vkCreatePipelineLayout(device, &layout, nullptr, &layout_));
        VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
        rendering.colorAttachmentCount = 1;
        rendering.pColorAttachmentFormats = &format_;
        VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
        info.stageCount = 2;
        info.pStages = stages.data();
        info.pVertexInputState = &input;
        info.pInputAssemblyState = &assembly;
        info.pViewportState = &viewport;
        info.pRasterizationState = &raster;
        info.pMultisampleState = &samples;
        info.pColorBlendState = &blend;
        info.pDynamicState = &dynamic_info;
        info.layout = layout_;
        require(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_));
        vkDestroyShaderModule(device, vertices, nullptr);
        vkDestroyShaderModule(device, fragments, nullptr);
    }

    /// Waits for all frames and creates the swapchain for the size of the window.
    void resize() {
        require(vkDeviceWaitIdle(device));
        VkSurfaceCapabilitiesKHR can;
        require(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(physical_device, surface_, &can));
        extent_ = can.currentExtent;
        if (extent_.width == ~0U) { // the swapchain determines the size of the window
            int width = 0, height = 0;
            SDL_Vulkan_GetDrawableSize(window_, &width, &height);
            extent_ = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
        }
        VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
        info.surface = surface_;
        info.minImageCount = std::max(can.minImageCount, in_flight);
        info.imageFormat = format_;
        info.imageExtent = extent_;
        info.imageArrayLayers = 1;
        info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        info.preTransform = can.currentTransform;
        info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
        info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
        info.oldSwapchain = swapchain_;
        require(vkCreateSwapchainKHR(device, &info, nullptr, &swapchain_));
        destroy_images();
        vkDestroySwapchainKHR(device, info.oldSwapchain, nullptr);
        std::uint32_t count = 0;
        require(vkGetSwapchainImagesKHR(device, swapchain_, &count, nullptr));
        std::vector<VkImage> images(count);
        require(vkGetSwapchainImagesKHR(device, swapchain_, &count, images.data()));
        for (const VkImage image : images) {
            Image& made = images_.emplace_back(Image{image});
            VkImageViewCreateInfo view{
                VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, nullptr, 0, image, VK_IMAGE_VIEW_TYPE_2D, format_};
            view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
            require(vkCreateImageView(device, &view, nullptr, &made.view));
            const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
            require(vkCreateSemaphore(device, &semaphore, nullptr, &made.drawn));
        }
    }
    void destroy_images() {
        for (const Image& image : images_) {
            vkDestroyImageView(device, image.view, nullptr);
            vkDestroySemaphore(device, image.drawn, nullptr);
        }
        images_.clear();
    }

    void change_layout(const Frame& frame, VkImageLayout from, VkImageLayout to) {
        VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
        barrier.srcAccessMask = barrier.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
        barrier.oldLayout = from;
        barrier.newLayout = to;
        barrier.image = images_[image_].image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        constexpr VkPipelineStageFlags stage =
            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT; // the stage of the semaphore
        vkCmdPipelineBarrier(frame.commands, stage, stage, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    }

    SDL_Window* window_ = nullptr;
    VkPhysicalDeviceVulkan12Features vulkan12_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan13Features vulkan13_{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkFormat format_ = VK_FORMAT_B8G8R8A8_UNORM; ///< supported by all common windows
    VkExtent2D extent_{};
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    std::vector<Image> images_;
    std::uint32_t image_ = 0; ///< index of the frame's image
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
    std::array<Frame, in_flight> frames_;
    std::uint32_t number_ = 0; ///< number of the frame
};
