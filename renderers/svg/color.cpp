#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

using weir::paths::Color;

/// Color names of CSS Color Module Level 4, sorted.
constexpr std::pair<std::string_view, std::uint32_t> names[] = {{"aliceblue", 0xF0F8FF},
                                                                {"antiquewhite", 0xFAEBD7},
                                                                {"aqua", 0x00FFFF},
                                                                {"aquamarine", 0x7FFFD4},
                                                                {"azure", 0xF0FFFF},
                                                                {"beige", 0xF5F5DC},
                                                                {"bisque", 0xFFE4C4},
                                                                {"black", 0x000000},
                                                                {"blanchedalmond", 0xFFEBCD},
                                                                {"blue", 0x0000FF},
                                                                {"blueviolet", 0x8A2BE2},
                                                                {"brown", 0xA52A2A},
                                                                {"burlywood", 0xDEB887},
                                                                {"cadetblue", 0x5F9EA0},
                                                                {"chartreuse", 0x7FFF00},
                                                                {"chocolate", 0xD2691E},
                                                                {"coral", 0xFF7F50},
                                                                {"cornflowerblue", 0x6495ED},
                                                                {"cornsilk", 0xFFF8DC},
                                                                {"crimson", 0xDC143C},
                                                                {"cyan", 0x00FFFF},
                                                                {"darkblue", 0x00008B},
                                                                {"darkcyan", 0x008B8B},
                                                                {"darkgoldenrod", 0xB8860B},
                                                                {"darkgray", 0xA9A9A9},
                                                                {"darkgreen", 0x006400},
                                                                {"darkgrey", 0xA9A9A9},
                                                                {"darkkhaki", 0xBDB76B},
                                                                {"darkmagenta", 0x8B008B},
                                                                {"darkolivegreen", 0x556B2F},
                                                                {"darkorange", 0xFF8C00},
                                                                {"darkorchid", 0x9932CC},
                                                                {"darkred", 0x8B0000},
                                                                {"darksalmon", 0xE9967A},
                                                                {"darkseagreen", 0x8FBC8F},
                                                                {"darkslateblue", 0x483D8B},
                                                                {"darkslategray", 0x2F4F4F},
                                                                {"darkslategrey", 0x2F4F4F},
                                                                {"darkturquoise", 0x00CED1},
                                                                {"darkviolet", 0x9400D3},
                                                                {"deeppink", 0xFF1493},
                                                                {"deepskyblue", 0x00BFFF},
                                                                {"dimgray", 0x696969},
                                                                {"dimgrey", 0x696969},
                                                                {"dodgerblue", 0x1E90FF},
                                                                {"firebrick", 0xB22222},
                                                                {"floralwhite", 0xFFFAF0},
                                                                {"forestgreen", 0x228B22},
                                                                {"fuchsia", 0xFF00FF},
                                                                {"gainsboro", 0xDCDCDC},
                                                                {"ghostwhite", 0xF8F8FF},
                                                                {"gold", 0xFFD700},
                                                                {"goldenrod", 0xDAA520},
                                                                {"gray", 0x808080},
                                                                {"green", 0x008000},
                                                                {"greenyellow", 0xADFF2F},
                                                                {"grey", 0x808080},
                                                                {"honeydew", 0xF0FFF0},
                                                                {"hotpink", 0xFF69B4},
                                                                {"indianred", 0xCD5C5C},
                                                                {"indigo", 0x4B0082},
                                                                {"ivory", 0xFFFFF0},
                                                                {"khaki", 0xF0E68C},
                                                                {"lavender", 0xE6E6FA},
                                                                {"lavenderblush", 0xFFF0F5},
                                                                {"lawngreen", 0x7CFC00},
                                                                {"lemonchiffon", 0xFFFACD},
                                                                {"lightblue", 0xADD8E6},
                                                                {"lightcoral", 0xF08080},
                                                                {"lightcyan", 0xE0FFFF},
                                                                {"lightgoldenrodyellow", 0xFAFAD2},
                                                                {"lightgray", 0xD3D3D3},
                                                                {"lightgreen", 0x90EE90},
                                                                {"lightgrey", 0xD3D3D3},
                                                                {"lightpink", 0xFFB6C1},
                                                                {"lightsalmon", 0xFFA07A},
                                                                {"lightseagreen", 0x20B2AA},
                                                                {"lightskyblue", 0x87CEFA},
                                                                {"lightslategray", 0x778899},
                                                                {"lightslategrey", 0x778899},
                                                                {"lightsteelblue", 0xB0C4DE},
                                                                {"lightyellow", 0xFFFFE0},
                                                                {"lime", 0x00FF00},
                                                                {"limegreen", 0x32CD32},
                                                                {"linen", 0xFAF0E6},
                                                                {"magenta", 0xFF00FF},
                                                                {"maroon", 0x800000},
                                                                {"mediumaquamarine", 0x66CDAA},
                                                                {"mediumblue", 0x0000CD},
                                                                {"mediumorchid", 0xBA55D3},
                                                                {"mediumpurple", 0x9370DB},
                                                                {"mediumseagreen", 0x3CB371},
                                                                {"mediumslateblue", 0x7B68EE},
                                                                {"mediumspringgreen", 0x00FA9A},
                                                                {"mediumturquoise", 0x48D1CC},
                                                                {"mediumvioletred", 0xC71585},
                                                                {"midnightblue", 0x191970},
                                                                {"mintcream", 0xF5FFFA},
                                                                {"mistyrose", 0xFFE4E1},
                                                                {"moccasin", 0xFFE4B5},
                                                                {"navajowhite", 0xFFDEAD},
                                                                {"navy", 0x000080},
                                                                {"oldlace", 0xFDF5E6},
                                                                {"olive", 0x808000},
                                                                {"olivedrab", 0x6B8E23},
                                                                {"orange", 0xFFA500},
                                                                {"orangered", 0xFF4500},
                                                                {"orchid", 0xDA70D6},
                                                                {"palegoldenrod", 0xEEE8AA},
                                                                {"palegreen", 0x98FB98},
                                                                {"paleturquoise", 0xAFEEEE},
                                                                {"palevioletred", 0xDB7093},
                                                                {"papayawhip", 0xFFEFD5},
                                                                {"peachpuff", 0xFFDAB9},
                                                                {"peru", 0xCD853F},
                                                                {"pink", 0xFFC0CB},
                                                                {"plum", 0xDDA0DD},
                                                                {"powderblue", 0xB0E0E6},
                                                                {"purple", 0x800080},
                                                                {"rebeccapurple", 0x663399},
                                                                {"red", 0xFF0000},
                                                                {"rosybrown", 0xBC8F8F},
                                                                {"royalblue", 0x4169E1},
                                                                {"saddlebrown", 0x8B4513},
                                                                {"salmon", 0xFA8072},
                                                                {"sandybrown", 0xF4A460},
                                                                {"seagreen", 0x2E8B57},
                                                                {"seashell", 0xFFF5EE},
                                                                {"sienna", 0xA0522D},
                                                                {"silver", 0xC0C0C0},
                                                                {"skyblue", 0x87CEEB},
                                                                {"slateblue", 0x6A5ACD},
                                                                {"slategray", 0x708090},
                                                                {"slategrey", 0x708090},
                                                                {"snow", 0xFFFAFA},
                                                                {"springgreen", 0x00FF7F},
                                                                {"steelblue", 0x4682B4},
                                                                {"tan", 0xD2B48C},
                                                                {"teal", 0x008080},
                                                                {"thistle", 0xD8BFD8},
                                                                {"tomato", 0xFF6347},
                                                                {"turquoise", 0x40E0D0},
                                                                {"violet", 0xEE82EE},
                                                                {"wheat", 0xF5DEB3},
                                                                {"white", 0xFFFFFF},
                                                                {"whitesmoke", 0xF5F5F5},
                                                                {"yellow", 0xFFFF00},
                                                                {"yellowgreen", 0x9ACD32}};

Color from_bytes(std::uint32_t rgb, float alpha = 1) {
    return {static_cast<float>(rgb >> 16 & 0xFF) / 255, static_cast<float>(rgb >> 8 & 0xFF) / 255,
            static_cast<float>(rgb & 0xFF) / 255, alpha};
}

std::optional<Color> from_hex(std::string_view digits) {
    std::uint32_t value = 0;
    for (const char c : digits) {
        const std::string_view all = "0123456789abcdef";
        const std::size_t digit = all.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
        if (digit == std::string_view::npos) {
            return {};
        }
        value = value << 4 | static_cast<std::uint32_t>(digit);
    }
    const auto doubled = [&](std::uint32_t shift) { return (value >> shift & 0xF) * 17; };
    switch (digits.size()) {
    case 3: return from_bytes(doubled(8) << 16 | doubled(4) << 8 | doubled(0));
    case 4: return from_bytes(doubled(12) << 16 | doubled(8) << 8 | doubled(4), static_cast<float>(doubled(0)) / 255);
    case 6: return from_bytes(value);
    case 8: return from_bytes(value >> 8, static_cast<float>(value & 0xFF) / 255);
    default: return {};
    }
}

Color from_hsl(float hue, float saturation, float lightness, float alpha) {
    const auto component = [&](float n) {
        const float k = std::fmod(n + hue / 30, 12.0F);
        const float a = saturation * std::min(lightness, 1 - lightness);
        return lightness - a * std::max(-1.0F, std::min({k - 3, 9 - k, 1.0F}));
    };
    return {component(0), component(8), component(4), alpha};
}

float encoded(float linear) {
    const float v = std::clamp(linear, 0.0F, 1.0F);
    return v <= 0.0031308F ? 12.92F * v : 1.055F * std::pow(v, 1 / 2.4F) - 0.055F;
}
float decoded(float v) {
    return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
}

using Vector = std::array<float, 3>;
using Matrix = std::array<Vector, 3>; // rows

Vector product(const Matrix& m, const Vector& v) {
    Vector result;
    for (std::size_t i = 0; i < 3; ++i) {
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    }
    return result;
}

/// Matrices of CSS Color Module Level 4, to linear sRGB. Lab has the white point D50, the others D65.
constexpr Matrix from_xyz_d50{{{3.1341359F, -1.6173863F, -0.4906619F},
                               {-0.9787955F, 1.9162543F, 0.0334428F},
                               {0.0719554F, -0.2289768F, 1.4053860F}}};
constexpr Matrix from_p3{
    {{1.2249402F, -0.2249402F, 0}, {-0.0420570F, 1.0420570F, 0}, {-0.0196376F, -0.0786361F, 1.0982736F}}};
constexpr Matrix cone_from_oklab{
    {{1, 0.3963378F, 0.2158038F}, {1, -0.1055613F, -0.0638542F}, {1, -0.0894842F, -1.2914855F}}};
constexpr Matrix from_cone{{{4.0767417F, -3.3077116F, 0.2309699F},
                            {-1.2684380F, 2.6097574F, -0.3413194F},
                            {-0.0041961F, -0.7034186F, 1.7076147F}}};

Vector linear_from_lab(const Vector& lab) {
    const float y = (lab[0] + 16) / 116;
    const auto cubed = [](float t) { return t > 6.0F / 29 ? t * t * t : (116 * t - 16) * 27 / 24389; };
    return product(from_xyz_d50,
                   {0.9642957F * cubed(y + lab[1] / 500), cubed(y), 0.8251046F * cubed(y - lab[2] / 200)});
}

Vector linear_from_oklab(const Vector& lab) {
    Vector cone = product(cone_from_oklab, lab);
    for (float& v : cone) {
        v = v * v * v;
    }
    return product(from_cone, cone);
}

/// Converts lightness, chroma and hue to lightness, a and b.
Vector from_polar(const Vector& lch) {
    const float hue = lch[2] * std::numbers::pi_v<float> / 180;
    return {lch[0], lch[1] * std::cos(hue), lch[1] * std::sin(hue)};
}

/// A function of CSS whose arguments are separated by spaces.
struct ColorFunction {
    std::string_view name;
    Vector whole; ///< value of 100 %; 0: a hue
    Vector (*to_linear)(const Vector&);
};
constexpr ColorFunction color_functions[] = {
    {"lab", {100, 125, 125}, linear_from_lab},
    {"lch", {100, 150, 0}, [](const Vector& v) { return linear_from_lab(from_polar(v)); }},
    {"oklab", {1, 0.4F, 0.4F}, linear_from_oklab},
    {"oklch", {1, 0.4F, 0}, [](const Vector& v) { return linear_from_oklab(from_polar(v)); }},
    {"hwb",
     {0, 100, 100},
     [](const Vector& v) {
         const float scale = std::max(100.0F, v[1] + v[2]), white = v[1] / scale, black = v[2] / scale;
         const Color pure = from_hsl(v[0] - 360 * std::floor(v[0] / 360), 1, 0.5F, 1);
         const auto mixed = [&](float part) { return decoded(part * (1 - white - black) + white); };
         return Vector{mixed(pure.red), mixed(pure.green), mixed(pure.blue)};
     }},
    {"srgb",
     {1, 1, 1},
     [](const Vector& v) {
         return Vector{decoded(v[0]), decoded(v[1]), decoded(v[2])};
     }},
    {"srgb-linear", {1, 1, 1}, [](const Vector& v) { return v; }},
    {"display-p3",
     {1, 1, 1},
     [](const Vector& v) {
         return product(from_p3, {decoded(v[0]), decoded(v[1]), decoded(v[2])});
     }},
};

/// Parses the arguments of a function, after its opening parenthesis. Colors outside of sRGB are clamped.
std::optional<Color> read_arguments(const ColorFunction& function, Scanner& scanner) {
    Vector v{};
    for (std::size_t i = 0; i < 3; ++i) {
        const bool is_hue = function.whole[i] == 0;
        if (scanner.skip("none")) {
            continue;
        }
        const auto angle = is_hue ? scanner.angle() : std::nullopt;
        const auto item = is_hue ? std::nullopt : scanner.length();
        if (!angle && !item) {
            return {};
        }
        const bool is_percent = item && item->unit == Length::Unit::percent;
        v[i] = angle ? *angle : is_percent ? item->value / 100 * function.whole[i] : item->value;
    }
    float alpha = 1;
    if (scanner.skip("/")) {
        const auto read = scanner.length();
        alpha = !read ? 1 : read->unit == Length::Unit::percent ? read->value / 100 : read->value;
    }
    if (!scanner.skip(")")) {
        return {};
    }
    const Vector linear = function.to_linear(v);
    return Color{encoded(linear[0]), encoded(linear[1]), encoded(linear[2]), std::clamp(alpha, 0.0F, 1.0F)};
}

/// Parses a function of CSS Color Module Level 4 whose name is `name`: lab(), oklch(), color() and so on.
std::optional<Color> read_color_function(const std::string& name, Scanner& scanner) {
    if (!scanner.skip("(")) {
        return {};
    }
    const bool is_color = name == "color";
    const std::string wanted = is_color ? lower(scanner.word()) : name;
    for (const ColorFunction& function : color_functions) {
        const bool is_space = function.name == "display-p3" || function.name.starts_with("srgb");
        if (function.name == wanted && is_space == is_color) {
            return read_arguments(function, scanner);
        }
    }
    return {};
}

} // namespace

std::optional<Color> read_color(Scanner& scanner) {
    if (scanner.skip("#")) {
        return from_hex(scanner.word());
    }
    const std::string name = lower(scanner.word());
    const bool is_hsl = name == "hsl" || name == "hsla";
    if (is_hsl || name == "rgb" || name == "rgba") {
        if (!scanner.skip("(")) {
            return {};
        }
        float v[4] = {0, 0, 0, 1};
        std::size_t count = 0, percents = 0; // number of percentages among the first three
        while (!scanner.skip(")")) {
            scanner.skip("/");
            if (is_hsl && count == 0) {
                const auto hue = scanner.angle();
                if (!hue) {
                    return {};
                }
                scanner.skip(",");
                v[count++] = *hue;
                continue;
            }
            const auto item = scanner.length();
            if (!item || count == 4) {
                return {};
            }
            const bool is_percent = item->unit == Length::Unit::percent;
            percents += is_percent && count < 3 ? 1 : 0;
            const float one = is_percent ? 100 : !is_hsl && count < 3 ? 255 : 1;
            v[count++] = std::clamp(item->value / one, 0.0F, 1.0F);
        }
        if (count < 3 || (!is_hsl && percents % 3 != 0)) {
            return {};
        }
        if (is_hsl) {
            return from_hsl(v[0] - 360 * std::floor(v[0] / 360), v[1], v[2], v[3]);
        }
        return Color{v[0], v[1], v[2], v[3]};
    }
    if (name == "transparent") {
        return Color{0, 0, 0, 0};
    }
    if (scanner.rest().starts_with('(')) {
        return read_color_function(name, scanner);
    }
    const auto* found =
        std::lower_bound(std::begin(names), std::end(names), name,
                         [](const auto& entry, const std::string& wanted) { return entry.first < wanted; });
    if (found == std::end(names) || found->first != name) {
        return {};
    }
    return from_bytes(found->second);
}

std::optional<Color> read_color(std::string_view text) {
    Scanner scanner(text);
    const auto color = read_color(scanner);
    return scanner.at_end() ? color : std::nullopt;
}

} // namespace weir::svg
