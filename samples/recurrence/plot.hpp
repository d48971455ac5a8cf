#pragma once

#include <string>
#include <vector>

namespace samples {

struct Curve {
    std::string name;
    std::string color; ///< as SVG has it
    std::vector<double> values;
};

/// An SVG file's text: the curves over their index. Where there are more values than columns of the picture, each
/// column shows the range of its values.
std::string plot_svg(const std::string& title, const std::vector<Curve>& curves);

} // namespace samples
