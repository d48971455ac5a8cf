#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/picture_window.hpp"

namespace samples {

/// Dear ImGui on a window. One at a time, in the thread of `main`.
class Gui {
public:
    /// After the window's own callbacks were set: Dear ImGui calls them. Waits. Errors: `vulkan`.
    static weir::Result<std::unique_ptr<Gui>> create(const PictureWindow& window, std::uint32_t frames_in_flight);
    /// Waits for all frames.
    ~Gui();
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;

    /// Whether the pointer is on something of the last frame, or holds it.
    [[nodiscard]] static bool takes_pointer();
    /// Whether somebody types a text.
    [[nodiscard]] static bool takes_keys();
    /// Records a frame over what is on the image. `contents` calls functions of Dear ImGui.
    weir::Result<> record(const SwapchainFrame& frame, const std::function<void()>& contents);

private:
    Gui(const PictureWindow& window, std::uint32_t frames_in_flight)
        : window_(window), framebuffers_(frames_in_flight) {}
    weir::Result<> create_descriptor_pool();
    weir::Result<> create_render_pass();
    weir::Result<> start();
    weir::Result<> make_framebuffer(VkFramebuffer& framebuffer, VkImageView view) const;

    const PictureWindow& window_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkRenderPass render_pass_ = VK_NULL_HANDLE; ///< its backend draws in no other way
    std::vector<VkFramebuffer> framebuffers_;   ///< of the frames that may be pending
    std::uint64_t frame_ = 0;
    bool has_glfw_ = false; ///< whether this backend has been started
};

} // namespace samples
