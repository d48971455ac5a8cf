#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weir/paths/frames.hpp>

#include "common/screen.hpp"

namespace samples {

/// Capacity of an overlay: lines, and characters per line. Only printable ASCII; lower case is shown as capitals.
inline constexpr std::uint32_t overlay_rows = 10, overlay_columns = 28;

/// Lines of text on a dark background.
class TextOverlay {
public:
    /// `scale`: physical pixels per logical pixel. Errors: those of weir::paths::FrameRenderer.
    static weir::Result<std::unique_ptr<TextOverlay>> create(const WindowDevice& device, float scale,
                                                             std::uint32_t frames_in_flight);
    /// Records the drawing of `text`. The frame `frames_in_flight` before this one must be complete.
    weir::Result<> record(VkCommandBuffer commands, const std::vector<std::string>& text);
    [[nodiscard]] const Picture& picture() const { return *picture_; }

private:
    TextOverlay(weir::paths::FrameRenderer renderer, float scale) : renderer_(std::move(renderer)), scale_(scale) {}

    weir::paths::FrameRenderer renderer_;
    float scale_;
    weir::paths::View view_;
    std::unique_ptr<Picture> picture_;
};

} // namespace samples
