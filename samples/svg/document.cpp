#include "svg/document.hpp"

#include <algorithm>

#include <pugixml.hpp>
#include <zlib.h>

#include "svg/reader.hpp"

namespace samples {

namespace {

constexpr std::size_t most_unpacked = std::size_t{1} << 30;

tl::unexpected<weir::Error> wrong(const std::string& name, const std::string& why) {
    return tl::unexpected(weir::Error{weir::ErrorCode::io, name + ": " + why});
}

weir::Result<std::string> unzipped(std::string_view bytes, const std::string& name) {
    z_stream stream{};
    if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) { // 16: the format of gzip
        return wrong(name, "zlib cannot be used");
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

} // namespace

weir::Result<Drawing> read_svg(std::string_view bytes, const std::string& name) {
    std::string text;
    if (bytes.starts_with("\x1F\x8B")) {
        auto unpacked = unzipped(bytes, name);
        if (!unpacked) {
            return tl::unexpected(unpacked.error());
        }
        text = std::move(*unpacked);
        bytes = text;
    }
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(bytes.data(), bytes.size(), pugi::parse_default | pugi::parse_doctype);
    if (!parsed) {
        const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, parsed.offset));
        const auto line =
            1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(offset, bytes.size())),
                           '\n');
        std::string why = parsed.description();
        std::transform(why.begin(), why.begin() + 1, why.begin(), [](char c) { return static_cast<char>(c | 0x20); });
        return wrong(name, "line " + std::to_string(line) + ": " + why);
    }
    return Reader(document).read(name);
}

} // namespace samples
