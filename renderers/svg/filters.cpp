#include "svg/filters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weir::svg {

using weir::paths::Effect;
using weir::paths::effect::ColorMatrix;

namespace {

/// A function of the property `filter`.
struct FilterFunction {
    std::string name;
    std::string_view arguments; ///< for url(): the function with its arguments
};

/// Splits "blur(2px) url(#f)". Returns nullopt if it is invalid.
std::optional<std::vector<FilterFunction>> functions_of(std::string_view text) {
    std::vector<FilterFunction> functions;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t open = std::min(text.size(), text.find('('));
        const std::size_t length = end_of_brackets(text.substr(open));
        if (length == std::string_view::npos) {
            return {};
        }
        const std::string name = lower(text.substr(0, open));
        functions.push_back({name, name == "url" ? text.substr(0, open + length) : text.substr(open + 1, length - 2)});
        text.remove_prefix(open + length);
    }
    return functions;
}

/// Reads a number or a percentage that is not negative.
std::optional<float> amount_of(std::string_view text) {
    Scanner scanner(text);
    if (scanner.at_end()) {
        return 1.0F;
    }
    const auto read = scanner.length();
    if (!read || !scanner.at_end() || read->value < 0 ||
        (read->unit != Length::Unit::px && read->unit != Length::Unit::percent)) {
        return {};
    }
    return read->unit == Length::Unit::percent ? read->value / 100 : read->value;
}

/// Returns the matrix from `to`, for an amount of 1, to the identity, for an amount of 0.
ColorMatrix mixed(const std::array<float, 9>& to, float amount) {
    ColorMatrix matrix;
    amount = std::min(amount, 1.0F);
    for (std::size_t i = 0; i < 9; ++i) {
        float& value = matrix.values[i / 3 * 5 + i % 3];
        value += (to[i] - value) * amount;
    }
    return matrix;
}

/// Returns the matrix that multiplies each color by `slope` and adds `constant`.
ColorMatrix linear_matrix(float slope, float constant) {
    ColorMatrix matrix;
    for (std::size_t i = 0; i < 3; ++i) {
        matrix.values[i * 6] = slope;
        matrix.values[i * 5 + 4] = constant;
    }
    return matrix;
}

std::optional<ColorMatrix> color_function(std::string_view name, float amount) {
    const float part = std::min(amount, 1.0F);
    if (name == "brightness") {
        return linear_matrix(amount, 0);
    }
    if (name == "contrast") {
        return linear_matrix(amount, 0.5F - 0.5F * amount);
    }
    if (name == "invert") {
        return linear_matrix(1 - 2 * part, part);
    }
    if (name == "grayscale") {
        return mixed({0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F, 0.2126F, 0.7152F, 0.0722F}, amount);
    }
    if (name == "sepia") {
        return mixed({0.393F, 0.769F, 0.189F, 0.349F, 0.686F, 0.168F, 0.272F, 0.534F, 0.131F}, amount);
    }
    if (name == "saturate") {
        return ColorMatrix::saturation(amount);
    }
    if (name == "opacity") {
        ColorMatrix matrix;
        matrix.values[18] = part;
        return matrix;
    }
    return {};
}

} // namespace

FilterReader::FilterReader(Reader& reader, const pugi::xml_node& node, const Style& style, const Reader::Place& place)
    : reader_(reader), style_(style), place_(place), box_(reader.box_of(node, place)) {
    if (box_ && !(box_->right > box_->left && box_->bottom > box_->top)) {
        box_.reset();
    }
}

Effect FilterReader::unlimited(float reach) const {
    // Functions have no region. Strokes extend boxes by an unknown width.
    const float width = box_->right - box_->left, height = box_->bottom - box_->top;
    reach += std::max(width, height) / 2 + Reader::pixels(style_.stroke_width, place_, style_, Along::diagonal);
    return {.region = {box_->left - reach, box_->top - reach, box_->right + reach, box_->bottom + reach},
            .transform = place_.transform};
}

std::optional<Effect> FilterReader::shadow(std::string_view arguments) const {
    weir::paths::Color shadow = style_.color;
    Scanner scanner(arguments);
    bool has_color = false;
    std::vector<float> lengths;
    while (!scanner.at_end()) {
        Scanner next = scanner;
        if (const auto length = next.length()) {
            if (length->unit == Length::Unit::percent) {
                return {};
            }
            lengths.push_back(Reader::pixels(*length, place_, style_, Along::diagonal));
        } else {
            next = scanner;
            if (lower(next.word()) != "currentcolor") {
                next = scanner;
                const auto color = read_color(next);
                if (!color) {
                    return {};
                }
                shadow = *color;
            }
            if (std::exchange(has_color, true)) {
                return {};
            }
        }
        scanner = next;
    }
    lengths.resize(lengths.size() == 2 ? 3 : lengths.size());
    if (lengths.size() != 3 || lengths[2] < 0) {
        return {};
    }
    Effect effect = unlimited(3 * lengths[2] + std::max(std::abs(lengths[0]), std::abs(lengths[1])));
    effect.add_drop_shadow(weir::paths::effect::source, {lengths[2], lengths[2]}, {lengths[0], lengths[1]}, shadow);
    return effect;
}

std::optional<Effect> FilterReader::function(std::string_view name, std::string_view arguments) const {
    Scanner scanner(arguments);
    if (name == "drop-shadow") {
        return shadow(arguments);
    }
    if (name == "blur") {
        const auto length = scanner.at_end() ? Length{} : scanner.length();
        if (!length || !scanner.at_end() || length->value < 0 || length->unit == Length::Unit::percent) {
            return {};
        }
        const float deviation = Reader::pixels(*length, place_, style_, Along::diagonal);
        Effect effect = unlimited(3 * deviation);
        effect.add({weir::paths::effect::Blur{deviation, deviation}});
        return effect;
    }
    std::optional<ColorMatrix> matrix;
    if (name == "hue-rotate") {
        const auto angle = scanner.at_end() ? 0.0F : scanner.angle();
        if (angle && scanner.at_end()) {
            matrix = ColorMatrix::hue_rotation(*angle * std::numbers::pi_v<float> / 180);
        }
    } else if (const auto amount = amount_of(arguments)) {
        matrix = color_function(name, *amount);
    }
    if (!matrix) {
        return {};
    }
    Effect effect = unlimited(0);
    effect.add({*matrix});
    return effect;
}

std::optional<std::vector<weir::paths::EffectId>> Reader::effects_of(const Node& node, const Style& style,
                                                                     const Place& place) {
    const auto effects = FilterReader(*this, node, style, place).read();
    if (!effects) {
        return {};
    }
    std::vector<weir::paths::EffectId> ids;
    for (const Effect& effect : *effects) {
        ids.push_back(drawing_.scene.add_effect(effect));
    }
    return ids;
}

std::optional<std::vector<Effect>> FilterReader::read() {
    std::vector<Effect> effects;
    const auto functions = functions_of(style_.filter);
    bool has_wrong_link = false;
    for (const FilterFunction& one : functions.value_or(std::vector<FilterFunction>{})) {
        if (one.name == "url") {
            Scanner scanner(one.arguments);
            const Node target = reader_.find(id_of_url(scanner));
            auto effect = target ? element(target) : std::nullopt;
            has_wrong_link = has_wrong_link || !effect;
            if (effect) {
                effects.push_back(std::move(*effect));
            }
        } else if (box_) {
            auto effect = function(one.name, one.arguments);
            if (!effect) { // invalid: no filter at all
                return std::vector<Effect>{};
            }
            effects.push_back(std::move(*effect));
        }
    }
    return effects.empty() && has_wrong_link ? std::nullopt : std::optional(std::move(effects));
}

} // namespace weir::svg
