#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/log.hpp>

namespace weir::bench {

/// RADV's statistics of a pipeline (VK_KHR_pipeline_executable_properties). Cycles are estimates of its compiler, which
/// does not know the data and assumes a few iterations for each loop.
struct PipelineStatistics {
    std::string pass; ///< the first pass of a graph that runs it
    std::uint64_t vgprs = 0, sgprs = 0;
    std::uint64_t spilled_vgprs = 0, spilled_sgprs = 0;
    std::uint64_t workgroup_bytes = 0;    ///< bytes of workgroup memory
    std::uint64_t subgroups_per_simd = 0; ///< maximum at once, limited by registers and workgroup memory
    std::uint64_t instructions = 0;
    std::uint64_t latency = 0;            ///< cycles from the first instruction of a subgroup to its last
    std::uint64_t inverse_throughput = 0; ///< cycles for which a subgroup occupies the busiest unit of the SIMD
};

/// Reads a log message of a context: "pipeline 'PASS': NAME VALUE, NAME VALUE". Returns nothing if the message has
/// another form or lacks a number.
std::optional<PipelineStatistics> read_statistics(std::string_view message);

/// Collects the statistics that a context logs when it creates pipelines.
class PipelineLog {
public:
    /// Returns the function for AdoptedDevice::log, at LogLevel::debug. Prints other messages to stderr, except those
    /// of level debug. This object must outlive the context.
    [[nodiscard]] LogFunction function();

    /// Adds an error message of the compiler.
    void add_error(const char* message);

    /// Returns the pipelines since the last call, sorted by the names of their passes.
    [[nodiscard]] std::vector<PipelineStatistics> take();
    /// Returns the errors since the last call.
    [[nodiscard]] std::vector<std::string> take_errors();

private:
    std::mutex mutex_;
    std::vector<PipelineStatistics> pipelines_;
    std::vector<std::string> errors_;
};

} // namespace weir::bench
