#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <weir/paths/frames.hpp>

#include "common/screen.hpp"

namespace samples {

/// Lines of text and letters in a line that an overlay has room for. The text is ASCII, in capitals.
inline constexpr std::uint32_t overlay_rows = 10, overlay_columns = 28;

/// A few lines of text on a dark ground.
class TextOverlay {
public:
    /// `scale`: pixels for one that a person sees as such. Errors: those of weir::paths::FrameRenderer.
    static weir::Result<std::unique_ptr<TextOverlay>> create(const WindowDevice& device, float scale,
                                                             std::uint32_t frames_in_flight);
    /// Records what draws other text. The recording `frames_in_flight` before it has to be done.
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
