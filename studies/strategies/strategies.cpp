#include "strategies/strategies.hpp"

#include <array>
#include <string>

#include <weir_strategies_shaders.hpp>

#include "engine/base/strings.hpp"
#include "primitives/scan/scan_variant.hpp"
#include "strategies/phases.hpp"

namespace weir::studies {

namespace {

using testing::Instrument;
using testing::ScanVariant;
using testing::TileStates;

namespace texts = weir_strategies::shaders;

bool is_in_phases(ScanStrategy strategy) {
    return strategy == ScanStrategy::reduce_then_scan || strategy == ScanStrategy::scan_then_propagate;
}

bool is_segmented(const ScanPass& scan) {
    return scan.segments.kind != Segments::Kind::none;
}

bool check_strategy(Graph& graph, const ScanPass& scan, ScanStrategy strategy) {
    const Instrument& instrument = instrument_of(graph);
    const auto refuse = [&](ErrorCode code, const char* what) {
        return refuse_scan(graph, code, concat("strategy ", to_string(strategy), " ", what));
    };
    const bool falls_back = strategy == ScanStrategy::fallback || strategy == ScanStrategy::scalar_fallback;
    if (injects(instrument) && !falls_back) {
        return refuse(ErrorCode::invalid_argument, "does not support fault injection, because it does not fall back");
    }
    if (instrument.counters.valid() && is_in_phases(strategy)) {
        return refuse(ErrorCode::invalid_argument, "does not support counters, because it does not look back");
    }
    if (instrument.tile_states != TileStates::automatic && is_in_phases(strategy)) {
        return refuse(ErrorCode::invalid_argument, "does not use tile states");
    }
    if (is_segmented(scan) && (is_in_phases(strategy) || strategy == ScanStrategy::scalar_fallback)) {
        return refuse(ErrorCode::unsupported, "is not supported for segments");
    }
    if (strategy == ScanStrategy::scalar_fallback && !scan.exact) {
        return refuse(ErrorCode::unsupported, "is supported for exact operators only");
    }
    if (strategy == ScanStrategy::scalar_fallback && scan.in_place) {
        return refuse(ErrorCode::unsupported, "is not supported for scans in place");
    }
    if (strategy == ScanStrategy::scan_then_propagate && scan.other) {
        return refuse(ErrorCode::unsupported, "is not supported with another output");
    }
    if (strategy == ScanStrategy::scan_then_propagate && !scan.fused.empty()) {
        return refuse(ErrorCode::unsupported, "is not supported for fused scans");
    }
    return true;
}

bool check_flagged_states(Graph& graph, const ScanPass& scan) {
    const auto refuse = [&](const char* why) {
        return refuse_scan(graph, ErrorCode::unsupported, concat("flagged tile states are not supported", why));
    };
    if (!scan.packable) {
        return refuse(" for these elements or segments");
    }
    if (scan.in_place) {
        return refuse(" for scans in place");
    }
    if (graph.capabilities().ordered_atomics_are_barriers) {
        return refuse(": acquire and release atomics act as workgroup barriers on this device");
    }
    return true;
}

bool changes(const FallbackChanges& fallback) {
    return fallback.reload || fallback.hint || fallback.own_block;
}

bool check_changes(Graph& graph, const ScanPass& scan, const ScanVariantOptions& options) {
    const auto refuse = [&](const char* why) {
        return refuse_scan(graph, ErrorCode::unsupported, concat("changes of the fallback are not supported ", why));
    };
    if (options.strategy != ScanStrategy::fallback) {
        return refuse("by other strategies");
    }
    if (options.flagged_states || options.emulated_subgroup_scans) {
        return refuse("with flagged tile states or emulated subgroup scans");
    }
    return !is_segmented(scan) || refuse("for segments");
}

bool check(Graph& graph, const ScanPass& scan, const ScanVariantOptions& options) {
    if (changes(options.fallback) && !check_changes(graph, scan, options)) {
        return false;
    }
    if (!check_strategy(graph, scan, options.strategy)) {
        return false;
    }
    if (options.emulated_subgroup_scans && (!scan.is_light || instrumented(graph))) {
        return refuse_scan(graph, ErrorCode::unsupported,
                           "emulated subgroup scans are supported for single 32-bit integers only, without segments, "
                           "faults and counters");
    }
    return !options.flagged_states || check_flagged_states(graph, scan);
}

void set_look_back(ScanVariant& variant, const char* define) {
    variant.defines += define;
    variant.files.emplace_back("weir/look_back.glsl", texts::look_back);
    variant.files.emplace_back("weir/chained_walk.glsl", texts::chained_walk);
}

void set_strategy(ScanVariant& variant, ScanStrategy strategy) {
    switch (strategy) {
    case ScanStrategy::fallback: break;
    case ScanStrategy::look_back: set_look_back(variant, ""); break;
    case ScanStrategy::chained: set_look_back(variant, "#define CHAINED\n"); break;
    case ScanStrategy::scalar_fallback: set_look_back(variant, "#define SCALAR_FALLBACK\n"); break;
    case ScanStrategy::reduce_then_scan:
    case ScanStrategy::scan_then_propagate:
        variant.kernel = "strategies/phases.glsl";
        variant.files.emplace_back("strategies/phases.glsl", texts::phases);
        variant.files.emplace_back("strategies/phases_interface.h", texts::phases_interface);
        variant.add_passes = [strategy](Graph& graph, const ScanPass& scan, const ScanShape& shape,
                                        const ScanKernels& kernels) {
            add_phases(graph, scan, shape, kernels, strategy);
        };
        break;
    }
}

ScanVariant make_variant(const ScanVariantOptions& options) {
    ScanVariant variant;
    set_strategy(variant, options.strategy);
    if (changes(options.fallback)) {
        variant.kernel = "strategies/fallback_scan.glsl";
        variant.files.emplace_back("strategies/fallback_scan.glsl", texts::fallback_scan);
        variant.defines += options.fallback.reload ? "#define RELOADS\n" : "";
        variant.defines += options.fallback.hint ? "#define HINTED\n" : "";
        variant.defines += options.fallback.own_block ? "#define WEIR_OWN_BLOCK_FIRST\n" : "";
    }
    if (options.flagged_states) {
        variant.files.emplace_back("weir/tile_parts.glsl", texts::tile_flag);
        variant.more_entry_words = 1;
    }
    if (options.emulated_subgroup_scans) {
        variant.defines += "#define EMULATED_SUBGROUP_SCANS\n";
    }
    variant.split_states = options.flagged_states || options.emulated_subgroup_scans;
    variant.check = [options](Graph& graph, const ScanPass& scan) { return check(graph, scan, options); };
    return variant;
}

constexpr std::size_t strategies = static_cast<std::size_t>(ScanStrategy::scan_then_propagate) + 1;

constexpr std::size_t combinations = 32; // choices of all options except the strategy

/// Returns all variants: of each strategy one per combination of the other options.
std::array<ScanVariant, combinations * strategies> make_variants() {
    std::array<ScanVariant, combinations * strategies> variants;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        variants.at(i) =
            make_variant({.strategy = static_cast<ScanStrategy>(i / combinations),
                          .fallback = {.reload = (i & 4) != 0, .hint = (i & 8) != 0, .own_block = (i & 16) != 0},
                          .flagged_states = (i & 1) != 0,
                          .emulated_subgroup_scans = (i & 2) != 0});
    }
    return variants;
}

} // namespace

const char* to_string(ScanStrategy strategy) {
    static constexpr std::array names{"fallback",        "look_back",        "chained",
                                      "scalar_fallback", "reduce_then_scan", "scan_then_propagate"};
    return name_in(names, strategy);
}

const ScanVariant* scan_variant(const ScanVariantOptions& options) {
    static const auto variants = make_variants();
    const FallbackChanges& fallback = options.fallback;
    const std::size_t i = combinations * static_cast<std::size_t>(options.strategy) + (options.flagged_states ? 1 : 0) +
                          (options.emulated_subgroup_scans ? 2 : 0) + (fallback.reload ? 4 : 0) +
                          (fallback.hint ? 8 : 0) + (fallback.own_block ? 16 : 0);
    return i == 0 ? nullptr : &variants.at(i);
}

const ScanVariant* scan_variant(ScanStrategy strategy) {
    return scan_variant(ScanVariantOptions{.strategy = strategy});
}

} // namespace weir::studies
