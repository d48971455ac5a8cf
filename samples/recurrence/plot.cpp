#include "recurrence/plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace samples {

namespace {

constexpr double width = 1200, height = 600, margin = 70; // of the picture, in its units

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.4g", value);
    return text;
}

/// From values to places in the picture.
struct Scale {
    double least = 0, most = 1;
    std::size_t count = 0;

    [[nodiscard]] double x(std::size_t i) const {
        return margin +
               (width - 2 * margin) * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
    }
    [[nodiscard]] double y(double value) const {
        return height - margin - (height - 2 * margin) * (value - least) / (most - least);
    }
};

Scale scale_of(const std::vector<Curve>& curves) {
    Scale scale;
    bool any = false;
    for (const Curve& curve : curves) {
        scale.count = std::max(scale.count, curve.values.size());
        for (const double value : curve.values) {
            if (std::isfinite(value)) {
                scale.least = any ? std::min(scale.least, value) : value;
                scale.most = any ? std::max(scale.most, value) : value;
                any = true;
            }
        }
    }
    if (!(scale.most > scale.least)) {
        scale.least -= 0.5;
        scale.most = scale.least + 1;
    }
    return scale;
}

/// The least and the greatest value of each column of the picture, or every value where there are few.
std::string points(const Curve& curve, const Scale& scale) {
    const auto columns = static_cast<std::size_t>(width - 2 * margin);
    const std::size_t each = std::max<std::size_t>(1, curve.values.size() / columns);
    std::string text;
    const auto add = [&](std::size_t i) {
        if (std::isfinite(curve.values[i])) {
            char point[64];
            std::snprintf(point, sizeof(point), "%.1f,%.1f ", scale.x(i), scale.y(curve.values[i]));
            text += point;
        }
    };
    for (std::size_t first = 0; first < curve.values.size(); first += each) {
        const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end =
            curve.values.begin() + static_cast<std::ptrdiff_t>(std::min(first + each, curve.values.size()));
        const auto [low, high] = std::minmax_element(begin, end);
        const auto place = [&](auto at) { return static_cast<std::size_t>(at - curve.values.begin()); };
        add(std::min(place(low), place(high)));
        if (low != high) {
            add(std::max(place(low), place(high)));
        }
    }
    return text;
}

} // namespace

std::string plot_svg(const std::string& title, const std::vector<Curve>& curves) {
    const Scale scale = scale_of(curves);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + ' ' +
                      number(height) +
                      "\" font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" "
                      "fill=\"white\"/>\n";
    const auto label = [&](double x, double y, const char* anchor, const std::string& color, const std::string& text) {
        svg += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" fill=\"" + color +
               "\">" + text + "</text>\n";
    };
    svg += "<rect x=\"" + number(margin) + "\" y=\"" + number(margin) + "\" width=\"" + number(width - 2 * margin) +
           "\" height=\"" + number(height - 2 * margin) + "\" fill=\"none\" stroke=\"#888\"/>\n";
    label(margin - 5, height - margin, "end", "#444", number(scale.least));
    label(margin - 5, margin + 10, "end", "#444", number(scale.most));
    label(width - margin, height - margin + 20, "end", "#444", std::to_string(scale.count == 0 ? 0 : scale.count - 1));
    label(margin, margin - 20, "start", "#000", title);
    double at = width - margin;
    for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve) {
        label(at, margin - 20, "end", curve->color, curve->name);
        at -= 10.0 * static_cast<double>(curve->name.size()) + 20;
    }
    bool dashed = false; // the last one, so that what is below it shows
    for (const Curve& curve : curves) {
        dashed = &curve == &curves.back();
        svg += "<polyline fill=\"none\" stroke=\"" + curve.color + "\"" + (dashed ? " stroke-dasharray=\"6 6\"" : "") +
               " points=\"" + points(curve, scale) + "\"/>\n";
    }
    return svg + "</svg>\n";
}

} // namespace samples
