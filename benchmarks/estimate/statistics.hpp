#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/log.hpp>

namespace weir::bench {

/// What RADV says of a pipeline (VK_KHR_pipeline_executable_properties). Cycles are estimates of its compiler, which
/// knows no data and takes each loop to run a few times.
struct PipelineStatistics {
    std::string pass; ///< the first pass of a graph that runs it
    std::uint64_t vgprs = 0, sgprs = 0;
    std::uint64_t spilled_vgprs = 0, spilled_sgprs = 0;
    std::uint64_t workgroup_bytes = 0;    ///< of workgroup memory
    std::uint64_t subgroups_per_simd = 0; ///< at once, as registers and workgroup memory permit
    std::uint64_t instructions = 0;
    std::uint64_t latency = 0;            ///< cycles from the first instruction of a subgroup to its last
    std::uint64_t inverse_throughput = 0; ///< cycles for which a subgroup keeps the busiest unit of the SIMD
};

/// Reads "pipeline 'PASS': NAME VALUE, NAME VALUE", as a context tells its log; nothing if a message is something else,
/// or a number is missing.
std::optional<PipelineStatistics> read_statistics(std::string_view message);

/// Collects what a context tells of pipelines when it makes them.
class PipelineLog {
public:
    /// For AdoptedDevice::log, at LogLevel::debug. Other messages than those of pipelines go to stderr, unless they are
    /// of level debug too. It has to outlive the context.
    [[nodiscard]] LogFunction function();

    /// Adds what the compiler calls an error.
    void add_error(const char* message);

    /// The pipelines since the last call, by the names of their passes.
    [[nodiscard]] std::vector<PipelineStatistics> take();
    /// The errors since the last call.
    [[nodiscard]] std::vector<std::string> take_errors();

private:
    std::mutex mutex_;
    std::vector<PipelineStatistics> pipelines_;
    std::vector<std::string> errors_;
};

} // namespace weir::bench
