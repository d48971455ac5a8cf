#pragma once

#include <string>
#include <vector>

namespace samples {

struct Curve {
    std::string name;
    std::string color; ///< as in SVG
    std::vector<double> y;
    std::vector<double> x; ///< one per value, ascending; empty: the indices
    bool dashed = false;   ///< so that curves below stay visible
    bool markers = false;  ///< a dot at each point
};

struct Axis {
    std::string label;
    bool from_zero = false;     ///< begins at 0 even if no value is near it
    bool powers_of_two = false; ///< logarithmic scale to base 2
};

struct Plot {
    std::string title;
    Axis x, y;
    std::vector<Curve> curves;
};

/// Returns the plot as SVG. If a curve has more points than the picture has columns, each column shows the range of its
/// values. Values that are not finite are omitted.
std::string to_svg(const Plot& plot);

} // namespace samples
