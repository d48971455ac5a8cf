#include <weir/primitives/segments.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/scan/scan_pass.hpp"

namespace weir {

std::uint32_t Segments::max_segments(std::uint32_t elements) const {
    switch (kind) {
    case Kind::none: return 1;
    case Kind::length:
        return variable_length.kind != Count::Kind::constant ? elements : length == 0 ? 0 : divide_up(elements, length);
    case Kind::offsets:
    case Kind::ranges:
    case Kind::rows: return count.max;
    default: return elements;
    }
}

bool check_segments(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements,
                    bool is_scan) {
    const auto refuse = [&](const std::string& why) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", why)});
        return false;
    };
    if (!check_enum(graph, primitive, "Segments::Kind", segments.kind, Segments::Kind::rows)) {
        return false;
    }
    if (segments.end_given && segments.kind != Segments::Kind::offsets) {
        return refuse("end_given is set, but the segments are not at offsets");
    }
    if (!is_scan && segments.kind == Segments::Kind::ranges) {
        return refuse("segments in ranges are supported by scans and reductions only");
    }
    if (segments.kind == Segments::Kind::rows) {
        return refuse("rows are supported by segmented_sort and segmented_top_k only");
    }
    const bool varies = segments.variable_length.kind != Count::Kind::constant;
    if (varies && (!is_scan || segments.kind != Segments::Kind::length)) {
        return refuse(is_scan ? "variable_length is set, but the segments are not of one length"
                              : "the length of segments must be a constant");
    }
    std::uint64_t needed = elements;
    std::uint32_t words = 1;
    const char* what = "the buffer of the segments' flags";
    switch (segments.kind) {
    case Segments::Kind::none:
    case Segments::Kind::rows: return true; // rows were refused above
    case Segments::Kind::length:
        return varies || segments.length > 0 || refuse("the length of segments must be at least 1");
    case Segments::Kind::flags: break;
    case Segments::Kind::bits:
        what = "the buffer of the segments' bit words";
        needed = divide_up(elements, 32);
        break;
    case Segments::Kind::keys:
        what = "the buffer of the segments' keys";
        if (segments.key_words < 1 || segments.key_words > 16) {
            return refuse(concat("keys of ", segments.key_words, " words; 1 to 16 are supported"));
        }
        words = segments.key_words;
        break;
    case Segments::Kind::offsets:
        what = "the buffer of the segments' offsets";
        needed = std::uint64_t{segments.count.max} + (segments.end_given ? 1 : 0);
        break;
    case Segments::Kind::ranges:
        what = "the buffer of the segments' begins";
        needed = segments.count.max;
        if (!check_room(graph, primitive, {"the buffer of the segments' ends", segments.ends, segments.ends.capacity},
                        needed, 1)) {
            return false;
        }
        break;
    }
    return check_room(graph, primitive, {what, segments.buffer, segments.capacity}, needed, words);
}

bool check_rows(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements) {
    if (std::uint64_t{segments.count.max} * segments.variable_length.max > elements) {
        graph.fail(
            {ErrorCode::invalid_argument,
             concat(primitive, ": at most ", segments.count.max, " rows of at most ", segments.variable_length.max,
                    " elements do not fit the capacity of ", elements, " elements")});
        return false;
    }
    return true;
}

} // namespace weir
