#include "harness/runner.hpp"

#include <algorithm>
#include <cstdio>

namespace weir::bench {

namespace {

std::string name_of(const Operation& operation, const std::string& impl) {
    return operation.op + '/' + operation.type + '/' + impl;
}

std::uint32_t output_words(const Operation& operation, std::uint32_t n) {
    return (operation.one_result ? 1 : n) * operation.words_per_item;
}

} // namespace

Runner::Runner(const Context& context, Timer& timer, RunnerOptions options, Table& table, Operation copy,
               std::vector<Row> peer_rows)
    : timer_(timer), options_(std::move(options)), table_(table), copy_(std::move(copy)),
      peer_rows_(std::move(peer_rows)), data_(context) {}

void Runner::run(const Operation& operation) {
    for (const std::uint32_t n : options_.sizes) {
        const auto peer = std::find_if(peer_rows_.begin(), peer_rows_.end(), [&](const Row& row) {
            return row.op == operation.op && row.type == operation.type && row.n == n;
        });
        Arrays expected;
        for (const Variant& variant : operation.variants) {
            const std::string name = name_of(operation, variant.impl);
            if (lost_ || !options_.selected(name) || !fits(operation, n)) {
                continue;
            }
            const auto times = measure(operation, variant, n, expected);
            if (!times) {
                complain(name, n, times.error());
                continue;
            }
            if (operation.op == copy_.op) {
                copy_times_[n] = *times;
            }
            const double copy = copy_ms(n * operation.words_per_item);
            const double per_s = n / times->median_ms * 1e3;
            Row row{operation.op,
                    operation.type,
                    n,
                    variant.impl,
                    times->median_ms,
                    times->min_ms,
                    times->repeats,
                    per_s,
                    per_s * operation.bytes_per_item};
            if (copy > 0) {
                row.ratio_to_copy = copy / times->median_ms;
            }
            if (peer != peer_rows_.end()) {
                row.ratio_to_cub = peer->median_ms / times->median_ms;
            }
            report(row);
        }
        if (peer != peer_rows_.end()) {
            report(*peer);
        }
    }
}

/// Asked before memory is: some drivers promise more than there is.
bool Runner::fits(const Operation& operation, std::uint32_t n) const {
    constexpr double usable = 0.9;
    if (std::uint64_t{n} * operation.words_per_item > ~0U) {
        std::fprintf(stderr, "weir_bench: skipped %s/%s at %s: more than 2^32 words\n", operation.op.c_str(),
                     operation.type.c_str(), size_name(n).c_str());
        return false;
    }
    const double needed = static_cast<double>(n) * operation.memory_per_item;
    const double there = usable * static_cast<double>(data_.context().capabilities().device_local_memory);
    if (needed > there) {
        std::fprintf(stderr, "weir_bench: skipped %s/%s at %s: it takes %.1f GiB of %.1f GiB usable device memory\n",
                     operation.op.c_str(), operation.type.c_str(), size_name(n).c_str(), needed / (1U << 30),
                     there / (1U << 30));
    }
    return needed <= there;
}

Result<Times> Runner::measure(const Operation& operation, const Variant& variant, std::uint32_t n, Arrays& expected) {
    auto program = variant.prepare(data_, n);
    if (!program) {
        return tl::unexpected(program.error());
    }
    if (options_.verify) {
        for (std::uint32_t i = 0; i < operation.outputs; ++i) {
            if (auto poisoned = data_.poison(i, output_words(operation, n)); !poisoned) {
                return tl::unexpected(poisoned.error());
            }
        }
    }
    auto times = timer_.time(*program);
    if (times && options_.verify) {
        if (auto verified = verify(operation, n, expected); !verified) {
            return tl::unexpected(verified.error());
        }
    }
    return times;
}

Result<> Runner::verify(const Operation& operation, std::uint32_t n, Arrays& expected) {
    if (expected.empty()) {
        expected = operation.expected(n);
    }
    for (std::uint32_t i = 0; i < operation.outputs; ++i) {
        const std::uint32_t words = output_words(operation, n);
        const auto output = data_.output(i, words);
        if (!output) {
            return tl::unexpected(output.error());
        }
        const auto found = data_.context().download<std::uint32_t>(*output, words);
        if (!found) {
            return tl::unexpected(found.error());
        }
        const auto [wrong, right] = std::mismatch(found->begin(), found->end(), expected[i].begin());
        if (wrong != found->end()) {
            return tl::unexpected(Error{ErrorCode::vulkan, "wrong result: word " +
                                                               std::to_string(wrong - found->begin()) + " of output " +
                                                               std::to_string(i) + " is " + std::to_string(*wrong) +
                                                               ", not " + std::to_string(*right)});
        }
    }
    return {};
}

/// 0 if the copy cannot be measured.
double Runner::copy_ms(std::uint32_t n) {
    const auto known = copy_times_.find(n);
    if (known != copy_times_.end()) {
        return known->second.median_ms;
    }
    const Variant& variant = copy_.variants.front();
    auto program = variant.prepare(data_, n);
    const auto times = program ? timer_.time(*program) : tl::unexpected(program.error());
    if (!times) {
        complain(name_of(copy_, variant.impl), n, times.error());
    }
    return (copy_times_[n] = times.value_or(Times{})).median_ms;
}

void Runner::report(const Row& row) {
    rows_.push_back(row);
    table_.add(row);
}

void Runner::complain(const std::string& name, std::uint32_t n, const Error& error) {
    const bool impossible = error.code == ErrorCode::limit_exceeded || error.code == ErrorCode::out_of_memory ||
                            error.code == ErrorCode::unsupported;
    std::fprintf(stderr, "weir_bench: %s %s at %s: %s\n", impossible ? "skipped" : "failed", name.c_str(),
                 size_name(n).c_str(), error.message.c_str());
    failed_ |= !impossible;
    lost_ |= error.code == ErrorCode::device_lost;
}

} // namespace weir::bench
