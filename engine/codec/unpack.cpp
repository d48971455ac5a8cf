#include "engine/codec/unpack.hpp"

#include <span>

#include "engine/codec/packing.hpp"

namespace weir {

namespace {

/// Returns the unpacked size, which is stored before the packed bytes: four bytes, the lowest first.
std::uint32_t unpacked_size(Packed packed) {
    std::uint32_t size = 0;
    for (std::size_t i = 4; i-- > 0;) {
        size = size << 8 | packed.bytes[i];
    }
    return size;
}

std::string unpack_bytes(Packed packed) {
    std::string out(unpacked_size(packed), '\0');
    packing::BitReader reader(std::span(packed.bytes, packed.size).subspan(4));
    packing::TokenCoder tokens;
    for (std::size_t at = 0; at < out.size();) {
        const auto previous = static_cast<std::uint8_t>(at == 0 ? '\0' : out[at - 1]);
        const packing::Token token = tokens.code(reader, {}, previous);
        if (token.length == 0) {
            out[at++] = static_cast<char>(token.literal);
        }
        for (std::uint32_t i = 0; i < token.length; ++i, ++at) {
            out[at] = out[at - token.distance];
        }
    }
    return out;
}

std::uint64_t take_number(const std::string& bytes, std::size_t& at) {
    std::uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<std::uint8_t>(bytes[at++]);
        number |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) {
            return number;
        }
    }
}

} // namespace

std::string unpack_text(Packed text) {
    return unpack_bytes(text);
}

std::vector<std::uint32_t> unpack_words(Packed words) {
    const std::string bytes = unpack_bytes(words);
    std::size_t at = 0;
    std::vector<std::uint32_t> out;
    while (out.size() < packing::spirv_header_words) {
        out.push_back(static_cast<std::uint32_t>(take_number(bytes, at)));
    }
    packing::WordCoder coder;
    while (at < bytes.size()) {
        const std::uint64_t head = take_number(bytes, at);
        auto operands = static_cast<std::uint32_t>(head % packing::many_operands);
        if (operands == packing::many_operands - 1) {
            operands = static_cast<std::uint32_t>(take_number(bytes, at));
        }
        out.push_back((operands + 1) << 16 | static_cast<std::uint32_t>(head / packing::many_operands));
        for (std::uint32_t place = 1; place <= operands; ++place) {
            out.push_back(coder.word_of(take_number(bytes, at)));
            coder.pass(out.back(), place);
        }
    }
    return out;
}

} // namespace weir
