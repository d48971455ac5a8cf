#pragma once

#include <cstdint>
#include <string>

#include <weir/weir.hpp>

#include "common/plan_files.hpp"
#include "radix_sort/options.hpp"

namespace samples {

struct Sorted {
    Bytes keys;                ///< none of an argsort
    Bytes values;              ///< if asked for, or of an argsort: where each key was, as u32
    double gpu_ms = 0;         ///< median of one sort; 0 where the device has no timestamps
    double copy_ms = 0;        ///< the same for copying the keys
    std::uint64_t scratch = 0; ///< bytes of device memory besides keys and values
    PlanTexts plan = no_plan();
};

/// Sorts `keys` (at least one) on the device.
weir::Result<Sorted> sort_on_device(const weir::Context& gpu, const Bytes& keys, const Options& options);

/// Whether `sorted` is what std::stable_sort makes of `keys`; the message tells where it is not.
weir::Result<> verify(const Bytes& keys, const Sorted& sorted, const Options& options);

} // namespace samples
