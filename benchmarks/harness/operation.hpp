#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/data.hpp"

namespace weir::bench {

/// One way to do an operation.
struct Variant {
    std::string impl;
    /// A program that reads inputs of `Data` and writes its outputs, of n items each.
    std::function<Result<Program>(Data& data, std::uint32_t n)> prepare;
    /// What else there is to say of its kernel, for the end of a row; may be empty.
    std::function<Result<std::string>(Data& data, std::uint32_t n)> describe = {};
};

/// What is measured: several implementations that give the same results.
struct Operation {
    std::string op;
    std::string type;
    double bytes_per_item = 0;         ///< read and written by the algorithm at least
    std::uint32_t memory_per_item = 0; ///< device memory that it takes, inputs and outputs included
    std::uint32_t words_per_item = 1;  ///< 32-bit words; a copy of as many is what it is compared with
    std::uint32_t items_per_word = 1;  ///< 2 or 4 where items are narrower than a word, which outputs are not
    std::uint32_t outputs = 1;         ///< how many of Data's outputs are written
    std::uint32_t results = 0;         ///< items of an output; 0: n
    bool few_sizes = false;            ///< where no sizes are asked for: 2^12, 2^16 and so on
    bool on_request = false;           ///< measured only where a filter is given, and matches
    std::function<Arrays(std::uint32_t n)> expected; ///< those, computed on the CPU
    std::vector<Variant> variants;
};

/// Whether inputs and outputs of n items fit the device, asked before memory is: some drivers promise more than there
/// is. Errors: `limit_exceeded`.
Result<> check_fit(const Operation& operation, std::uint32_t n, const Capabilities& device);

/// Overwrites the outputs of n items.
Result<> poison_outputs(const Operation& operation, std::uint32_t n, Data& data);

/// What they hold.
Result<Arrays> read_outputs(const Operation& operation, std::uint32_t n, Data& data);

/// Compares them with what the CPU finds, which is computed if `expected` is empty. Errors: `vulkan` names a word that
/// differs.
Result<> verify_outputs(const Operation& operation, std::uint32_t n, Data& data, Arrays& expected);

} // namespace weir::bench
