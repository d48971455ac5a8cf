#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <weir/weir.hpp>

namespace weir::bench {

/// A kernel shape given on the command line, for instance "scan:256x4" or "sort:512x27x3,single=4096".
struct Shape {
    std::string text;                       ///< what follows the colon
    std::array<std::uint32_t, 3> numbers{}; ///< 0: not given
    std::uint32_t subgroup_size = 0;
    std::uint32_t max_spins = 0;
    std::uint32_t single_workgroup_keys = 0; ///< of sorts
    std::uint32_t splits_from = 0;           ///< tiles, of merge sorts
    ScanStrategy strategy = ScanStrategy::fallback;
    TileStates states = TileStates::automatic;
    SubgroupScans subgroup_scans = SubgroupScans::native;
    std::uint32_t silent_one_in = 0; ///< tiles to each that never posts; 0: all post

    [[nodiscard]] std::string impl() const { return "weir " + text; }
    /// Of scans, and what is made of them.
    [[nodiscard]] ScanTuning scan_tuning() const;
};

struct Shapes {
    static constexpr const char* help =
        "Also times a kernel of this shape, as the implementation \"weir SHAPE\"; may be repeated. A shape is "
        "scan:WORKGROUPxCHUNKS, compact:WORKGROUPxELEMENTS, reduce:WORKGROUPxCHUNKSxWORKGROUPS, "
        "sort:WORKGROUPxKEYSxROUNDS or merge_sort:WORKGROUPxKEYS, where Weir chooses what is 0. All but merge_sort "
        "take ,subgroup=N and ,spins=N. A sort takes ,single=N: the most keys for the single-workgroup kernel. A "
        "merge_sort takes ,splits=N: the tiles from which on they are split in a dispatch of their own. A scan takes "
        ",strategy=NAME (fallback, look_back, reduce_then_scan and others), ,states=NAME (split, packed, flagged) and "
        ",subgroups=emulated. Scans, compactions and sorts take ,silent=N: every N-th tile never posts";

    std::vector<Shape> scan, compact, reduce, sort, merge_sort;

    /// Errors: `invalid_argument` names the text that is no shape.
    static Result<Shapes> parse(const std::vector<std::string>& texts);
};

} // namespace weir::bench
