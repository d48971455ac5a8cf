#include "harness/shape.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

namespace weir::bench {

namespace {

using studies::ScanStrategy;
using testing::TileStates;

bool parse_number(std::string_view text, std::uint32_t& out) {
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, out);
    return result.ec == std::errc() && result.ptr == end;
}

bool parse_numbers(std::string_view text, std::size_t most, Shape& shape) {
    std::size_t i = 0;
    while (i < most) {
        const auto cross = text.find('x');
        if (!parse_number(text.substr(0, cross), shape.numbers.at(i++))) {
            return false;
        }
        if (cross == std::string_view::npos) {
            return true;
        }
        text.remove_prefix(cross + 1);
    }
    return false;
}

bool parse_strategy(std::string_view text, ScanStrategy& out) {
    for (const ScanStrategy strategy :
         {ScanStrategy::fallback, ScanStrategy::look_back, ScanStrategy::chained, ScanStrategy::scalar_fallback,
          ScanStrategy::reduce_then_scan, ScanStrategy::scan_then_propagate}) {
        if (text == to_string(strategy)) {
            out = strategy;
            return true;
        }
    }
    return false;
}

bool parse_states(std::string_view text, Shape& shape) {
    for (const TileStates states : {TileStates::split, TileStates::packed}) {
        if (text == to_string(states)) {
            shape.instrument.tile_states = states;
            return true;
        }
    }
    shape.variant.flagged_states = text == "flagged";
    return shape.variant.flagged_states;
}

/// Parses names joined by '+'.
bool parse_fallback(std::string_view text, studies::FallbackChanges& changes) {
    while (!text.empty()) {
        const auto name = text.substr(0, text.find('+'));
        if (name != "reload" && name != "hint" && name != "own_block") {
            return false;
        }
        (name == "reload" ? changes.reload : name == "hint" ? changes.hint : changes.own_block) = true;
        text.remove_prefix(std::min(text.size(), name.size() + 1));
    }
    return changes.reload || changes.hint || changes.own_block;
}

bool parse_option(std::string_view text, const std::string& kernel, Shape& shape) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) {
        return false;
    }
    const auto name = text.substr(0, equals);
    const auto value = text.substr(equals + 1);
    if (kernel == "merge_sort") {
        return name == "splits" && parse_number(value, shape.splits_from);
    }
    if (kernel == "sort" && name == "single") {
        return parse_number(value, shape.single_workgroup_keys);
    }
    if (kernel == "scan" && name == "strategy") {
        return parse_strategy(value, shape.variant.strategy);
    }
    if (kernel == "scan" && name == "fallback") {
        return parse_fallback(value, shape.variant.fallback);
    }
    if (kernel == "scan" && name == "states") {
        return parse_states(value, shape);
    }
    if (kernel != "reduce" && name == "silent") {
        return parse_number(value, shape.instrument.one_in);
    }
    if (kernel == "scan" && name == "subgroups") {
        shape.variant.emulated_subgroup_scans = value == "emulated";
        return shape.variant.emulated_subgroup_scans;
    }
    return name == "subgroup" ? parse_number(value, shape.subgroup_size)
           : name == "spins"  ? parse_number(value, shape.max_spins)
                              : false;
}

} // namespace

ScanTuning Shape::scan_tuning() const {
    return {.workgroup = numbers[0], .chunks = numbers[1], .subgroup_size = subgroup_size, .max_spins = max_spins};
}

Result<Shapes> Shapes::parse(const std::vector<std::string>& texts) {
    Shapes shapes;
    for (const std::string& text : texts) {
        const auto colon = text.find(':');
        const std::string kernel = text.substr(0, colon);
        const bool sort = kernel == "sort";
        const bool scan = kernel == "scan";
        const bool compact = kernel == "compact";
        const bool merge_sort = kernel == "merge_sort";
        bool good = colon != std::string::npos && (sort || scan || compact || merge_sort || kernel == "reduce");
        Shape shape;
        if (good) {
            shape.text = text.substr(colon + 1);
            // By default, no size uses the single-workgroup sort, because the shape is that of the sweeps.
            shape.single_workgroup_keys = 1;
            std::istringstream parts(shape.text);
            std::string part;
            good = std::getline(parts, part, ',') && parse_numbers(part, scan || compact || merge_sort ? 2 : 3, shape);
            while (good && std::getline(parts, part, ',')) {
                good = parse_option(part, kernel, shape);
            }
        }
        if (!good) {
            return tl::unexpected(Error{
                ErrorCode::invalid_argument,
                "--shape '" + text +
                    "' is not a shape such as scan:256x4, reduce:256x8x1024, sort:512x27x3 or merge_sort:256x17"});
        }
        shape.instrument.scan_variant = studies::scan_variant(shape.variant);
        (sort         ? shapes.sort
         : scan       ? shapes.scan
         : compact    ? shapes.compact
         : merge_sort ? shapes.merge_sort
                      : shapes.reduce)
            .push_back(std::move(shape));
    }
    return shapes;
}

} // namespace weir::bench
