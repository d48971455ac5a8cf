#include "harness/runner.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

std::string name_of(const Operation& operation, const std::string& impl) {
    return operation.op + '/' + operation.type + '/' + impl;
}

} // namespace

Runner::Runner(const Context& context, Timer& timer, RunnerOptions options, Table& table, Operation copy,
               std::vector<Row> peer_rows)
    : timer_(timer), options_(std::move(options)), table_(table), copy_(std::move(copy)),
      peer_rows_(std::move(peer_rows)), data_(context) {}

void Runner::run(const Operation& operation) {
    for (const std::uint32_t n : options_.sizes) {
        if (operation.few_sizes && !options_.asked_for_sizes && std::countr_zero(n) % 4 != 0) {
            continue;
        }
        const auto peer = [&](const char* impl) {
            return std::find_if(peer_rows_.begin(), peer_rows_.end(), [&](const Row& row) {
                return row.op == operation.op && row.type == operation.type && row.n == n && row.impl == impl;
            });
        };
        const auto cub = peer("cub"), cub_graph = peer("cub graph");
        Arrays expected;
        for (const Variant& variant : operation.variants) {
            const std::string name = name_of(operation, variant.impl);
            if (lost_ || !options_.selected(name)) {
                continue;
            }
            if (auto fits = check_fit(operation, n, data_.context().capabilities()); !fits) {
                complain(name, n, fits.error());
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
            const double copy = copy_ms(std::max(1U, n * operation.words_per_item / operation.items_per_word));
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
            if (cub != peer_rows_.end()) {
                row.ratio_to_cub = cub->median_ms / times->median_ms;
            }
            if (cub_graph != peer_rows_.end()) {
                row.ratio_to_cub_graph = cub_graph->median_ms / times->median_ms;
            }
            if (variant.describe) {
                row.kernel = variant.describe(data_, n).value_or(std::string());
            }
            report(row);
        }
        for (const auto& row : {cub, cub_graph}) {
            if (row != peer_rows_.end()) {
                report(*row);
            }
        }
    }
}

Result<Times> Runner::measure(const Operation& operation, const Variant& variant, std::uint32_t n, Arrays& expected) {
    auto program = variant.prepare(data_, n);
    SAMPLES_PROPAGATE(program);
    if (options_.verify) {
        SAMPLES_PROPAGATE(poison_outputs(operation, n, data_));
    }
    auto times = timer_.time(*program);
    if (times && options_.verify) {
        SAMPLES_PROPAGATE(verify_outputs(operation, n, data_, expected));
    }
    return times;
}

/// Returns the time of a copy of n words, or 0 if it cannot be measured.
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
