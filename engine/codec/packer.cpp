#include "engine/codec/packer.hpp"

#include <bit>
#include <limits>
#include <string>

#include "engine/codec/packing.hpp"
#include "engine/codec/renumber.hpp"

namespace weir {

namespace {

using packing::Token;

/// Finds earlier occurrences of bytes by a hash of their first bytes.
class History {
public:
    explicit History(std::string_view bytes)
        : bytes_(bytes), newest_(1U << hash_bits, none), older_(bytes.size(), none) {}

    /// Calls `visit` for earlier matches of the bytes at `at`. Each match is longer and farther away than the previous
    /// one. Must be called for each place in ascending order.
    template <class Visit>
    void matches(std::size_t at, const Visit& visit) {
        if (at + packing::shortest_match >= bytes_.size()) {
            return;
        }
        std::uint32_t& newest = newest_[hash(at)];
        std::size_t longest = packing::shortest_match - 1;
        int tries = 64;
        for (std::uint32_t from = newest; from != none && tries > 0 && longest < longest_match;
             from = older_[from], --tries) {
            if (const std::size_t length = common(from, at); length > longest) {
                longest = length;
                visit(static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(at - from));
            }
        }
        older_[at] = newest;
        newest = static_cast<std::uint32_t>(at);
    }

    [[nodiscard]] std::size_t common(std::size_t from, std::size_t at) const {
        std::size_t length = 0;
        while (length < longest_match && at + length < bytes_.size() && bytes_[from + length] == bytes_[at + length]) {
            ++length;
        }
        return length;
    }

private:
    static constexpr std::uint32_t none = ~0U;
    static constexpr int hash_bits = 16;
    static constexpr std::size_t longest_match = 1024; // limits the packing time

    [[nodiscard]] std::size_t hash(std::size_t at) const {
        std::uint32_t word = 0;
        for (std::size_t i = 0; i <= packing::shortest_match; ++i) {
            word = word << 8 | static_cast<std::uint8_t>(bytes_[at + i]);
        }
        return word * 0x9E3779B1U >> (32 - hash_bits);
    }

    std::string_view bytes_;
    std::vector<std::uint32_t> newest_, older_;
};

/// Returns the tokens with the minimum estimated number of bits.
std::vector<Token> parse(std::string_view bytes) {
    struct Step {
        std::uint32_t bits = std::numeric_limits<std::uint32_t>::max(); ///< estimated bits up to here
        Token token;                                                    ///< last token of the best way here
        std::uint32_t last_distance = 0;
    };
    constexpr std::uint32_t literal_bits = 5, match_bits = 5, max_lengths = 64;
    std::vector<Step> steps(bytes.size() + 1);
    steps[0].bits = 0;
    History history(bytes);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        const Step& here = steps[at];
        const auto take = [&](Token token, std::uint32_t size, std::uint32_t bits) {
            Step& there = steps[at + size];
            if (here.bits + bits < there.bits) {
                there = {here.bits + bits, token, token.length != 0 ? token.distance : here.last_distance};
            }
        };
        const auto take_match = [&](std::uint32_t longest, std::uint32_t distance) {
            const auto of_distance =
                distance == here.last_distance ? 0U : static_cast<std::uint32_t>(std::bit_width(distance)) + 1;
            std::uint32_t length = longest;
            for (std::uint32_t i = 0; i < max_lengths && length >= packing::shortest_match; ++i, --length) {
                take({0, length, distance}, length,
                     match_bits + of_distance + static_cast<std::uint32_t>(std::bit_width(length)));
            }
        };
        take({static_cast<std::uint8_t>(bytes[at])}, 1, literal_bits);
        if (here.last_distance != 0) {
            take_match(static_cast<std::uint32_t>(history.common(at - here.last_distance, at)), here.last_distance);
        }
        history.matches(at, take_match);
    }
    std::vector<Token> tokens;
    for (std::size_t at = bytes.size(); at > 0; at -= std::max(1U, tokens.back().length)) {
        tokens.push_back(steps[at].token);
    }
    return {tokens.rbegin(), tokens.rend()};
}

void put_number(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) {
        bytes += static_cast<char>(number | 0x80);
    }
    bytes += static_cast<char>(number);
}

} // namespace

std::vector<std::uint8_t> pack_text(std::string_view text) {
    packing::BitWriter writer;
    packing::TokenCoder coder;
    std::size_t at = 0;
    for (const Token& token : parse(text)) {
        coder.code(writer, token, static_cast<std::uint8_t>(at == 0 ? '\0' : text[at - 1]));
        at += std::max(1U, token.length);
    }
    std::vector<std::uint8_t> out;
    for (int shift = 0; shift < 32; shift += 8) {
        out.push_back(static_cast<std::uint8_t>(text.size() >> shift));
    }
    const std::vector<std::uint8_t> coded = writer.take();
    out.insert(out.end(), coded.begin(), coded.end());
    return out;
}

std::vector<std::uint8_t> pack_spirv(std::vector<std::uint32_t> words) {
    renumber_ids(words);
    std::string bytes;
    std::size_t at = 0;
    for (; at < packing::spirv_header_words && at < words.size(); ++at) {
        put_number(bytes, words[at]);
    }
    packing::WordCoder coder;
    while (at < words.size()) {
        const std::uint32_t length = words[at] >> 16;
        if (length == 0 || length > words.size() - at) {
            return {};
        }
        const std::uint32_t few = std::min(length - 1, packing::many_operands - 1);
        put_number(bytes, std::uint64_t{words[at] & 0xFFFF} * packing::many_operands + few);
        if (few == packing::many_operands - 1) {
            put_number(bytes, length - 1);
        }
        for (std::uint32_t place = 1; place < length; ++place) {
            put_number(bytes, coder.number_of(words[at + place]));
            coder.pass(words[at + place], place);
        }
        at += length;
    }
    return at < packing::spirv_header_words ? std::vector<std::uint8_t>() : pack_text(bytes);
}

} // namespace weir
