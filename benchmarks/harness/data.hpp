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

/// What an input consists of. The peers' have the same names.
enum class Input : std::uint8_t {
    words,          ///< random
    more_words,     ///< others
    low_entropy,    ///< three random words ANDed: of its bits one in eight is set, an entropy of 17.4 bits
    constant,       ///< all the same
    mostly_equal,   ///< nine in ten are the same, the others random
    ascending,      ///< of n: a random one from each n-th part of the numbers of 32 bits
    more_ascending, ///< others
    one_of_two,     ///< 2 i or 2 i + 1
    other_of_two,   ///< others: every other one is the same
    runs_of_8,      ///< i / 8: keys of segments
    offsets_64,     ///< where segments of 0 to 128 elements begin, 64 on average: 64 i and a random number up to 64
    offsets_1024,   ///< likewise of 0 to 2048
    small_floats,   ///< -1, 0 and 1, whose sums are exact
    unit_floats,    ///< in [0, 1), multiples of 2^-24
    tile_depths,    ///< pairs of a float in [0, 1) and, above it, a number of 13 bits below 8160
    affine_maps,    ///< pairs of floats a and b: a is -1 or 1, b is -1, 0 or 1
};

/// The buffers that all benchmarks share: inputs and outputs. Each is made when it is first asked for and
/// replaced by a larger one when need be, which makes earlier views of it invalid.
class Data {
public:
    static constexpr std::uint32_t inputs = 16, outputs = 2;
    static constexpr std::uint32_t poison_word = 0xA5A5A5A5;

    explicit Data(const Context& context) : context_(context) {}

    [[nodiscard]] const Context& context() const { return context_; }

    /// The first n words of an input: the same for every n, but for those that ascend.
    Result<BufferView> input(Input kind, std::uint32_t n);
    /// Room for n words, of which a benchmark writes all.
    Result<BufferView> output(std::uint32_t index, std::uint32_t n);

    /// The words of an input, as the host knows them.
    static std::vector<std::uint32_t> words(Input kind, std::uint32_t n);

    /// Overwrites the first n words of an output with `poison_word`, so that what an earlier benchmark left is not
    /// taken for a result.
    Result<> poison(std::uint32_t index, std::uint32_t n);

private:
    Result<BufferView> grown(Buffer& buffer, std::uint32_t n, bool& replaced);

    const Context& context_;
    std::array<std::pair<Buffer, std::uint32_t>, inputs> inputs_; ///< and what it was made for
    std::array<Buffer, outputs> outputs_;
};

/// Compiles `graph` and binds its imports.
Result<Program> make_program(const Context& context, const Graph& graph,
                             std::initializer_list<std::pair<BufferId, Result<BufferView>>> imports);

} // namespace weir::bench
