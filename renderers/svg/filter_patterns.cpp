#include <algorithm>
#include <cmath>
#include <numeric>

#include "svg/filters.hpp"

namespace weir::svg {

namespace effect = weir::paths::effect;
using weir::paths::Point;

effect::Turbulence turbulence_of(const pugi::xml_node& node) {
    const Point frequency = pair_of(node, "baseFrequency").value_or(Point{});
    const bool is_valid = frequency.x >= 0 && frequency.y >= 0;
    effect::Turbulence turbulence{is_valid ? frequency.x : 0, is_valid ? frequency.y : 0};
    turbulence.octaves =
        static_cast<std::uint32_t>(std::clamp(std::round(number_of(node, "numOctaves", 1)), 0.0F, 16.0F));
    turbulence.seed = static_cast<std::int32_t>(std::clamp(number_of(node, "seed", 0), -2e9F, 2e9F));
    turbulence.is_stitched = std::string_view(node.attribute("stitchTiles").value()) == "stitch";
    turbulence.is_noise = std::string_view(node.attribute("type").value()) == "fractalNoise";
    return turbulence;
}

effect::Displacement displacement_of(const pugi::xml_node& node, Point scale) {
    const auto channel = [&](const char* name) {
        const std::string_view text = node.attribute(name).value();
        return text == "R"   ? effect::Channel::red
               : text == "G" ? effect::Channel::green
               : text == "B" ? effect::Channel::blue
                             : effect::Channel::alpha;
    };
    return {number_of(node, "scale", 0) * (scale.x + scale.y) / 2, channel("xChannelSelector"),
            channel("yChannelSelector")};
}

bool has_large_matrix(const pugi::xml_node& node) {
    const Point order = pair_of(node, "order").value_or(Point{});
    return order.x >= 33 || order.y >= 33;
}

effect::Work convolution_of(const pugi::xml_node& node) {
    effect::Convolution matrix;
    const Point order = pair_of(node, "order").value_or(Point{3, 3});
    if (order.x >= 1 && order.y >= 1) {
        matrix.columns = static_cast<std::uint32_t>(order.x);
        matrix.rows = static_cast<std::uint32_t>(order.y);
    }
    matrix.values = number_list(node.attribute("kernelMatrix").value());
    const float sum = std::accumulate(matrix.values.begin(), matrix.values.end(), 0.0F);
    matrix.divisor = number_of(node, "divisor", std::abs(sum) < 1e-6F ? 1 : sum);
    matrix.bias = number_of(node, "bias", 0);
    const float x = number_of(node, "targetX", std::floor(static_cast<float>(matrix.columns) / 2));
    const float y = number_of(node, "targetY", std::floor(static_cast<float>(matrix.rows) / 2));
    if (matrix.values.size() != std::size_t{matrix.columns} * matrix.rows || matrix.divisor == 0 ||
        !(x >= 0 && x < static_cast<float>(matrix.columns)) || !(y >= 0 && y < static_cast<float>(matrix.rows))) {
        return effect::Flood{{0, 0, 0, 0}}; // invalid
    }
    matrix.target_x = static_cast<std::uint32_t>(x);
    matrix.target_y = static_cast<std::uint32_t>(y);
    const std::string_view edge = node.attribute("edgeMode").value();
    matrix.edge = edge == "none" ? effect::Edge::none : edge == "wrap" ? effect::Edge::wrap : effect::Edge::duplicate;
    matrix.keeps_alpha = std::string_view(node.attribute("preserveAlpha").value()) == "true";
    return matrix;
}

} // namespace weir::svg
