#include <weir/primitives/segments.hpp>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"
#include "primitives/scan_pass.hpp"

namespace weir {

std::uint32_t Segments::most(std::uint32_t elements) const {
    switch (kind) {
    case Kind::none: return 1;
    case Kind::length: return length == 0 ? 0 : divide_up(elements, length);
    case Kind::offsets: return count.max;
    default: return elements;
    }
}

bool check_segments(Graph& graph, const char* primitive, const Segments& segments, std::uint32_t elements) {
    const auto refuse = [&](const std::string& why) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", why)});
        return false;
    };
    if (!check_enum(graph, primitive, "kind of segments", segments.kind, Segments::Kind::offsets)) {
        return false;
    }
    std::uint64_t needed = elements;
    const char* what = "flags";
    switch (segments.kind) {
    case Segments::Kind::none: return true;
    case Segments::Kind::length: return segments.length > 0 || refuse("segments of no elements are asked for");
    case Segments::Kind::flags: break;
    case Segments::Kind::bits:
        what = "words of bits";
        needed = divide_up(elements, 32);
        break;
    case Segments::Kind::keys:
        what = "keys";
        if (segments.key_words < 1 || segments.key_words > 16) {
            return refuse(concat("keys of ", segments.key_words, " words; 1 to 16 are possible"));
        }
        break;
    case Segments::Kind::offsets:
        what = "offsets";
        needed = segments.count.max;
        break;
    }
    if (!segments.buffer.valid()) {
        return refuse(concat("the ", what, " of the segments are no buffer of any graph"));
    }
    return needed <= segments.capacity ||
           refuse(concat("the segments need ", needed, " ", what, "; their buffer has ", segments.capacity));
}

} // namespace weir
