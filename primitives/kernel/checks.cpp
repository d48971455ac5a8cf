#include "primitives/kernel/checks.hpp"

#include <algorithm>
#include <string>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"

namespace weir {

bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words) {
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, concat(primitive, ": ", buffer.what, why)});
        return false;
    };
    if (!buffer.buffer.valid()) {
        return refuse(ErrorCode::invalid_argument, " is null");
    }
    if (!is_of(graph, buffer.buffer)) {
        return refuse(ErrorCode::invalid_argument, " is of another graph");
    }
    if (needed > buffer.capacity) {
        return refuse(ErrorCode::invalid_argument,
                      concat(" has a capacity of ", buffer.capacity, " elements; ", needed, " are required"));
    }
    return buffer.is_large || needed * words <= ~0U ||
           refuse(ErrorCode::limit_exceeded,
                  concat(" has ", needed, " elements of ", words, " words; less than 2^32 words are addressable"));
}

bool check_layout(Graph& graph, const char* primitive, const CheckedLayout& elements, std::uint64_t needed) {
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, concat(primitive, ": ", why)});
        return false;
    };
    const std::uint64_t words = elements.element_words;
    const std::uint64_t stride = elements.layout.stride != 0 ? elements.layout.stride : words;
    if (stride < words) {
        return refuse(ErrorCode::invalid_argument,
                      concat("the stride of ", elements.what, " is ", stride, " words; its elements have ", words));
    }
    const std::uint64_t end = needed == 0 ? 0 : elements.layout.offset + (needed - 1) * stride + words;
    if (end > std::uint64_t{1} << 32 && !elements.is_large) {
        return refuse(ErrorCode::limit_exceeded,
                      concat(elements.what, " ends at word ", end, "; 2^32 words are addressable"));
    }
    return end <= elements.buffer_words ||
           refuse(ErrorCode::invalid_argument, concat(elements.what, " has a capacity of ", elements.buffer_words,
                                                      " words; ", needed, " elements require ", end));
}

bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read) {
    for (auto output = written.begin(); output != written.end(); ++output) {
        const auto same = [&](BufferId other) { return output->valid() && other == *output; };
        const bool is_read = std::any_of(only_read.begin(), only_read.end(), same);
        if (is_read || std::any_of(output + 1, written.end(), same)) {
            graph.fail(
                {ErrorCode::invalid_argument, concat(primitive, is_read ? ": an output is also an input or a count"
                                                                        : ": two outputs are the same buffer")});
            return false;
        }
    }
    return true;
}

} // namespace weir
