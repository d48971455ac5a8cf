#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <weir/paths/scene.hpp>

/// Parsers of single SVG values, for programs that have these without a document.
namespace weir::svg {

/// Parses path data, the attribute `d`: "M 0 0 L 10 10 A 5 5 0 0 1 20 10 Z". Reads up to the first mistake, as SVG
/// specifies. If `parsed` is not null, it receives the number of characters before the segment with the mistake, or
/// text.size() if there is none. Never fails: the path is empty if the first segment is wrong.
[[nodiscard]] paths::Path read_path_data(std::string_view text, std::size_t* parsed = nullptr);

/// Parses a color of CSS: a name, #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl(), hsla(), hwb(), lab(),
/// lch(), oklab(), oklch(), color() in srgb, srgb-linear or display-p3, or `transparent`. Colors outside of sRGB are
/// clamped. Components are from 0 to 1 in sRGB, not premultiplied. Returns nullopt for other texts.
[[nodiscard]] std::optional<paths::Color> read_color(std::string_view text);

/// Parses an SVG transform list: "translate(10 20) rotate(45)". Returns nullopt if it is invalid.
[[nodiscard]] std::optional<paths::Transform> read_transform(std::string_view text);

} // namespace weir::svg
