#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// What another program measured.
struct PeerResult {
    nlohmann::json about; ///< its first line
    std::vector<Row> rows;
};

/// Runs `program` with `arguments` and reads its rows, one JSON object to a line. A program of its own, so that no CUDA
/// context lives beside the Vulkan device. Errors: `io` if there is no such program, it fails, or prints other things.
Result<PeerResult> run_peer(const std::string& program, const std::vector<std::string>& arguments);

} // namespace weir::bench
