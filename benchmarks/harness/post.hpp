#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/weir.hpp>

namespace weir::bench {

/// Round trips of a number between two workgroups, with the stores and loads of tile states.
struct Posts {
    std::uint32_t rounds = 0;         ///< round trips per run
    std::vector<double> ms;           ///< mean time of a round trip in each complete run
    std::vector<std::uint32_t> polls; ///< failed polls of each round trip in complete runs, ascending
    std::uint32_t incomplete = 0;     ///< runs in which a workgroup gave up

    /// Returns the number of failed polls that this fraction of the round trips does not exceed. Precondition: a run
    /// was complete.
    [[nodiscard]] std::uint32_t quantile(double fraction) const;
};

/// Measures `runs` runs of 512 round trips each, or of 32 on a CPU device. `spirv`: shaders/post.comp.
Result<Posts> measure_posts(const Context& context, std::span<const std::uint32_t> spirv, std::uint32_t runs);

} // namespace weir::bench
