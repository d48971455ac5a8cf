#include "word_count/text.hpp"

#include <algorithm>

#include "common/files.hpp"
#include "common/propagate.hpp"

namespace samples {

weir::Result<std::string> read_text(const std::vector<std::string>& paths, std::uint64_t most) {
    std::string text;
    for (const std::string& path : paths) {
        const std::uint64_t used = text.size() + text_unit;
        const auto is_whole = append_file(path, most - std::min(used, most), text);
        SAMPLES_PROPAGATE(is_whole);
        if (!*is_whole) {
            return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                              path + ": the text up to this file exceeds the device's limit of " +
                                                  std::to_string(most) + " bytes"});
        }
        text += '\n';
    }
    text.resize((text.size() + text_unit - 1) / text_unit * text_unit, '\n');
    return text;
}

bool comes_before(std::string_view a, std::string_view b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](char x, char y) { return lower(x) < lower(y); });
}

} // namespace samples
