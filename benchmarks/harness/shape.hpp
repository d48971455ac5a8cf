#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <weir/testing/instrument.hpp>
#include <weir/weir.hpp>

#include "strategies/strategies.hpp"

namespace weir::bench {

/// A kernel shape from the command line, for example "scan:256x4" or "sort:512x27x3,single=4096".
struct Shape {
    std::string text;                       ///< the text after the colon
    std::array<std::uint32_t, 3> numbers{}; ///< 0: Weir chooses
    std::uint32_t subgroup_size = 0;
    std::uint32_t max_spins = 0;
    std::uint32_t single_workgroup_keys = 0; ///< sorts only
    std::uint32_t splits_from = 0;           ///< tiles; merge sorts only
    testing::Instrument instrument;          ///< faults and variants
    studies::ScanVariantOptions variant;     ///< scans only

    [[nodiscard]] std::string impl() const { return "weir " + text; }
    /// Returns the tuning of a scan, or of a primitive that is based on scans.
    [[nodiscard]] ScanTuning scan_tuning() const;
};

struct Shapes {
    static constexpr const char* help =
        "Also measure a kernel of this shape, as the implementation \"weir SHAPE\"; may be repeated. A shape is "
        "scan:WORKGROUPxCHUNKS, compact:WORKGROUPxELEMENTS, reduce:WORKGROUPxCHUNKSxWORKGROUPS, "
        "sort:WORKGROUPxKEYSxROUNDS or merge_sort:WORKGROUPxKEYS. Weir chooses numbers that are 0. All except "
        "merge_sort take ,subgroup=N and ,spins=N. sort takes ,single=N, the maximum number of keys for the "
        "single-workgroup kernel. merge_sort takes ,splits=N, the minimum number of tiles that are split in a "
        "separate dispatch. scan takes ,strategy=NAME (fallback, look_back, reduce_then_scan and others), "
        ",fallback=NAMES (reload, hint, own_block, joined by +), "
        ",states=NAME (split, packed, flagged) and ,subgroups=emulated. scan, compact and sort take ,silent=N: every "
        "N-th tile never posts";

    std::vector<Shape> scan, compact, reduce, sort, merge_sort;

    /// Parses shapes. Errors: `invalid_argument` names the text that is not a shape.
    static Result<Shapes> parse(const std::vector<std::string>& texts);
};

} // namespace weir::bench
