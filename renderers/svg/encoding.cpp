#include "svg/encoding.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#if __has_include(<iconv.h>)
#include <iconv.h>
#define WEIR_HAS_ICONV 1
#endif

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

#ifdef WEIR_HAS_ICONV
/// Encodings that browsers support. Other names are not passed to iconv.
bool is_supported(std::string_view encoding) {
    constexpr std::string_view names[] = {"big5", "euc-jp", "euc-kr", "gb18030",   "gb2312",
                                          "gbk",  "koi8-r", "koi8-u", "macintosh", "shift_jis"};
    return encoding.starts_with("windows-") || encoding.starts_with("iso-8859-") ||
           std::find(std::begin(names), std::end(names), encoding) != std::end(names);
}
#endif

} // namespace

std::string foreign_encoding(std::string_view xml) {
    if (!xml.starts_with("<?xml")) {
        return {};
    }
    std::string_view rest = xml.substr(0, xml.find("?>"));
    const std::size_t at = rest.find("encoding");
    if (at == std::string_view::npos) {
        return {};
    }
    Scanner scanner(rest.substr(at + 8));
    if (!scanner.skip("=") || (!scanner.skip("\"") && !scanner.skip("'"))) {
        return {};
    }
    std::string name = lower(scanner.word());
    const bool is_known = name.starts_with("utf") || name.starts_with("ucs") || name == "iso-8859-1" ||
                          name == "latin1" || name == "us-ascii" || name == "ascii";
    return is_known ? std::string() : name;
}

Result<std::string> to_utf8([[maybe_unused]] std::string_view text, const std::string& encoding,
                            const std::string& name) {
#ifdef WEIR_HAS_ICONV
    const auto failed = iconv_t(-1); // NOLINT(performance-no-int-to-ptr): defined so by POSIX
    const auto opened = is_supported(encoding) ? iconv_open("UTF-8", encoding.c_str()) : failed;
    if (opened != failed) {
        const auto close = [](iconv_t converter) { iconv_close(converter); };
        const std::unique_ptr<void, decltype(close)> converter(opened, close);
        std::string result(4 * text.size() + 4, '\0'); // a byte becomes at most a character of 4 bytes
        char* from = const_cast<char*>(text.data());
        char* to = result.data();
        std::size_t left = text.size(), room = result.size();
        while (left > 0 && iconv(opened, &from, &left, &to, &room) == static_cast<std::size_t>(-1) && room >= 4) {
            ++from;
            --left;
            for (const char c : {'\xEF', '\xBF', '\xBD'}) {
                *to++ = c;
                --room;
            }
        }
        result.resize(static_cast<std::size_t>(to - result.data()));
        return result;
    }
#endif
    return tl::unexpected(Error{ErrorCode::io, name + ": its encoding '" + encoding + "' is not supported"});
}

} // namespace weir::svg
