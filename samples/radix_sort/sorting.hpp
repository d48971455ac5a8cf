#pragma once

#include <cstdint>
#include <string>

#include <weir/weir.hpp>

#include "common/plan_files.hpp"
#include "radix_sort/options.hpp"

namespace samples {

struct Sorted {
    Bytes keys;                ///< empty for an argsort
    Bytes values;              ///< with --values or --argsort: index of each key in the input, as u32
    double gpu_ms = 0;         ///< median GPU time of one sort; 0 without timestamps
    double copy_ms = 0;        ///< median GPU time of copying the keys; 0 without timestamps
    std::uint64_t scratch = 0; ///< bytes of device memory in addition to keys and values
    PlanTexts plan = no_plan();
};

/// Sorts `keys` (at least one) on the device.
weir::Result<Sorted> sort_on_device(const weir::Context& gpu, const Bytes& keys, const Options& options);

/// Compares `sorted` with std::stable_sort. The error names the first difference.
weir::Result<> verify(const Bytes& keys, const Sorted& sorted, const Options& options);

} // namespace samples
