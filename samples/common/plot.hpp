#pragma once

#include <string>
#include <vector>

namespace samples {

struct Curve {
    std::string name;
    std::string color; ///< as SVG has it
    std::vector<double> y;
    std::vector<double> x; ///< of each, ascending; empty: the indices
    bool dashed = false;   ///< so that what is below it shows
    bool markers = false;  ///< a dot at each point
};

struct Axis {
    std::string label;
    bool from_zero = false;     ///< begins at 0 even if nothing is there
    bool powers_of_two = false; ///< equally far apart
};

struct Plot {
    std::string title;
    Axis x, y;
    std::vector<Curve> curves;
};

/// An SVG file's text. Where a curve has more points than the picture has columns, each column shows the range of its
/// values. What is not finite is left out.
std::string to_svg(const Plot& plot);

} // namespace samples
