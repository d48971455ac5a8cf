#include "primitives/sort/radix_tile.hpp"

#include <algorithm>
#include <bit>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/instrument.hpp"

namespace weir {

namespace {

constexpr std::uint32_t max_keys = (1U << 30) - 1; // payload of a tile state without an epoch

} // namespace

KeyForm key_form(Scalar key) {
    switch (key) {
    case Scalar::i32: return {1, false, true};
    case Scalar::f32: return {1, true, true};
    case Scalar::u64: return {2, false, false};
    case Scalar::i64: return {2, false, true};
    case Scalar::f64: return {2, true, true};
    default: return {1, false, false};
    }
}

void SortDigits::add_empty() {
    first_bit = end_bit = 0;
    low_passes = 1;
    digits = {Digit{}};
}

SortDigits digits_of(const detail::SortRequest& request, const KeyForm& form) {
    SortDigits all{.first_bit = request.first_bit, .end_bit = request.end_bit};
    for (std::uint32_t word = 0; word < form.words; ++word) {
        const bool highest = word + 1 == form.words;
        all.flips[word] = (request.descending ? ~0U : 0U) ^ (form.has_sign && highest ? 1U << 31 : 0U);
        const std::uint32_t begin = 32 * word, end = std::min(request.end_bit, begin + 32);
        for (std::uint32_t bit = std::max(request.first_bit, begin); bit < end; bit += radix_bits) {
            all.digits.push_back({word, bit - begin, std::min(radix_bits, end - bit), all.flips[word]});
            all.low_passes += word == 0 ? 1 : 0;
        }
    }
    return all;
}

std::uint32_t tile_ranks(const Graph& graph, RadixRanks ranks, const SortDigits& by, const KeyForm& form,
                         bool has_places) {
    const bool checks =
        ranks == RadixRanks::checked || (ranks == RadixRanks::automatic && graph.capabilities().atomics_in_lane_order);
    const bool by_all_bits = by.first_bit == 0 && by.end_bit == form.bits;
    if (!has_places && by_all_bits && by.digits.size() == 1) {
        return RadixTileInterface::RANKS_ANY;
    }
    if (!checks || !(has_places || by_all_bits)) {
        return RadixTileInterface::RANKS_VOTED;
    }
    const testing::Instrument& faults = instrument_of(graph);
    return faults.one_in != 0 && faults.kind == testing::Instrument::Kind::out_of_order
               ? RadixTileInterface::RANKS_MIRRORED
               : RadixTileInterface::RANKS_CHECKED;
}

bool check_sort(Graph& graph, const char* primitive, const detail::SortRequest& request, bool in_windows) {
    const auto fail = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, concat(primitive, ": ", why)});
        return false;
    };
    const auto invalid = ErrorCode::invalid_argument;
    if (request.first_bit > request.end_bit || request.end_bit > request.key_bits) {
        return fail(invalid, concat("bits ", request.first_bit, " to ", request.end_bit, "; keys have bits 0 to ",
                                    request.key_bits));
    }
    if (request.capacity > max_keys && !in_windows) {
        return fail(ErrorCode::limit_exceeded, concat(request.capacity, " keys; at most ", max_keys, " can be sorted"));
    }
    const std::uint32_t key_words = divide_up(request.key_bits, 32);
    const std::uint64_t capacity = request.large_count != 0 ? request.large_count : request.capacity;
    if (!check_room(graph, primitive, {"the keys' buffer", request.keys, capacity, in_windows}, request.count.max,
                    key_words)) {
        return false;
    }
    // The other buffers need the whole capacity, because sorts by no bits copy whole buffers.
    const auto has_room = [&](const char* what, BufferId buffer, std::uint64_t room, std::uint32_t words) {
        return !buffer.valid() || check_room(graph, primitive, {what, buffer, room, in_windows}, capacity, words);
    };
    if (!has_room("the values' buffer", request.values, request.value_capacity, request.value_words) ||
        !has_room("the output's keys' buffer", request.output_keys, request.output_key_capacity, key_words) ||
        !has_room("the output's values' buffer", request.output_values, request.output_value_capacity,
                  request.value_words)) {
        return false;
    }
    const auto same = [](BufferId a, BufferId b) { return a.valid() && a == b; };
    if (same(request.values, request.keys) || same(request.output_values, request.output_keys) ||
        same(request.output_keys, request.values) || same(request.output_values, request.keys)) {
        return fail(invalid, "keys and values must not share a buffer");
    }
    return true;
}

bool check_tile(Graph& graph, const char* primitive, const SubgroupChoice& subgroup, std::uint32_t workgroup,
                std::uint32_t keys_per_invocation) {
    const auto fail = [&](const std::string& why) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", why)});
        return false;
    };
    if (keys_per_invocation > 64 || workgroup * keys_per_invocation > 0xFFFF) {
        return fail(
            keys_per_invocation > 64
                ? concat(keys_per_invocation, " keys per invocation; at most 64 are supported")
                : concat("tiles of ", workgroup, " * ", keys_per_invocation, " keys; less than 2^16 are supported"));
    }
    const std::uint32_t most = max_workgroup(graph.capabilities(), subgroup);
    if (!std::has_single_bit(workgroup) || workgroup < subgroup.least ||
        workgroup / subgroup.least > max_counter_rows || workgroup > most) {
        return fail(concat("a workgroup of ", workgroup, " invocations; powers of two of at most ", max_counter_rows,
                           " subgroups and ", most, " invocations are supported"));
    }
    return true;
}

} // namespace weir
