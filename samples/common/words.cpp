#include "common/words.hpp"

#include <random>

#include "common/progress.hpp"

namespace samples {

namespace {

constexpr std::size_t word_chunk = std::size_t{1} << 22; // words per update of the progress bar

} // namespace

Words random_words(std::size_t count, std::uint64_t seed) {
    Progress progress("generate");
    std::mt19937_64 engine(seed);
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = static_cast<std::uint32_t>(engine());
        if (i % word_chunk == 0) {
            progress.show(static_cast<double>(i) / static_cast<double>(count));
        }
    }
    return words;
}

} // namespace samples
