#include "paint.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "flatten.hpp"

namespace weir::paths {

namespace {

Point mapped(const Transform& m, Point p) {
    return {(m.xx * p.x + m.xy * p.y) + m.dx, (m.yx * p.x + m.yy * p.y) + m.dy};
}

Point unmapped(const Transform& m, Point p) {
    const float factor = reciprocal(m.xx * m.yy - m.xy * m.yx);
    const float x = p.x - m.dx, y = p.y - m.dy;
    return {(m.yy * x - m.xy * y) * factor, (m.xx * y - m.yx * x) * factor};
}

std::optional<float> radial_position(const PaintRecord& paint, Point p) {
    const float qx = p.x - paint.focus.x, qy = p.y - paint.focus.y;
    const float growth = paint.growth;
    const float a = (paint.focus.x * paint.focus.x + paint.focus.y * paint.focus.y) - growth * growth;
    const float b = (qx * paint.focus.x + qy * paint.focus.y) - paint.focal_radius * growth;
    const float c = (qx * qx + qy * qy) - paint.focal_radius * paint.focal_radius;
    const float touching = 1e-4F * (growth * growth); // allows for rounded coordinates
    const bool is_nested = a < -touching;             // one circle contains the other: each point is on a circle
    float t = 0;
    if (std::abs(a) <= touching) { // one circle touches the other from inside
        if (std::abs(b) < 1e-12F) {
            return {};
        }
        t = (-0.5F * c) * reciprocal(b);
    } else {
        const float square = b * b - a * c;
        if (square < 0 && !is_nested) {
            return {};
        }
        const float root = square > 1e-30F ? square * inverse_root(square) : 0.0F, factor = reciprocal(a);
        const float first = (-b - root) * factor, second = (-b + root) * factor;
        t = std::max(first, second);
        if (paint.focal_radius + t * growth < 0) {
            t = std::min(first, second);
        }
    }
    if (!is_nested && !(paint.focal_radius + t * growth >= 0)) {
        return {};
    }
    return t;
}

float turns_of(Point p) {
    const float x = std::abs(p.x), y = std::abs(p.y), high = std::max(x, y);
    if (!(high > 1e-30F)) {
        return 0;
    }
    const float slope = std::min(x, y) * reciprocal(high), square = slope * slope;
    float sum = 0.00121727333F;
    for (const float next :
         {-0.0057869423F, 0.0132299859F, -0.0214029404F, 0.0316273344F, -0.0530394639F, 0.15915482F}) {
        sum = sum * square + next;
    }
    float turns = slope * sum;
    turns = y > x ? 0.25F - turns : turns;
    turns = p.x < 0 ? 0.5F - turns : turns;
    return p.y < 0 ? 1.0F - turns : turns;
}

float with_spread(std::uint32_t spread, float t) {
    switch (static_cast<Spread>(spread)) {
    case Spread::pad: break;
    case Spread::reflect: {
        const float pairs = t - 2.0F * std::floor(0.5F * t);
        return pairs > 1 ? 2.0F - pairs : pairs;
    }
    case Spread::repeat: return t - std::floor(t);
    }
    return std::clamp(t, -1.0F, 2.0F);
}

Pixel gradient_color(const Scene& scene, const PaintRecord& paint, float t) {
    const StopRecord* first = scene.stops().data() + paint.first_stop;
    const StopRecord* last = first + paint.stops;
    const StopRecord* next = std::find_if(first, last, [&](const StopRecord& stop) { return !(stop.offset <= t); });
    Pixel color;
    if (next == first || next == last) {
        color = (next == first ? first : next - 1)->color;
    } else {
        const float part = (t - next[-1].offset) / (next->offset - next[-1].offset);
        for (int i = 0; i < 4; ++i) {
            color[i] = next[-1].color[i] * (1 - part) + next->color[i] * part;
        }
    }
    if ((paint.spread & gradient_is_premultiplied) != 0) {
        return color;
    }
    return {color[0] * color[3], color[1] * color[3], color[2] * color[3], color[3]};
}

float luminosity(const Pixel& c) {
    return 0.3F * c[0] + 0.59F * c[1] + 0.11F * c[2];
}

float least(const Pixel& c) {
    return std::min({c[0], c[1], c[2]});
}

float greatest(const Pixel& c) {
    return std::max({c[0], c[1], c[2]});
}

Pixel with_luminosity(Pixel c, float to) {
    const float more = to - luminosity(c);
    for (int i = 0; i < 3; ++i) {
        c[i] += more;
    }
    const float l = luminosity(c), low = least(c), high = greatest(c);
    for (int i = 0; i < 3; ++i) {
        if (low < 0) {
            c[i] = l + (c[i] - l) * l / (l - low);
        }
        if (high > 1) {
            c[i] = l + (c[i] - l) * (1 - l) / (high - l);
        }
    }
    return c;
}

Pixel with_saturation(Pixel c, float to) {
    const float low = least(c), high = greatest(c);
    for (int i = 0; i < 3; ++i) {
        c[i] = high > low ? (c[i] - low) * to / (high - low) : 0;
    }
    return c;
}

float hard_light(float b, float s) {
    return s <= 0.5F ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1);
}

float soft_light(float b, float s) {
    if (s <= 0.5F) {
        return b - (1 - 2 * s) * b * (1 - b);
    }
    const float d = b <= 0.25F ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
    return b + (2 * s - 1) * (d - b);
}

float blended(Blend blend, float b, float s) {
    switch (blend) {
    case Blend::multiply: return b * s;
    case Blend::screen: return b + s - b * s;
    case Blend::overlay: return hard_light(s, b);
    case Blend::darken: return std::min(b, s);
    case Blend::lighten: return std::max(b, s);
    case Blend::color_dodge: return b == 0 ? 0 : s >= 1 ? 1 : std::min(1.0F, b / (1 - s));
    case Blend::color_burn: return b >= 1 ? 1 : s == 0 ? 0 : 1 - std::min(1.0F, (1 - b) / s);
    case Blend::hard_light: return hard_light(b, s);
    case Blend::soft_light: return soft_light(b, s);
    case Blend::difference: return std::abs(b - s);
    case Blend::exclusion: return b + s - 2 * b * s;
    default: return s;
    }
}

Pixel blended(Blend blend, const Pixel& b, const Pixel& s) {
    const auto saturation = [](const Pixel& c) { return greatest(c) - least(c); };
    switch (blend) {
    case Blend::hue: return with_luminosity(with_saturation(s, saturation(b)), luminosity(b));
    case Blend::saturation: return with_luminosity(with_saturation(b, saturation(s)), luminosity(b));
    case Blend::color: return with_luminosity(s, luminosity(b));
    case Blend::luminosity: return with_luminosity(b, luminosity(s));
    default: return {blended(blend, b[0], s[0]), blended(blend, b[1], s[1]), blended(blend, b[2], s[2]), 0};
    }
}

Pixel straight(const Pixel& c) {
    const auto part = [&](float component) { return std::min(1.0F, component / c[3]); };
    return {part(c[0]), part(c[1]), part(c[2]), c[3]};
}

/// Returns the factors of source and backdrop, given their alphas.
std::pair<float, float> factors_of(Composite composite, float b, float s) {
    switch (composite) {
    case Composite::src_over: break;
    case Composite::dest_over: return {1 - b, 1};
    case Composite::clear: return {0, 0};
    case Composite::copy: return {1, 0};
    case Composite::dest: return {0, 1};
    case Composite::src_in: return {b, 0};
    case Composite::dest_in: return {0, s};
    case Composite::src_out: return {1 - b, 0};
    case Composite::dest_out: return {0, 1 - s};
    case Composite::src_atop: return {b, 1 - s};
    case Composite::dest_atop: return {1 - b, s};
    case Composite::exclusive_or: return {1 - b, 1 - s};
    case Composite::plus: return {1, 1};
    }
    return {1, 1 - s};
}

} // namespace

Pixel color_at(const Scene& scene, std::uint32_t index, const Transform& transform, Point pixel) {
    const PaintRecord& paint = scene.paints()[index];
    if (paint.kind == 0) {
        return paint.color;
    }
    const bool is_blurred_rect = paint.kind == 6;
    if (paint.stops == 0 && !is_blurred_rect) {
        return {};
    }
    const Point p = mapped(paint.transform, unmapped(transform, pixel));
    if (is_blurred_rect) {
        const float inside = blurred_rect(p, paint.focus, paint.focal_radius);
        const float part = (paint.spread & blurred_rect_is_inverted) != 0 ? 1 - inside : inside;
        return {paint.color[0] * part, paint.color[1] * part, paint.color[2] * part, paint.color[3] * part};
    }
    if (paint.kind == 3) {
        return image_color(scene, paint, transform, p);
    }
    std::optional<float> t = p.x;
    if (paint.kind == 2) {
        t = radial_position(paint, p);
    } else if (paint.kind == 4) {
        t = (turns_of(p) - paint.focus.x) * paint.focus.y;
    }
    return t ? gradient_color(scene, paint, with_spread(paint.spread & 3, *t)) : Pixel{};
}

Pixel composited(std::uint32_t operation, const Pixel& backdrop, Pixel source, float visibility) {
    if (operation == 0) { // the usual case
        for (int i = 0; i < 4; ++i) {
            source[i] = backdrop[i] * (1 - source[3] * visibility) + source[i] * visibility;
        }
        return source;
    }
    const auto blend = static_cast<Blend>(operation & 0xFF);
    const auto composite = static_cast<Composite>(operation >> 8);
    const bool is_over = composite == Composite::src_over;
    for (float& component : source) {
        component *= is_over ? visibility : 1;
    }
    Pixel color = source;
    if (blend != Blend::normal && backdrop[3] > 0 && source[3] > 0) {
        const Pixel s = straight(source), mixed = blended(blend, straight(backdrop), s);
        for (int i = 0; i < 3; ++i) {
            color[i] += backdrop[3] * source[3] * (mixed[i] - s[i]);
        }
    }
    const auto [of_source, of_backdrop] = factors_of(composite, backdrop[3], source[3]);
    for (int i = 0; i < 4; ++i) {
        color[i] = color[i] * of_source + backdrop[i] * of_backdrop;
        if (!is_over) {
            color[i] = backdrop[i] + visibility * (std::min(color[i], 1.0F) - backdrop[i]);
        }
    }
    return color;
}

} // namespace weir::paths
