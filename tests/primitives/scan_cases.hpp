#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "tests/support/turns.hpp"

// Scans of any built-in kind, described as data, and their results on the CPU.

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
    std::uint32_t segment_length = 1; ///< of all, or the usual one
    std::uint32_t key_words = 1;
    bool end_given = false;     ///< the last offset is the end, for segments at offsets
    bool segment_ends = false;  ///< reduce_by_segment
    std::uint32_t capacity = 1; ///< elements that the graph provides for
    std::uint32_t n = 1;        ///< elements of the run
    Count::Kind count = Count::Kind::constant;
    FaultInjection faults;
    ScanTuning tuning;
    std::uint64_t seed = 1;
};

/// Tells types apart: neighbouring numbers.
constexpr std::uint32_t number_of(ElementType element) {
    return static_cast<std::uint32_t>(element.scalar) + element.components;
}

/// "u32", "f32x3" and so on.
std::string to_string(ElementType element);

/// The case in one line, for messages.
std::string to_string(const ScanCase& scan);

/// Whether there is such an operator on the test device.
bool exists(ElementType element, Operator op);

/// Whether the test device has such tile states.
bool exists(TileStates states);

/// `count` elements whose every combination is exact: of floats, small integers to add, powers of two to multiply, and
/// all kinds of numbers, NaNs included, to compare.
std::vector<std::uint32_t> exact_elements(ElementType element, Operator op, std::uint32_t count, std::uint64_t seed);

/// What the elements of the case add to, the words of `initial` first if the case has an initial value.
std::vector<std::uint32_t> expected_total(const ScanCase& scan, const std::vector<std::uint32_t>& elements,
                                          const std::vector<std::uint32_t>& initial);

/// A case compiled for the test device, to run on several inputs.
class ScanProgram {
public:
    explicit ScanProgram(const ScanCase& scan);

    /// Runs it on n elements, and compares every word of every buffer. `runs` times, and each time the same. A case
    /// whose count is a constant must have that n.
    void check(std::uint32_t n, std::uint64_t seed, std::uint32_t runs = 1);

private:
    ScanCase scan_;
    std::vector<std::uint32_t> initial_;
    std::uint32_t in_size_ = 0, out_size_ = 0, heads_size_ = 0;
    Count n_, segments_;
    std::optional<Program> program_;
    Buffer counts_, heads_, in_, out_, other_, total_;
};

/// The same for one input.
void check(const ScanCase& scan, std::uint32_t runs = 1);

} // namespace weir::tests
