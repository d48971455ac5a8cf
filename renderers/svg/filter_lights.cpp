#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "svg/filters.hpp"

namespace weir::svg {

namespace effect = weir::paths::effect;
using weir::paths::Point;

namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

effect::Light light_of(const pugi::xml_node& node, Point origin, Point scale) {
    const std::string_view name = node.name();
    const float depth = std::sqrt((scale.x * scale.x + scale.y * scale.y) / 2);
    const auto get = [&](const char* attribute) { return number_of(node, attribute, 0); };
    const auto x = [&](const char* attribute) { return origin.x + get(attribute) * scale.x; };
    const auto y = [&](const char* attribute) { return origin.y + get(attribute) * scale.y; };
    const auto z = [&](const char* attribute) { return get(attribute) * depth; };
    if (name == "feDistantLight") {
        return effect::DistantLight{get("azimuth") * degree, get("elevation") * degree};
    }
    if (name == "fePointLight") {
        return effect::PointLight{x("x"), y("y"), z("z")};
    }
    effect::SpotLight spot{x("x"), y("y"), z("z"), x("pointsAtX"), y("pointsAtY"), z("pointsAtZ")};
    const float exponent = number_of(node, "specularExponent", 1);
    spot.exponent = exponent > 0 ? exponent : 1;
    if (node.attribute("limitingConeAngle")) {
        spot.cone = std::abs(get("limitingConeAngle")) * degree;
    }
    return spot;
}

} // namespace

effect::Work lighting_of(const pugi::xml_node& node, const Style& style, Point origin, Point scale) {
    const bool is_specular = std::string_view(node.name()) == "feSpecularLighting";
    const auto light = std::find_if(node.begin(), node.end(), [](const pugi::xml_node& child) {
        const std::string_view name = child.name();
        return name == "feDistantLight" || name == "fePointLight" || name == "feSpotLight";
    });
    const float exponent = number_of(node, "specularExponent", 1);
    if (light == node.end() || (is_specular && !(exponent >= 1 && exponent <= 128))) { // invalid
        return effect::Flood{{0, 0, 0, 0}};
    }
    const float height = number_of(node, "surfaceScale", 1);
    const float constant = number_of(node, is_specular ? "specularConstant" : "diffuseConstant", 1);
    if (is_specular) {
        return effect::SpecularLighting{light_of(*light, origin, scale), style.lighting_color, height, constant,
                                        exponent};
    }
    return effect::DiffuseLighting{light_of(*light, origin, scale), style.lighting_color, height, constant};
}

} // namespace weir::svg
