#include "primitives/kernel/windows.hpp"

#include <algorithm>

#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct WindowCountsInterface {
#include "shaders/graph/window_counts_interface.h"
};

/// Windows begin at multiples of this number of elements, and parts of buffers at multiples of this number of words: no
/// device has a minStorageBufferOffsetAlignment of more than 256 bytes.
constexpr std::uint32_t unit = 64;

/// Returns the counts of the windows, each a word on the GPU, and the number of windows that are not empty.
std::vector<Count> count_windows(Graph& graph, const Count& count, std::uint32_t elements, std::uint32_t windows) {
    const auto counts = graph.transient_buffer<std::uint32_t>("window counts", windows + 1);
    Pass pass = kernel_pass("window counts", shaders::window_counts);
    set_bindings(pass, {{WindowCountsInterface::WINDOWS_BINDING, write(counts)}});
    set_constants(pass, WindowCountsInterface{});
    // The output cannot stand in for the count's buffer: the pass only writes it.
    const BufferId stand_in =
        count.kind == Count::Kind::gpu ? BufferId{} : graph.state_buffer<std::uint32_t>("no count", 1);
    add_count(pass, count, stand_in, WindowCountsInterface::COUNTS_BINDING, &WindowCountsInterface::COUNT_ON_GPU);
    push_words(pass, {elements, windows});
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(std::move(pass));
    std::vector<Count> all;
    for (std::uint32_t i = 0; i < windows; ++i) {
        all.push_back(graph.count_in(counts, i, std::min(elements, count.max - i * elements)));
    }
    all.push_back(graph.count_in(counts, windows, windows));
    return all;
}

} // namespace

bool exceeds_binding(const Graph& graph, std::initializer_list<BufferId> buffers) {
    return std::ranges::any_of(buffers, [&](BufferId buffer) {
        return buffer.valid() && is_of(graph, buffer) &&
               graph.description().resources[buffer.index].bytes > graph.capabilities().max_storage_range;
    });
}

std::uint32_t stride_of(WordLayout layout, std::uint32_t words) {
    return layout.stride != 0 ? layout.stride : words;
}

Windows divide_into_windows(Graph& graph, const char* primitive, const Count& count, std::uint64_t all,
                            std::uint32_t stride, std::uint32_t per_word) {
    const std::uint64_t range = graph.capabilities().max_storage_range;
    const std::uint64_t words = range / 4 - std::min<std::uint64_t>(range / 4, unit); // parts begin up to a unit early
    const auto elements = static_cast<std::uint32_t>(std::min<std::uint64_t>(words / stride, ~0U) / (unit * per_word) *
                                                     (unit * per_word));
    if (elements == 0) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(primitive, ": elements at a distance of ", stride, " words; a binding has at most ", range,
                           " bytes (maxStorageBufferRange)")});
        return {};
    }
    const std::uint64_t most = std::max<std::uint64_t>(all != 0 ? all : count.max, 1);
    const auto windows = static_cast<std::uint32_t>((most + elements - 1) / elements);
    Windows divided;
    if (all == 0 && count.kind != Count::Kind::constant) {
        std::vector<Count> counts = count_windows(graph, count, elements, windows);
        divided.used = counts.back();
        for (std::uint32_t i = 0; i < windows; ++i) {
            divided.each.push_back({std::uint64_t{i} * elements, counts[i]});
        }
        return divided;
    }
    const std::uint64_t exact = all != 0 ? all : count.max;
    for (std::uint64_t first = 0; divided.each.empty() || first < exact; first += elements) {
        divided.each.push_back({first, static_cast<std::uint32_t>(std::min<std::uint64_t>(elements, exact - first))});
    }
    divided.used = exact != 0 ? windows : 0;
    return divided;
}

WindowPart part_of(Graph& graph, BufferId buffer, const Window& window, std::uint32_t words, WordLayout layout) {
    if (!buffer.valid()) {
        return {buffer, layout, 0};
    }
    const std::uint32_t stride = stride_of(layout, words), rest = layout.offset % unit;
    const std::uint64_t begin = layout.offset - rest + window.first * stride;
    const std::uint64_t size = rest + std::uint64_t{std::max(window.count.max, 1U) - 1} * stride + words;
    return {graph.part_bytes(buffer, begin * 4, size * 4), {.offset = rest, .stride = layout.stride}, size};
}

} // namespace weir
