#include "strategies/phases.hpp"

#include <algorithm>

#include <weir/graph/plan.hpp>

#include "primitives/kernel/kernel_text.hpp"
#include "primitives/scan/scan_variant.hpp"

namespace weir::studies {

namespace {

/// The constants and bindings of phases.glsl.
struct PhasesInterface {
#include "strategies/shaders/phases_interface.h"
};

/// Returns the buffers of a fused scan for a phase that stores nothing.
std::vector<Binding> loaded_only(std::vector<Binding> fused, BufferId stand_in) {
    for (Binding& binding : fused) {
        binding = reads(binding.access) ? read(binding.resource) : unused(stand_in);
    }
    return fused;
}

} // namespace

void add_phases(Graph& graph, const ScanPass& scan, const ScanShape& shape, const ScanKernels& kernels,
                ScanStrategy strategy) {
    const std::uint32_t tiles = std::max(1U, divide_up(scan.count.max, shape.tile));
    const auto spine = graph.transient_buffer<std::uint32_t>("scan spine", tiles * scan.words);
    const auto add = [&](const char* name, std::uint32_t phase, const ScanPass& work, Access spine_access) {
        // PHASE_REDUCE needs no scan, and PHASE_PROPAGATE loads tiles that are scanned already.
        const bool scan_late =
            phase == PhasesInterface::PHASE_REDUCE || (phase != PhasesInterface::PHASE_PROPAGATE && scans_late(work));
        Pass pass = make_scan_pass(graph, work, shape, {.between = {spine, spine_access}, .scan_late = scan_late});
        set_constants(pass, PhasesInterface{.PHASE = phase});
        pass.name += std::string(": ") + name;
        pass.shader = kernels({.variant = instrument_of(graph).scan_variant});
        pass.dispatch = phase == PhasesInterface::PHASE_SPINE
                            ? Dispatch::groups(1)
                            : Dispatch::elements(work.count, shape.tile, work.total ? 1 : 0);
        pass.bindings.insert(pass.bindings.end(), work.fused.begin(), work.fused.end());
        push_values(pass, scan.values);
        graph.add_pass(std::move(pass));
    };
    // Each phase binds only what it uses.
    const bool reduces = strategy == ScanStrategy::reduce_then_scan;
    ScanPass first = scan, second = scan, third = scan;
    first.total.reset();
    if (reduces) {
        first.other.reset();
        first.fused = loaded_only(scan.fused, spine);
        if (scan.in_place) {
            first.items[1].access = Access::shader_read;
        } else {
            first.items[1] = {};
        }
        second.total.reset();
    } else {
        // The last phase reads its elements from the output of the first.
        third.items = {Binding{}, read_write(scan.items[1].resource)};
        third.in_place = true;
        third.in = scan.out;
        third.total.reset();
    }
    second.items = {};
    second.fused.assign(scan.fused.size(), unused(spine));
    second.other.reset();
    add(reduces ? "reduce" : "tiles", reduces ? PhasesInterface::PHASE_REDUCE : PhasesInterface::PHASE_SCAN_TILES,
        first, Access::shader_write);
    add("spine", PhasesInterface::PHASE_SPINE, second, Access::shader_read_write);
    add(reduces ? "scan" : "propagate", reduces ? PhasesInterface::PHASE_SCAN : PhasesInterface::PHASE_PROPAGATE, third,
        Access::shader_read);
}

} // namespace weir::studies
