#include "primitives/kernel/kernel.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

namespace weir {

bool is_of(const Graph& graph, BufferId buffer) {
    return buffer.graph == graph.description().identity.get();
}

bool is_written(const Graph& graph, BufferId buffer) {
    const GraphDescription& description = graph.description();
    if (buffer.graph != description.identity.get()) {
        return false;
    }
    const auto writes_it = [&](const GraphDescription::PassUse& use) {
        return use.resource == buffer.index && use.writes();
    };
    return description.resources[buffer.index].lifetime == GraphDescription::Lifetime::import ||
           std::ranges::any_of(description.passes, [&](const GraphDescription::PassNode& pass) {
               return std::ranges::any_of(pass.uses, writes_it);
           });
}

bool check_input(Graph& graph, const char* primitive, BufferId input) {
    if (input.valid() && is_of(graph, input)) {
        return true;
    }
    graph.fail({ErrorCode::invalid_argument,
                std::string(primitive) + ": the input is " + (input.valid() ? "of another graph" : "null")});
    return false;
}

SubgroupChoice choose_subgroup(Graph& graph, const char* primitive, std::uint32_t wanted) {
    const Capabilities& device = graph.capabilities();
    if (device.subgroup_size_min == device.subgroup_size_max) {
        if (wanted != 0 && wanted != device.subgroup_size) {
            graph.fail({ErrorCode::unsupported, std::string(primitive) + ": subgroup size " + std::to_string(wanted) +
                                                    " is not supported; the device has " +
                                                    std::to_string(device.subgroup_size)});
        }
        return {0, device.subgroup_size, device.subgroup_size};
    }
    const bool in_range =
        wanted >= device.subgroup_size_min && wanted <= device.subgroup_size_max && (wanted & (wanted - 1)) == 0;
    if (wanted != 0 && (!device.subgroup_size_selectable || !in_range)) {
        graph.fail({ErrorCode::unsupported, std::string(primitive) + ": subgroup size " + std::to_string(wanted) +
                                                " is not supported: the device cannot require it"});
    }
    if (!device.subgroup_size_selectable) {
        return {0, 0, device.subgroup_size_min};
    }
    const std::uint32_t size = wanted != 0 ? wanted : device.subgroup_size;
    return {size, size, size};
}

std::uint32_t max_workgroup(const Capabilities& device, const SubgroupChoice& subgroup) {
    return std::bit_floor(std::min(device.max_workgroup_invocations, subgroup.least * device.max_workgroup_subgroups));
}

std::uint64_t elements_in(std::uint64_t words, std::uint32_t element_words, WordLayout layout) {
    const std::uint64_t first_end = std::uint64_t{layout.offset} + element_words;
    const std::uint64_t end = std::min(words, std::uint64_t{1} << 32);
    const std::uint32_t stride = layout.stride != 0 ? layout.stride : element_words;
    return end < first_end ? 0 : (end - first_end) / stride + 1;
}

std::uint32_t initial_mode(bool has_initial, bool only_of_nothing) {
    return !has_initial      ? LibraryInterface::INITIAL_NONE
           : only_of_nothing ? LibraryInterface::INITIAL_OF_NOTHING
                             : LibraryInterface::INITIAL_ALWAYS;
}

std::uint32_t tile_state_words(std::uint32_t entries, std::uint32_t entry_words) {
    constexpr std::uint32_t alignment = LibraryInterface::WEIR_ENTRY_ALIGNMENT;
    return LibraryInterface::WEIR_FIRST_ENTRY + entries * (divide_up(entry_words, alignment) * alignment);
}

std::uint32_t counting_share(const Capabilities& device, std::uint32_t count, std::uint32_t least) {
    const std::uint32_t share = device.kind == DeviceKind::cpu ? 16384 : std::bit_ceil(count / 1024 + 1);
    return std::min(std::max(share, least), 1U << 18);
}

std::uint32_t chunk_elements(std::uint32_t words) {
    return words % 4 == 0 ? 1 : words % 2 == 0 ? 2 : 4;
}

bool check_workgroup_memory(Graph& graph, const char* primitive, std::uint32_t workgroup,
                            const SubgroupChoice& subgroup, std::uint32_t words, std::uint32_t more_bytes) {
    const std::uint32_t least = subgroup.known != 0 ? subgroup.known : LibraryInterface::WEIR_MIN_SUBGROUP;
    const std::uint32_t bytes = (workgroup / least + 1) * padded_words(words) * 4 + more_bytes;
    const std::uint32_t most = graph.capabilities().max_workgroup_memory;
    if (bytes > most) {
        graph.fail({ErrorCode::limit_exceeded,
                    std::string(primitive) + ": the shape requires " + std::to_string(bytes) +
                        " bytes of workgroup memory; the device's limit is " + std::to_string(most)});
    }
    return bytes <= most;
}

Pass kernel_pass(std::string name, ShaderSource shader) {
    Pass pass;
    pass.name = std::move(name);
    pass.shader = std::move(shader);
    return pass;
}

Pass kernel_pass(std::string name, ShaderSource shader, const SubgroupChoice& subgroup) {
    Pass pass = kernel_pass(std::move(name), std::move(shader));
    pass.subgroup_size = subgroup.required;
    pass.full_subgroups = true;
    return pass;
}

Pass kernel_pass(const std::string& name, const Packed& shader) {
    return kernel_pass(name, ShaderSource::packed(shader, name));
}

Pass kernel_pass(const std::string& name, const Packed& shader, const SubgroupChoice& subgroup) {
    return kernel_pass(name, ShaderSource::packed(shader, name), subgroup);
}

void push_words(Pass& pass, std::initializer_list<PushWord> words) {
    pass.push.insert(pass.push.end(), words.begin(), words.end());
}

void push_layouts(Pass& pass, std::uint32_t words, WordLayout in, WordLayout out) {
    const auto stride = [&](WordLayout layout) { return layout.stride != 0 ? layout.stride : words; };
    push_words(pass, {in.offset, stride(in), out.offset, stride(out)});
}

void add_count(Pass& pass, const Count& count, BufferId stand_in, std::uint32_t binding, std::uint32_t on_gpu) {
    const bool is_on_gpu = count.kind == Count::Kind::gpu;
    if (is_on_gpu) {
        push_words(pass, {count.max, count.word});
    } else {
        push_words(pass, {count, 0U});
    }
    set_bindings(pass, {{binding, is_on_gpu ? read(count.buffer) : unused(stand_in)}});
    pass.constants[on_gpu] = is_on_gpu ? 1 : 0;
}

} // namespace weir
