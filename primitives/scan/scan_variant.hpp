#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "primitives/scan/scan_pass.hpp"

namespace weir::testing {

/// Another implementation of a part of the scan. Its kernels are compiled with the graph.
struct ScanVariant {
    std::string kernel = "weir/scan.glsl"; ///< file of the kernel
    std::string defines;                   ///< lines before it
    /// Paths and texts of files that the kernel may include. A path weir/NAME replaces a file of the library.
    std::vector<std::pair<std::string, std::string>> files;
    bool split_states = false; ///< does not support packed tile states
    /// Words of a tile state entry that the variant needs in addition to those of the library.
    std::uint32_t more_entry_words = 0;
    /// Fails the graph if the scan is not supported. Returns whether it is.
    std::function<bool(Graph&, const ScanPass&)> check;
    /// Adds the passes of the scan. Empty: one pass of `kernel`.
    std::function<void(Graph&, const ScanPass&, const ScanShape&, const ScanKernels&)> add_passes;
};

} // namespace weir::testing
