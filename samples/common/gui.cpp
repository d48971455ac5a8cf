#include "common/gui.hpp"

#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_vulkan.h>

#include "common/propagate.hpp"

namespace samples {

using weir::Result;

namespace {

/// Carries a failed Vulkan call through Dear ImGui.
struct FailedCall : std::exception {
    explicit FailedCall(weir::Error of) : error(std::move(of)) {}
    [[nodiscard]] const char* what() const noexcept override { return error.message.c_str(); }

    weir::Error error;
};

/// Throws if a Vulkan call of Dear ImGui failed. Dear ImGui would otherwise go on without the object it failed to
/// create.
void check(VkResult status) {
    if (status < 0) {
        throw FailedCall(checked(status, "a call of Dear ImGui").error());
    }
}

/// Runs `work`, which calls functions of Dear ImGui, and returns a failed Vulkan call as an error.
template <class Work>
Result<> call_host(const Work& work) {
    try {
        return work();
    } catch (const FailedCall& failed) {
        return tl::unexpected(failed.error);
    }
}

/// Live buffers and allocations of Dear ImGui. When it grows a buffer, it destroys the old one but keeps its handle
/// until the new one exists. If creating the new one fails, it later destroys the old one a second time. These sets let
/// that second call do nothing.
std::set<VkBuffer> buffers;
std::set<VkDeviceMemory> memories;

VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                  const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
    const VkResult status = vkCreateBuffer(device, info, callbacks, buffer);
    if (status == VK_SUCCESS) {
        buffers.insert(*buffer);
    }
    return status;
}
void VKAPI_CALL destroy_buffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks* callbacks) {
    if (buffers.erase(buffer) != 0) {
        vkDestroyBuffer(device, buffer, callbacks);
    }
}
VkResult VKAPI_CALL allocate_memory(VkDevice device, const VkMemoryAllocateInfo* info,
                                    const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    const VkResult status = vkAllocateMemory(device, info, callbacks, memory);
    if (status == VK_SUCCESS) {
        memories.insert(*memory);
    }
    return status;
}
void VKAPI_CALL free_memory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
    if (memories.erase(memory) != 0) {
        vkFreeMemory(device, memory, callbacks);
    }
}

/// Returns the Vulkan function that Dear ImGui looks up by `name`.
PFN_vkVoidFunction function_for_imgui(const char* name, void* instance) {
    const std::string_view is = name;
    if (is == "vkCreateBuffer") {
        return reinterpret_cast<PFN_vkVoidFunction>(create_buffer);
    }
    if (is == "vkDestroyBuffer") {
        return reinterpret_cast<PFN_vkVoidFunction>(destroy_buffer);
    }
    if (is == "vkAllocateMemory") {
        return reinterpret_cast<PFN_vkVoidFunction>(allocate_memory);
    }
    if (is == "vkFreeMemory") {
        return reinterpret_cast<PFN_vkVoidFunction>(free_memory);
    }
    return vkGetInstanceProcAddr(*static_cast<VkInstance*>(instance), name);
}

} // namespace

Result<std::unique_ptr<Gui>> Gui::create(const PictureWindow& window, std::uint32_t frames_in_flight) {
    ImGui::CreateContext();
    std::unique_ptr<Gui> made(new Gui(window, frames_in_flight));
    const auto done = made->create_descriptor_pool().and_then([&] { return made->create_render_pass(); }).and_then([&] {
        return call_host([&] { return made->start(); });
    });
    SAMPLES_PROPAGATE(done);
    return made;
}

Gui::~Gui() {
    const VkDevice device = window_.device().device();
    wait_until_idle(device);
    if (ImGui::GetIO().BackendRendererUserData != nullptr) { // also true if its start failed halfway
        ImGui_ImplVulkan_Shutdown();
    }
    if (has_glfw_) {
        ImGui_ImplGlfw_Shutdown();
    }
    ImGui::DestroyContext();
    for (const VkFramebuffer framebuffer : framebuffers_) {
        vkDestroyFramebuffer(device, framebuffer, nullptr);
    }
    vkDestroyRenderPass(device, render_pass_, nullptr);
    vkDestroyDescriptorPool(device, pool_, nullptr);
}

Result<> Gui::create_descriptor_pool() {
    constexpr std::uint32_t most_textures = 8;
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, most_textures};
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    info.maxSets = most_textures;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    return checked(vkCreateDescriptorPool(window_.device().device(), &info, nullptr, &pool_),
                   "making a descriptor pool");
}

/// Creates a render pass that keeps the contents of the color attachment.
Result<> Gui::create_render_pass() {
    VkAttachmentDescription attachment{};
    attachment.format = window_.swapchain().format();
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachment.initialLayout = attachment.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    VkSubpassDependency dependency{};
    dependency.srcSubpass = VK_SUBPASS_EXTERNAL;
    dependency.srcStageMask = dependency.dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    dependency.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    dependency.dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 1;
    info.pAttachments = &attachment;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &dependency;
    return checked(vkCreateRenderPass(window_.device().device(), &info, nullptr, &render_pass_),
                   "making a render pass");
}

Result<> Gui::start() {
    const WindowDevice& device = window_.device();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr; // do not write imgui.ini
    const float scale = window_.window().scale();
    ImFontConfig font;
    font.SizePixels = 13 * scale; // the built-in font is designed for 13 pixels
    io.Fonts->AddFontDefault(&font);
    ImGui::GetStyle().ScaleAllSizes(scale);
    ImGui::GetStyle().Colors[ImGuiCol_SliderGrab].w = 0.5F; // numbers behind the grab stay readable
    VkInstance instance = device.instance();
    has_glfw_ = ImGui_ImplGlfw_InitForVulkan(window_.window().handle(), true);
    ImGui_ImplVulkan_InitInfo info{};
    info.Instance = instance;
    info.PhysicalDevice = device.physical_device();
    info.Device = device.device();
    info.QueueFamily = device.family();
    info.Queue = device.queue();
    info.DescriptorPool = pool_;
    info.MinImageCount = 2;
    info.ImageCount = static_cast<std::uint32_t>(framebuffers_.size()); // number of frames for which it keeps vertices
    info.MSAASamples = VK_SAMPLE_COUNT_1_BIT;
    info.CheckVkResultFn = check;
    if (!has_glfw_ || !ImGui_ImplVulkan_LoadFunctions(function_for_imgui, &instance) ||
        !ImGui_ImplVulkan_Init(&info, render_pass_)) {
        return tl::unexpected(weir::Error{weir::ErrorCode::vulkan, "the Vulkan backend of Dear ImGui did not start"});
    }
#if IMGUI_VERSION_NUM >= 19000 // submits the upload itself
    ImGui_ImplVulkan_CreateFontsTexture();
    return {};
#else
    auto done = device.gpu().submit([](VkCommandBuffer commands) {
        return call_host([&]() -> Result<> {
            ImGui_ImplVulkan_CreateFontsTexture(commands);
            return {};
        });
    });
    ImGui_ImplVulkan_DestroyFontUploadObjects();
    return done;
#endif
}

bool Gui::takes(const WindowEvent& event) {
    const bool is_key = event.kind == WindowEvent::Kind::letter || event.kind == WindowEvent::Kind::home;
    return is_key ? takes_keys() : ImGui::GetIO().WantCaptureMouse;
}

bool Gui::takes_keys() {
    return ImGui::GetIO().WantTextInput;
}

/// Replaces a framebuffer whose frame is complete.
Result<> Gui::make_framebuffer(VkFramebuffer& framebuffer, VkImageView view) const {
    const VkDevice device = window_.device().device();
    vkDestroyFramebuffer(device, std::exchange(framebuffer, VK_NULL_HANDLE), nullptr);
    const VkExtent2D size = window_.swapchain().extent();
    VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = render_pass_;
    info.attachmentCount = 1;
    info.pAttachments = &view;
    info.width = size.width;
    info.height = size.height;
    info.layers = 1;
    return checked(vkCreateFramebuffer(device, &info, nullptr, &framebuffer), "making a framebuffer");
}

Result<> Gui::record(const SwapchainFrame& frame, const char* title, const std::function<void()>& contents) {
    VkFramebuffer& framebuffer = framebuffers_[frame_++ % framebuffers_.size()];
    SAMPLES_PROPAGATE(make_framebuffer(framebuffer, frame.view));
    ImGui_ImplVulkan_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    constexpr float margin = 8;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({margin, margin});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {size.x - 2 * margin, size.y - 2 * margin});
    ImGui::Begin(title, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove);
    contents();
    ImGui::End();
    ImGui::Render();
    VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    begin.renderPass = render_pass_;
    begin.framebuffer = framebuffer;
    begin.renderArea.extent = window_.swapchain().extent();
    return call_host([&]() -> Result<> {
        vkCmdBeginRenderPass(frame.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
        ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), frame.commands);
        vkCmdEndRenderPass(frame.commands);
        return {};
    });
}

} // namespace samples
