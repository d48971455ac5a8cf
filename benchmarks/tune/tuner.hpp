#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/data.hpp"
#include "harness/timer.hpp"
#include "tune/candidates.hpp"

namespace weir::bench {

/// What was found for one size.
struct Choice {
    std::uint32_t words = 0;
    std::optional<std::size_t> candidate; ///< none: the shape that Weir has is as good as any
    double present_ms = 0;                ///< with that one; means over the operations
    double chosen_ms = 0;
};

/// Finds the best shape of a kernel for one size after the other.
class Tuner {
public:
    /// A few measurements instead of many: for a trial.
    static Result<Tuner> create(const Context& context, bool quick);

    /// Times all candidates once, then the best of them, the present shape and that of the size before several times,
    /// in turns so that clocks that drift are the same for all. `previous`: what was chosen there; it stays unless
    /// another shape is better by more than noise, and else so does the present one. The result is compared with the
    /// CPU's. Errors: `limit_exceeded` and `out_of_memory` if the size is too large for the device; `vulkan` names a
    /// shape whose result is wrong.
    Result<Choice> choose(const TunedKernel& kernel, std::uint32_t words, const std::optional<Choice>& previous,
                          const std::function<void(double)>& progress);

private:
    Tuner(const Context& context, Timer first, Timer last, std::size_t finalists, std::size_t rounds)
        : data_(context), first_(std::move(first)), last_(std::move(last)), finalists_(finalists), rounds_(rounds) {}

    Result<double> time(const TunedKernel& kernel, std::size_t variant, std::uint32_t words, Timer& timer);
    Result<> verify(const TunedKernel& kernel, std::size_t variant, std::uint32_t words);

    Data data_;
    Timer first_, last_; ///< for the first look at all, and for the last word
    std::size_t finalists_, rounds_;
};

} // namespace weir::bench
