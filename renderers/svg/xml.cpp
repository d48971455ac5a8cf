#include "svg/xml.hpp"

#include <algorithm>
#include <map>

#include <zlib.h>

#include "svg/encoding.hpp"
#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

constexpr std::size_t most_unpacked = std::size_t{1} << 30, most_expanded = std::size_t{1} << 26;
constexpr int most_nested_entities = 16;
constexpr std::size_t longest_name = 256;

tl::unexpected<weir::Error> wrong(const std::string& name, const std::string& why) {
    return tl::unexpected(weir::Error{weir::ErrorCode::io, name + ": " + why});
}

weir::Result<std::string> unzipped(std::string_view bytes, const std::string& name) {
    z_stream stream{};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) { // 16 selects the gzip format
        return wrong(name, "zlib could not be initialized");
    }
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    int status = Z_OK;
    while (status == Z_OK && text.size() < most_unpacked) {
        char part[1 << 16];
        stream.next_out = reinterpret_cast<Bytef*>(part);
        stream.avail_out = sizeof(part);
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(part, sizeof(part) - stream.avail_out);
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) {
        return wrong(name, status == Z_OK ? "it is too large" : "its compressed data are damaged");
    }
    return text;
}

using Entities = std::map<std::string, std::string, std::less<>>;

/// Returns the entities that the document type declares with a text: <!ENTITY name "text">.
Entities entities_of(std::string_view text) {
    Entities entities;
    text = text.substr(0, text.find("<svg"));
    std::size_t at = text.find("<!DOCTYPE");
    if (at == std::string_view::npos || (at = text.find('[', at)) == std::string_view::npos) {
        return entities;
    }
    while ((at = text.find("<!ENTITY", at)) != std::string_view::npos) {
        at += 8;
        Scanner scanner(text.substr(at));
        const std::string name(scanner.word());
        const char quote = scanner.character();
        const std::size_t end = scanner.rest().find(quote);
        if (!name.empty() && (quote == '"' || quote == '\'') && end != std::string_view::npos) {
            std::string value(scanner.rest().substr(0, end));
            std::replace(value.begin(), value.end(), '\n', ' '); // keeps line numbers of the document in messages
            entities.emplace(name, std::move(value));
            at = static_cast<std::size_t>(scanner.rest().data() - text.data()) + end;
        }
    }
    return entities;
}

/// Appends the text with expanded entities. Returns false if the result is too large or entities are nested too deeply.
bool expand(std::string_view text, const Entities& entities, std::string& result, int depth = 0) {
    while (!text.empty()) {
        const std::size_t mark = text.find('&');
        result += text.substr(0, mark);
        if (result.size() > most_expanded || depth > most_nested_entities) {
            return false;
        }
        if (mark == std::string_view::npos) {
            break;
        }
        text.remove_prefix(mark);
        const std::size_t end = text.substr(0, longest_name).find(';');
        const auto found = end == std::string_view::npos ? entities.end() : entities.find(text.substr(1, end - 1));
        if (found == entities.end()) {
            result += '&';
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(end + 1);
        if (!expand(found->second, entities, result, depth + 1)) {
            return false;
        }
    }
    return true;
}

} // namespace

weir::Result<> load_xml(std::string_view bytes, const std::string& name, pugi::xml_document& document) {
    std::string text;
    if (bytes.starts_with("\x1F\x8B")) {
        auto unpacked = unzipped(bytes, name);
        if (!unpacked) {
            return tl::unexpected(std::move(unpacked).error());
        }
        text = std::move(*unpacked);
        bytes = text;
    }
    std::string converted;
    if (const std::string encoding = foreign_encoding(bytes); !encoding.empty()) {
        auto utf8 = to_utf8(bytes, encoding, name);
        if (!utf8) {
            return tl::unexpected(std::move(utf8).error());
        }
        converted = std::move(*utf8);
        bytes = converted;
    }
    std::string expanded;
    if (auto entities = entities_of(bytes); !entities.empty()) {
        if (!expand(bytes, entities, expanded)) {
            return wrong(name, "its entities are too long, or refer to themselves");
        }
        bytes = expanded;
    }
    const pugi::xml_parse_result parsed = document.load_buffer(
        bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_doctype | pugi::parse_pi | pugi::parse_ws_pcdata);
    if (!parsed) {
        const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
        const auto line =
            1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(offset, bytes.size())),
                           '\n');
        std::string why = parsed.description();
        std::transform(why.begin(), why.begin() + 1, why.begin(), [](char c) { return static_cast<char>(c | 0x20); });
        return wrong(name, "line " + std::to_string(line) + ": " + why);
    }
    for (const pugi::xpath_node& inner : document.select_nodes("/*/descendant::processing-instruction()")) {
        inner.parent().remove_child(inner.node()); // only those before the root element are of interest
    }
    return {};
}

} // namespace weir::svg
