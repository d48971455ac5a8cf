#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "common/plan_files.hpp"
#include "word_count/options.hpp"

namespace samples {

struct Word {
    std::uint32_t count = 0;
    std::uint32_t start = 0; ///< byte offset of the first occurrence in the text
    std::uint32_t length = 0;
};

struct Counted {
    std::vector<Word> list;       ///< most frequent first; words of equal frequency in byte order
    std::uint32_t words = 0;      ///< number of words of the text
    std::uint32_t different = 0;  ///< number of different words
    std::uint32_t attempts = 0;   ///< runs until no fingerprints collided
    std::optional<double> gpu_ms; ///< GPU time of the last run
    PlanTexts plan = no_plan();
};

/// Counts the words of a text returned by `read_text`, which may be empty. Errors: those of the device; `vulkan` if
/// fingerprints of different words collide in every attempt.
weir::Result<Counted> count_words(const weir::Context& gpu, const std::string& text, const Options& options);

} // namespace samples
