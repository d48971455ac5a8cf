#include <weir/primitives/scan.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include "primitives/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

// The ticket of tile_state.glsl counts 2^18 workgroups. There are more of them than tiles if they come in rows of
// unequal length, but no more than this many if they come in four rows of the least that a device can run.
constexpr std::uint32_t max_tiles = 4 * 65535;
constexpr std::uint32_t state_header = 32; // words before the first tile's, as there
constexpr std::uint32_t state_words = 2;   // per tile

std::uint32_t tiles_of(std::uint32_t count, std::uint32_t tile) {
    return count / tile + (count % tile != 0 ? 1 : 0);
}

/// The kernel's shape by device and size.
ScanTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, std::uint32_t capacity,
                        ScanTuning shape) {
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(256U, max_workgroup(device, subgroup));
    }
    shape.max_spins = choose_max_spins(shape.max_spins);
    if (shape.vectors == 0) {
        // Small inputs want many small tiles to fill the device; large ones want few look-backs.
        const auto fits = [&](int power) { return capacity <= 1U << power; };
        if (device.kind == DeviceKind::cpu) {
            shape.vectors = 4;
        } else {
            shape.vectors = fits(16) ? 1 : fits(18) ? 2 : fits(21) ? 4 : fits(25) ? 8 : 16;
        }
        while (shape.vectors < 16 && tiles_of(capacity, shape.workgroup * shape.vectors * 4) > max_tiles) {
            shape.vectors *= 2;
        }
    }
    return shape;
}

Error refuse(ErrorCode code, const std::string& why) {
    return {code, "scan: " + why};
}

} // namespace

BufferRef<std::uint32_t> scan(Graph& graph, BufferRef<std::uint32_t> input, const ScanOptions& options) {
    if (!check_input(graph, "scan", input)) {
        return {};
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, "scan", options.tuning.subgroup_size);
    const ScanTuning shape = choose_shape(device, subgroup, input.capacity, options.tuning);
    auto output = options.output.valid()
                      ? options.output.with_count(input.count)
                      : graph.transient_buffer<std::uint32_t>("scanned", input.capacity, input.count);

    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least ||
        shape.workgroup > max_workgroup(device, subgroup) || shape.vectors > 64) {
        graph.fail(refuse(ErrorCode::invalid_argument, "a workgroup of " + std::to_string(shape.workgroup) +
                                                           " invocations with " + std::to_string(shape.vectors) +
                                                           " vectors each; the device runs powers of two up to " +
                                                           std::to_string(max_workgroup(device, subgroup))));
        return output;
    }
    if (output.capacity < input.capacity) {
        graph.fail(refuse(ErrorCode::invalid_argument, "the output has room for " + std::to_string(output.capacity) +
                                                           " elements, the input for " +
                                                           std::to_string(input.capacity)));
    }
    if (input.id.index == output.id.index) {
        graph.fail(refuse(ErrorCode::invalid_argument, "input and output are the same buffer"));
    }
    const std::uint32_t tile = shape.workgroup * shape.vectors * 4;
    const std::uint32_t tiles = tiles_of(input.capacity, tile);
    if (tiles > max_tiles) {
        graph.fail(refuse(ErrorCode::limit_exceeded, std::to_string(input.capacity) + " elements are " +
                                                         std::to_string(tiles) + " tiles of " + std::to_string(tile) +
                                                         "; at most " + std::to_string(max_tiles) + " can be chained"));
        return output;
    }

    const bool instrumented_kernel = instrumented(options.faults, options.counters);
    const auto states = graph.state_buffer<std::uint32_t>("scan tile states", state_header + tiles * state_words);
    const CountInputs count = count_inputs(input.count, input);
    Pass pass = kernel_pass("scan", instrumented_kernel ? shaders::scan_instrumented : shaders::scan, subgroup);
    pass.bindings = {read(input), write(output), read_write(states), count.binding};
    pass.push = {count.max_count, count.word};
    pass.constants = {shape.workgroup, subgroup.known, shape.vectors, options.kind == ScanKind::exclusive ? 1U : 0U,
                      count.on_gpu,    shape.max_spins};
    pass.dispatch = Dispatch::elements(input.count, tile);
    if (instrumented_kernel) {
        instrument(pass, options.faults, zeroed_counters(graph, options.counters));
    }
    graph.add_pass(std::move(pass));
    return output;
}

} // namespace weir
