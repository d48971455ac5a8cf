#include "harness/operation.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

std::uint32_t output_words(const Operation& operation, std::uint32_t n) {
    return (operation.results != 0 ? operation.results : n) * operation.words_per_item;
}

} // namespace

Result<> check_fit(const Operation& operation, std::uint32_t n, const Capabilities& device) {
    constexpr double usable = 0.9;
    if (std::uint64_t{n} * operation.words_per_item > ~0U) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded, "more than 2^32 words"});
    }
    const double needed = static_cast<double>(n) * operation.memory_per_item;
    const double there = usable * static_cast<double>(device.device_local_memory);
    if (needed > there) {
        char why[96];
        std::snprintf(why, sizeof why, "needs %.1f GiB, but %.1f GiB of device memory are usable", needed / (1U << 30),
                      there / (1U << 30));
        return tl::unexpected(Error{ErrorCode::limit_exceeded, why});
    }
    return {};
}

Result<> poison_outputs(const Operation& operation, std::uint32_t n, Data& data) {
    for (std::uint32_t i = 0; i < operation.outputs; ++i) {
        SAMPLES_PROPAGATE(data.poison(i, output_words(operation, n)));
    }
    return {};
}

Result<Arrays> read_outputs(const Operation& operation, std::uint32_t n, Data& data) {
    Arrays arrays;
    for (std::uint32_t i = 0; i < operation.outputs; ++i) {
        const std::uint32_t words = output_words(operation, n);
        auto found = data.output(i, words).and_then(
            [&](const BufferView& output) { return data.context().download<std::uint32_t>(output, words); });
        SAMPLES_PROPAGATE(found);
        arrays.push_back(std::move(*found));
    }
    return arrays;
}

Result<> verify_outputs(const Operation& operation, std::uint32_t n, Data& data, Arrays& expected) {
    if (expected.empty()) {
        expected = operation.expected(n);
    }
    for (std::uint32_t i = 0; i < operation.outputs; ++i) {
        const std::uint32_t words = output_words(operation, n);
        const auto output = data.output(i, words);
        SAMPLES_PROPAGATE(output);
        const auto found = data.context().download<std::uint32_t>(*output, words);
        SAMPLES_PROPAGATE(found);
        const auto [wrong, right] = std::mismatch(found->begin(), found->end(), expected[i].begin());
        if (wrong != found->end()) {
            return tl::unexpected(Error{ErrorCode::vulkan, "wrong result: word " +
                                                               std::to_string(wrong - found->begin()) + " of output " +
                                                               std::to_string(i) + " is " + std::to_string(*wrong) +
                                                               ", expected " + std::to_string(*right)});
        }
    }
    return {};
}

} // namespace weir::bench
