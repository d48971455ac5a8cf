#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>
#include <weir/paths/effects.hpp>

#include "svg/reader.hpp"

namespace weir::svg {

/// Returns the number of an attribute, or `usual` if it is missing or invalid.
float number_of(const pugi::xml_node& node, const char* name, float usual);
/// Returns one or two numbers; the second one is the first one if it is missing. Returns nullopt for others.
std::optional<weir::paths::Point> pair_of(const pugi::xml_node& node, const char* name);
/// Reads feDiffuseLighting or feSpecularLighting. `origin`, `scale`: of the units.
weir::paths::effect::Work lighting_of(const pugi::xml_node& node, const Style& style, weir::paths::Point origin,
                                      weir::paths::Point scale);

weir::paths::effect::Turbulence turbulence_of(const pugi::xml_node& node);
/// `scale`: of the units.
weir::paths::effect::Displacement displacement_of(const pugi::xml_node& node, weir::paths::Point scale);
weir::paths::effect::Work convolution_of(const pugi::xml_node& node);
/// Returns true if the matrix of feConvolveMatrix has more columns or rows than are supported.
bool has_large_matrix(const pugi::xml_node& node);

/// Reads the filters of an element: the property `filter` and the elements that it refers to.
class FilterReader {
public:
    FilterReader(Reader& reader, const pugi::xml_node& node, const Style& style, const Reader::Place& place);
    /// Returns the effects in the order in which they apply. Returns nullopt if the element must not be drawn, because
    /// none of its links leads to a filter with primitives.
    [[nodiscard]] std::optional<std::vector<weir::paths::Effect>> read();

private:
    using Node = pugi::xml_node;
    using Along = Reader::Along;
    using Effect = weir::paths::Effect;
    using Input = weir::paths::effect::Input;
    using Rect = weir::paths::Rect;
    /// A primitive and its result.
    struct Primitive {
        std::string result;
        Input input;
    };
    /// Units of a filter's primitives.
    struct Units {
        bool is_box = false;            ///< parts of the bounding box
        weir::paths::Point origin;      ///< zero of absolute positions
        weir::paths::Point scale{1, 1}; ///< size of a unit
    };

    // filters.cpp: the property and its functions
    [[nodiscard]] std::optional<Effect> function(std::string_view name, std::string_view arguments) const;
    [[nodiscard]] std::optional<Effect> shadow(std::string_view arguments) const;
    /// Returns an effect without steps. `reach` is the distance by which it extends the element.
    [[nodiscard]] Effect unlimited(float reach) const;

    // filter_elements.cpp
    [[nodiscard]] std::optional<Effect> element(const Node& filter);
    void add(Effect& effect, const Node& primitive, const Style& style, const Units& units, const Rect& area);
    /// Returns the region of a primitive; nullopt if it is empty.
    [[nodiscard]] std::optional<Rect> area_of(const Node& primitive, const Units& units, const Rect& region) const;
    /// Returns the input that an attribute names. An unknown name stands for the result of the previous primitive.
    [[nodiscard]] Input input_of(const Node& node, const char* attribute) const;
    /// Returns the inputs of feMerge, or attributes `in` and `in2`.
    [[nodiscard]] std::vector<Input> inputs_of(const Node& primitive) const;
    /// Reads a primitive that is a single step. Returns nullopt for others.
    [[nodiscard]] std::optional<weir::paths::effect::Work> work(const Node& primitive, const Style& style,
                                                                const Units& units, const Rect& area) const;
    /// Returns feImage as a paint. Returns nullopt if it has no image.
    [[nodiscard]] std::optional<weir::paths::effect::Work> image(const Node& primitive, const Style& style,
                                                                 const Rect& area) const;

    Reader& reader_;
    const Style& style_;
    const Reader::Place& place_;
    std::optional<Rect> box_; ///< null: without area
    std::vector<Primitive> primitives_;
};

} // namespace weir::svg
