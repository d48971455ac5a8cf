#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <weir/weir.hpp>

#include "common/words.hpp"

namespace samples {

/// What is done in a single pass with a look-back: inclusive sums of three types, the selection of a third of the
/// numbers, and a sort, which has a pass for each digit.
enum class Work : std::uint8_t { u32, f32, u64, select, sort };
constexpr std::array all_work = {Work::u32, Work::f32, Work::u64, Work::select, Work::sort};

/// "u32", "f32", "u64", "select_if", "radix_sort".
const char* to_string(Work work);

/// Work on the workload's first numbers.
struct Scan {
    Work work = Work::u32;
    std::uint32_t n = 0;
    weir::ScanStrategy strategy = weir::ScanStrategy::fallback; ///< of sums
    std::uint32_t one_in = 0; ///< how many tiles there are to each that never posts; 0: all of them post
    bool counts = false;      ///< fills the counters
};

/// Random numbers on a device, a place for what becomes of them, and what should.
class Workload {
public:
    /// Up to `most` words, at least one. A number of 64 bits takes two.
    static weir::Result<Workload> create(const weir::Context& gpu, std::uint32_t most, std::uint64_t seed);

    weir::Result<weir::Program> copy(std::uint32_t words) const;
    weir::Result<weir::Program> scan(const Scan& scan) const;

    /// Runs a program, of a copy if there is no `work`, and looks at each number that it should have written for n. The
    /// error's message begins with `name`.
    weir::Result<> check(weir::Program& program, std::uint32_t n, std::optional<Work> work, const std::string& name);

    /// Of the last program that ran and counts.
    weir::Result<weir::LookBackCounters> counters() const;

private:
    Workload(const weir::Context& gpu, weir::Program poison) : gpu_(&gpu), poison_(std::move(poison)) {}

    [[nodiscard]] Words expected(std::uint32_t n, std::optional<Work> work) const;

    const weir::Context* gpu_;
    weir::Buffer input_, floats_, output_, counters_;
    weir::Program poison_; ///< overwrites the output, so that what is left of an earlier run is not taken for a result
    Words words_;
    std::pair<std::uint32_t, std::optional<Work>> expected_of_; ///< what was asked for last
    Words expected_;                                            ///< of that
};

/// Tiles of a program with a look-back: in each pass, and in all of them. None where a single workgroup does all.
struct Tiles {
    std::uint32_t of_a_pass = 0, of_all = 0;
};
Tiles tiles_of(const weir::Program& program);

} // namespace samples
