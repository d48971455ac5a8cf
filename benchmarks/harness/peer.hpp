#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// Results of another program.
struct PeerResult {
    nlohmann::json about; ///< first line of its output
    std::vector<Row> rows;
};

/// Runs `program` with `arguments` and reads its rows, one JSON object per line. A separate process, so no CUDA context
/// exists next to the Vulkan device. Errors: `io` if the program does not exist, fails, or prints a line that is not a
/// row.
Result<PeerResult> run_peer(const std::string& program, const std::vector<std::string>& arguments);

} // namespace weir::bench
