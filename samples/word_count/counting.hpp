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
    std::uint32_t start = 0; ///< of its first occurrence, in the text
    std::uint32_t length = 0;
};

struct Counted {
    std::vector<Word> list;       ///< most frequent first, those that are equally frequent by byte order
    std::uint32_t words = 0;      ///< of the text
    std::uint32_t different = 0;  ///< of these
    std::uint32_t attempts = 0;   ///< until there were no collisions
    std::optional<double> gpu_ms; ///< of the last one
    PlanTexts plan = no_plan();
};

/// Counts the words of a text as `read_text` gives it, which may be empty. Errors: those of the device; `vulkan` if
/// different words keep having one fingerprint.
weir::Result<Counted> count_words(const weir::Context& gpu, const std::string& text, const Options& options);

} // namespace samples
