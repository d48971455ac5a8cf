#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/picture_window.hpp"

namespace samples {

/// Draws Dear ImGui in a window. Only one object may exist, and only the main thread may use it.
class Gui {
public:
    /// Must be called after the window's own callbacks are set, because Dear ImGui calls them. Waits for the GPU.
    /// Errors: `vulkan`.
    static weir::Result<std::unique_ptr<Gui>> create(const PictureWindow& window, std::uint32_t frames_in_flight);
    /// Waits for all frames.
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    /// Returns true while a text field has the keyboard focus.
    [[nodiscard]] static bool takes_keys();
    /// Returns true if a text field takes the key, or a widget the pointer: it is over a widget of the last frame, or
    /// drags one.
    [[nodiscard]] static bool takes(const WindowEvent& event);
    /// Records a panel in the upper left corner, on top of the image's contents. `contents` calls the functions of Dear
    /// ImGui.
    weir::Result<> record(const SwapchainFrame& frame, const char* title, const std::function<void()>& contents);

private:
    Gui(const PictureWindow& window, std::uint32_t frames_in_flight)
        : window_(window), framebuffers_(frames_in_flight) {}
    weir::Result<> create_descriptor_pool();
    weir::Result<> create_render_pass();
    weir::Result<> start();
    weir::Result<> make_framebuffer(VkFramebuffer& framebuffer, VkImageView view) const;

    const PictureWindow& window_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkRenderPass render_pass_ = VK_NULL_HANDLE; ///< required by the Vulkan backend of Dear ImGui
    std::vector<VkFramebuffer> framebuffers_;   ///< one per frame in flight
    std::uint64_t frame_ = 0;
    bool has_glfw_ = false; ///< the GLFW backend has been started
};

} // namespace samples
