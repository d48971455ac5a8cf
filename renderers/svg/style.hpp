#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/paths/scene.hpp>

#include "svg/css.hpp"
#include "svg/syntax.hpp"
#include "svg/text_style.hpp"

namespace weir::svg {

/// Space of a gradient or a pattern of a context element.
struct PaintSpace {
    weir::paths::Transform transform; ///< from the user space to the picture
    weir::paths::Rect box;            ///< bounding box of the element, in its user space
};

/// Value of `fill` or `stroke`.
struct PaintValue {
    enum class Kind : std::uint8_t { none, color, server, context_fill, context_stroke };
    Kind kind = Kind::none;
    weir::paths::Color color;  ///< for a server: the fallback, if it has one
    bool has_fallback = false; ///< the server has a fallback color
    bool is_current = false;   ///< `color` is currentColor: the `color` of the element that is painted
    std::string server;        ///< id of a gradient or a pattern
    /// Space of the context element that the value comes from; otherwise null.
    std::shared_ptr<const PaintSpace> space = {};
};

/// Computed properties of an element. The first ones are inherited.
struct Style {
    PaintValue fill{PaintValue::Kind::color, {0, 0, 0, 1}}, stroke;
    float fill_opacity = 1, stroke_opacity = 1;
    weir::paths::FillRule fill_rule = weir::paths::FillRule::nonzero, clip_rule = weir::paths::FillRule::nonzero;
    Length stroke_width{1};
    weir::paths::Join join = weir::paths::Join::miter;
    weir::paths::Cap cap = weir::paths::Cap::butt;
    float miter_limit = 4;
    weir::paths::Antialias antialias = weir::paths::Antialias::area;
    std::vector<Length> dashes;
    Length dash_offset;
    weir::paths::Color color{0, 0, 0, 1};
    bool is_visible = true;
    std::string paint_order = "normal";
    std::string marker_start, marker_mid, marker_end; ///< ids
    float font_size = 12;
    weir::paths::Filter image_filter = weir::paths::Filter::cubic; ///< interpolation of images
    TextProperties text;

    bool is_displayed = true;
    float opacity = 1;
    weir::paths::Blend blend = weir::paths::Blend::normal;
    weir::paths::Composite composite = weir::paths::Composite::src_over; ///< plus if mix-blend-mode is plus-lighter
    bool is_isolated = false;
    bool is_non_scaling = false; ///< vector-effect is non-scaling-stroke
    std::string clip_path, mask; ///< ids
    bool has_clip_path = false;  ///< has a clip path or a mask, even if the id does not exist
    std::string filter;          ///< value of the property; empty: none
    std::string overflow;
    std::string mask_type;
    bool is_linear_mask = false;  ///< color-interpolation is linearRGB; inherited
    bool is_linear_filter = true; ///< color-interpolation-filters is linearRGB; inherited
    weir::paths::Color stop_color{0, 0, 0, 1};
    float stop_opacity = 1;
    weir::paths::Color flood_color{0, 0, 0, 1};
    float flood_opacity = 1;
    weir::paths::Color lighting_color{1, 1, 1, 1};
    weir::paths::Color background{0, 0, 0, 0}; ///< background of the whole document
    std::shared_ptr<const Properties> custom;  ///< values of --name; null: none; inherited
    Properties geometry;                       ///< x, width, d and so on from CSS, which override attributes
};

/// Returns true if a property of CSS replaces the attribute of the same name: x, width, d and so on.
bool is_geometry(std::string_view name);

/// Computes the properties of an element. `parent` is the style of its parent. Ignores invalid values.
Style style_of(const Properties& properties, const Style& parent);

/// Returns true if a declaration is valid: colors must be parsable, other properties must not be empty. An invalid
/// declaration does not replace an earlier one.
bool is_value(std::string_view name, std::string_view value);

/// Returns the blend mode of a name in CSS.
std::optional<weir::paths::Blend> blend_of(std::string_view name);

/// Returns the id of "url(#id)"; empty if there is none.
std::string id_of_url(Scanner& scanner);

} // namespace weir::svg
