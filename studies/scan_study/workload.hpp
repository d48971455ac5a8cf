#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weir/testing/instrument.hpp>
#include <weir/weir.hpp>

#include "common/words.hpp"
#include "strategies/strategies.hpp"

namespace samples {

/// Operations that run with a look-back: inclusive sums of three types, compositions of affine maps (structs of two
/// floats), the selection of one third of the numbers, and a sort, which has one look-back pass per digit except the
/// first.
enum class Work : std::uint8_t { u32, f32, u64, affine, select, sort };
constexpr std::array all_work = {Work::u32, Work::f32, Work::u64, Work::affine, Work::select, Work::sort};

/// Returns "u32", "f32", "u64", "affine", "select_if" or "radix_sort".
const char* to_string(Work work);

/// Returns whether the work is a scan, which other strategies can do.
bool is_scan(Work work);
/// Returns the words of an element.
std::uint32_t words_of(Work work);

/// An operation on the first n numbers of the workload.
struct Scan {
    Work work = Work::u32;
    std::uint32_t n = 0;
    weir::studies::ScanStrategy strategy = weir::studies::ScanStrategy::fallback; ///< scans only
    std::uint32_t one_in = 0; ///< one tile in `one_in` never posts; 0: all tiles post
    bool counts = false;      ///< fill the counters
};

/// Random numbers on a device, an output buffer, and the expected results.
class Workload {
public:
    /// Creates a workload of up to `most` words, at least one.
    static weir::Result<Workload> create(const weir::Context& gpu, std::uint32_t most, std::uint64_t seed);

    weir::Result<weir::Program> copy(std::uint32_t words) const;
    weir::Result<weir::Program> scan(const Scan& scan) const;

    /// Runs a program on n numbers and checks every number of the output. If `work` is empty, the program must be a
    /// copy. Error messages begin with `name`.
    weir::Result<> check(weir::Program& program, std::uint32_t n, std::optional<Work> work, const std::string& name);

    /// Returns the counters of the last program that ran with `counts`.
    weir::Result<weir::testing::LookBackCounters> counters() const;

private:
    Workload(const weir::Context& gpu, weir::Program poison) : gpu_(&gpu), poison_(std::move(poison)) {}

    [[nodiscard]] Words expected(std::uint32_t n, std::optional<Work> work) const;

    const weir::Context* gpu_;
    weir::Buffer input_, floats_, output_, counters_;
    weir::Program poison_; ///< overwrites the output, so that results of an earlier run are not mistaken for new ones
    Words words_;
    std::pair<std::uint32_t, std::optional<Work>> expected_of_; ///< arguments of the last call of `expected`
    Words expected_;                                            ///< result of the last call of `expected`
};

/// Numbers of tiles of a program with look-backs.
class Tiles {
public:
    /// Counts the tiles of each pass. A program in which a single workgroup does all has none.
    Tiles(const weir::Program& program, Work work);

    /// Returns the number of tiles of all passes.
    [[nodiscard]] std::uint32_t all() const;
    /// Returns the number of tiles that never post and have a successor, which needs their sum, if one tile in `one_in`
    /// never posts. The last tile of a pass has none, and neither has any tile in the first pass of a sort.
    [[nodiscard]] std::uint32_t silent(std::uint32_t one_in) const;

private:
    std::vector<std::uint32_t> passes_;
    bool first_waits_;
};

} // namespace samples
