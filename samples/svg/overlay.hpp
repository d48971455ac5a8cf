#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/paths/scene.hpp>

namespace samples {

/// Lines of text and letters in a line that an overlay has room for. The text is ASCII, in capitals.
inline constexpr std::uint32_t overlay_rows = 10, overlay_columns = 28;

/// The letter with the most lines.
inline constexpr char most_lines_letter = '8';

/// Pixels of an overlay: its lines of text on a dark ground.
struct OverlaySize {
    std::uint32_t width = 0, height = 0;
};

/// Of an overlay at that scale: pixels for one that a person sees as such.
OverlaySize overlay_size(float scale);

/// The scene of an overlay. All scenes of a scale have the same number of everything.
weir::paths::Scene overlay_scene(const std::vector<std::string>& text, float scale);

} // namespace samples
