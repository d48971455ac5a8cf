#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/data.hpp"

namespace weir::bench {

/// One implementation of an operation.
struct Variant {
    std::string impl;
    /// Returns a program that reads inputs and writes outputs of `data`, of n items each.
    std::function<Result<Program>(Data& data, std::uint32_t n)> prepare;
    /// Returns a description of the kernel, for the end of a row. Optional.
    std::function<Result<std::string>(Data& data, std::uint32_t n)> describe = {};
};

/// A measured operation: several implementations with the same results.
struct Operation {
    std::string op;
    std::string type;
    double bytes_per_item = 0;         ///< minimum that the algorithm reads and writes
    std::uint32_t memory_per_item = 0; ///< bytes of device memory, including inputs and outputs
    std::uint32_t words_per_item = 1;  ///< 32-bit words; the rate is compared with a copy of the same number of words
    std::uint32_t items_per_word = 1;  ///< 2 or 4 if input items are narrower than a word; output items never are
    std::uint32_t outputs = 1;         ///< number of outputs of Data that are written
    std::uint32_t results = 0;         ///< items per output; 0: n
    bool few_sizes = false;            ///< by default, measures only 2^12, 2^16 and so on
    bool on_request = false;           ///< measured only with a filter that matches
    std::function<Arrays(std::uint32_t n)> expected; ///< computes the outputs on the CPU
    std::vector<Variant> variants;
};

/// Checks that inputs and outputs of n items fit the device. Called before allocation, because some drivers allow more
/// memory than the device has. Errors: `limit_exceeded`.
Result<> check_fit(const Operation& operation, std::uint32_t n, const Capabilities& device);

/// Overwrites the outputs for n items with Data::poison_word.
Result<> poison_outputs(const Operation& operation, std::uint32_t n, Data& data);

/// Downloads the outputs for n items.
Result<Arrays> read_outputs(const Operation& operation, std::uint32_t n, Data& data);

/// Compares the outputs for n items with `expected`. If that is empty, computes it on the CPU first. Errors: `vulkan`
/// names the first word that differs.
Result<> verify_outputs(const Operation& operation, std::uint32_t n, Data& data, Arrays& expected);

} // namespace weir::bench
