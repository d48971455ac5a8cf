#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include <weir/weir.hpp>

namespace weir::bench {

/// One or several arrays of words.
using Arrays = std::vector<std::vector<std::uint32_t>>;

/// Contents of an input. The peer programs use the same names.
enum class Input : std::uint8_t {
    words,          ///< random
    more_words,     ///< random, different from `words`
    low_entropy,    ///< three random words ANDed: one in eight bits is set, the entropy is 17.4 bits
    constant,       ///< all equal
    mostly_equal,   ///< nine in ten are equal, the others random
    ascending,      ///< word i of n is a random number in the i-th of n equal parts of the 32-bit range
    more_ascending, ///< ascending, different from `ascending`
    one_of_two,     ///< 2 i or 2 i + 1, at random
    other_of_two,   ///< different from `one_of_two`; half of the words are equal to its words
    runs_of_8,      ///< i / 8: keys of segments
    offsets_64,     ///< offsets of segments of 0 to 128 elements, 64 on average: 64 i plus a random number up to 64
    offsets_1024,   ///< offsets of segments of 0 to 2048 elements: 1024 i plus a random number up to 1024
    small_floats,   ///< -1, 0 and 1; their sums are exact
    unit_floats,    ///< in [0, 1), multiples of 2^-24
    tile_depths,    ///< pairs: the low word is a float in [0, 1), the high word a 13-bit number below 8160
    affine_maps,    ///< pairs of floats a and b: a is -1 or 1, b is -1, 0 or 1
};

/// Input and output buffers that all benchmarks share. A buffer is created when it is first requested, and replaced if
/// a larger one is requested. Replacing invalidates earlier views of it.
class Data {
public:
    static constexpr std::uint32_t inputs = 16, outputs = 2;
    static constexpr std::uint32_t poison_word = 0xA5A5A5A5;

    explicit Data(const Context& context) : context_(context) {}

    [[nodiscard]] const Context& context() const { return context_; }

    /// Returns the first n words of an input. Word i does not depend on n, except for the ascending inputs.
    Result<BufferView> input(Input kind, std::uint32_t n);
    /// Returns a buffer of n words for the results of a benchmark.
    Result<BufferView> output(std::uint32_t index, std::uint32_t n);

    /// Computes the first n words of an input on the host.
    static std::vector<std::uint32_t> words(Input kind, std::uint32_t n);

    /// Overwrites the first n words of an output with `poison_word`, so that a result of an earlier benchmark is not
    /// accepted as a result of this one.
    Result<> poison(std::uint32_t index, std::uint32_t n);

private:
    Result<BufferView> grown(Buffer& buffer, std::uint32_t n, bool& replaced);

    const Context& context_;
    std::array<std::pair<Buffer, std::uint32_t>, inputs> inputs_; ///< buffers and the size that each was filled for
    std::array<Buffer, outputs> outputs_;
};

/// Compiles `graph` and binds its imports.
Result<Program> make_program(const Context& context, const Graph& graph,
                             std::initializer_list<std::pair<BufferId, Result<BufferView>>> imports);

} // namespace weir::bench
