#pragma once

#include <optional>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "recurrence/series.hpp"

namespace samples {

/// y_i made of y_{i-1} and x_i. The step from one y to the next is a function; functions compose associatively, so all
/// prefixes of their composition are a scan. Where a group begins, the function forgets what it is given.
struct Recurrence {
    std::string name;
    std::string formula; ///< for people
    bool takes_input = true;
    double usual_k = 0; ///< 0: there is no k
    double least_k = 0, most_k = 0;

    weir::Monoid monoid; ///< functions, first one first
    std::string load;    ///< the i-th: GLSL that sees x, k and is_first
    std::string result;  ///< the bits of y_i: a GLSL expression of `inclusive`

    /// y_i by the loop. `first`: nothing precedes it. Null: Fibonacci's, of which y is a u32, else a float.
    double (*step)(double before, double x, double k, bool first) = nullptr;
};

const std::vector<Recurrence>& recurrences();

/// One of them, by its name.
const Recurrence& find_recurrence(const std::string& name);

struct Scanned {
    std::vector<double> y;
    std::optional<double> gpu_ms; ///< of a single run, where the device tells
};

/// y by the scan on the device.
weir::Result<Scanned> scan_on_device(const weir::Context& gpu, const Recurrence& recurrence, const Series& series,
                                     double k);

/// y by the loop, in double precision, or modulo 2^32.
std::vector<double> loop(const Recurrence& recurrence, const Series& series, double k);

} // namespace samples
