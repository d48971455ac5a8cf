#pragma once

#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "recurrence/series.hpp"

namespace samples {

/// A recurrence y_i = f(y_{i-1}, x_i). Each step is a function of the previous y. Composition of functions is
/// associative, so a scan computes all prefixes. At the start of a group, the function ignores its argument.
struct Recurrence {
    std::string name;
    std::string formula; ///< description in help and plots
    bool takes_input = true;
    double usual_k = 0; ///< default of k; 0: the recurrence has no k
    double least_k = 0, most_k = 0;

    weir::Monoid monoid; ///< composition of the functions; the left one is applied first
    std::string load;    ///< GLSL body that returns the i-th function; may use x, k and is_first
    std::string result;  ///< GLSL expression for the bits of y_i; may use `inclusive`

    /// Computes y_i in the sequential loop. `first`: no element precedes it in its group. Null for Fibonacci, where y
    /// is a u32; otherwise y is a float.
    double (*step)(double before, double x, double k, bool first) = nullptr;
};

const std::vector<Recurrence>& recurrences();

/// Returns a recurrence by its name.
const Recurrence& find_recurrence(const std::string& name);

struct Scanned {
    std::vector<double> y;
    std::optional<double> gpu_ms; ///< GPU time of a single run; empty without timestamps
};

/// Computes y with the scan on the device.
weir::Result<Scanned> scan_on_device(const weir::Context& gpu, const Recurrence& recurrence, const Series& series,
                                     double k);

/// Computes y with the sequential loop, in double precision, or modulo 2^32 for Fibonacci.
std::vector<double> loop(const Recurrence& recurrence, const Series& series, double k);

} // namespace samples
