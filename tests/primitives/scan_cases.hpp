#pragma once

#include <optional>
#include <utility>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

// Scans of all built-in kinds, described as data, and their reference results on the CPU.

namespace weir::tests {

constexpr Operator all_operators[] = {Operator::add,     Operator::mul,    Operator::min,    Operator::max,
                                      Operator::bit_and, Operator::bit_or, Operator::bit_xor};
constexpr ElementType all_elements[] = {{Scalar::u32, 1}, {Scalar::u32, 2}, {Scalar::u32, 3}, {Scalar::u32, 4},
                                        {Scalar::i32, 1}, {Scalar::i32, 2}, {Scalar::i32, 3}, {Scalar::i32, 4},
                                        {Scalar::f32, 1}, {Scalar::f32, 2}, {Scalar::f32, 3}, {Scalar::f32, 4},
                                        {Scalar::u64, 1}, {Scalar::i64, 1}, {Scalar::f64, 1}};

struct ScanCase {
    ElementType element;
    Operator op = Operator::add;
    ScanKind kind = ScanKind::inclusive;
    bool other = false, total = false, initial = false, in_place = false;
    WordLayout in, out;
    Segments::Kind segments = Segments::Kind::none;
    std::uint32_t segment_length = 1; ///< of all segments, or the mean length
    std::uint32_t key_words = 1;
    bool end_given = false;       ///< segments at offsets only: the last offset is the end
    bool segment_ends = false;    ///< reduce_by_segment
    bool variable_length = false; ///< segments of one length only: the length is a count like that of the elements
    std::uint32_t capacity = 1;   ///< maximum number of elements
    std::uint32_t n = 1;          ///< number of elements in the run, which ScanProgram::check sets
    Count::Kind count = Count::Kind::constant;
    Instrument instrument;
    studies::ScanVariantOptions variant;
    ScanTuning tuning;
    std::uint64_t seed = 1;
    std::uint64_t max_storage_range =
        0; ///< if not 0: bytes of a binding, so that larger buffers are scanned in windows
};

/// Returns a shape with small tiles, so that few elements make many tiles.
ScanTuning small_scan();
/// Returns the number of elements in a tile of small_scan().
std::uint32_t small_scan_tile(ElementType element = {});

/// Returns a number by which types take turns. Some types share a number.
constexpr std::uint32_t number_of(ElementType element) {
    return static_cast<std::uint32_t>(element.scalar) + element.components;
}

/// Returns the name of a type, such as "u32" or "f32x3".
std::string to_string(ElementType element);

/// Returns the case in one line, for messages.
std::string to_string(const ScanCase& scan);

/// Returns true if the test device supports `op` for `element`.
bool exists(ElementType element, Operator op);

/// Returns true if the test device supports packed tile states.
bool has_packed_states();

/// Returns true if the test device supports flagged tile states.
bool has_flagged_states();

/// Returns `count` elements whose combinations are all exact. Floats are small integers for add, powers of two for mul,
/// and all kinds of numbers including NaNs for min and max.
Words exact_elements(ElementType element, Operator op, std::uint32_t count, std::uint64_t seed);

/// Returns the reduction of the elements of the case, starting with `initial` if the case has an initial value.
Words expected_total(const ScanCase& scan, const Words& elements, const Words& initial);

/// A case compiled for the test device, to run on several inputs.
class ScanProgram {
public:
    explicit ScanProgram(const ScanCase& scan);

    /// Runs the case `runs` times on the same n elements, drawn from `seed`, and compares every word of every buffer
    /// after each run. If the count of the case is a constant, n must be the capacity.
    void check(std::uint32_t n, std::uint64_t seed, std::uint32_t runs = 1);

private:
    ScanCase scan_;
    Words initial_;
    Trial trial_;
    Count segments_;
    Ref heads_, ends_, segment_count_, in_, out_, other_, total_;
};

/// Compiles the case and checks it with its capacity and seed.
void check(const ScanCase& scan, std::uint32_t runs = 1);

/// Checks that a scan of floats whose sums round has the same bits in every run.
class BitsOfSums {
public:
    BitsOfSums(std::uint32_t n, ScanOptions<float> options)
        : input_(floats_that_round(n)), options_(std::move(options)) {}

    void check(const Instrument& faults, std::uint32_t runs);

private:
    std::vector<float> input_;
    ScanOptions<float> options_;
    Words first_; ///< results of the first run
};

} // namespace weir::tests
