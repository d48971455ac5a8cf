#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include <weir/weir.hpp>

#include "common/words.hpp"

namespace samples {

/// A scan of the workload's first numbers.
struct Scan {
    std::uint32_t n = 0;
    weir::ScanStrategy strategy = weir::ScanStrategy::fallback;
    std::uint32_t one_in = 0; ///< how many tiles there are to each that never posts; 0: all of them post
    bool counts = false;      ///< fills the counters
};

/// Random numbers on a device, a place for what becomes of them, and what should.
class Workload {
public:
    /// Up to `most` numbers, at least one.
    static weir::Result<Workload> create(const weir::Context& gpu, std::uint32_t most, std::uint64_t seed);

    weir::Result<weir::Program> copy(std::uint32_t n) const;
    weir::Result<weir::Program> scan(const Scan& scan) const;

    enum class Outcome : std::uint8_t { copied, summed };
    /// Runs a program and looks at each of the n numbers that it should have written. The error's message begins with
    /// `name`.
    weir::Result<> check(weir::Program& program, std::uint32_t n, Outcome outcome, const std::string& name);

    /// Of the last program that ran and counts.
    weir::Result<weir::LookBackCounters> counters() const;

private:
    Workload(const weir::Context& gpu, weir::Program poison) : gpu_(&gpu), poison_(std::move(poison)) {}

    const weir::Context* gpu_;
    weir::Buffer input_, output_, counters_;
    weir::Program poison_; ///< overwrites the output, so that what is left of an earlier run is not taken for a result
    Words sums_;
};

/// How many workgroups a scan in one dispatch runs.
std::uint32_t workgroups_of(const weir::Program& program);

} // namespace samples
