#include "word_count/text.hpp"

#include <algorithm>

#include "common/files.hpp"

namespace samples {

weir::Result<std::string> read_text(const std::vector<std::string>& paths, std::uint64_t most) {
    std::string text;
    for (const std::string& path : paths) {
        auto file = InputFile::open(path);
        if (!file) {
            return tl::unexpected(file.error());
        }
        const std::size_t before = text.size();
        if (file->size() + text_unit > most - std::min<std::uint64_t>(before, most)) {
            return tl::unexpected(weir::Error{weir::ErrorCode::limit_exceeded,
                                              path + ": the device has room for a text of " + std::to_string(most) +
                                                  " bytes, this file and those before it are longer"});
        }
        text.resize(before + file->size());
        if (auto read = file->read(std::span(text).subspan(before)); !read) {
            return tl::unexpected(read.error());
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
