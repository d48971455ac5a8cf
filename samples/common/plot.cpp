#include "common/plot.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/text.hpp"

namespace samples {

namespace {

// Dimensions in SVG units.
constexpr double width = 1200, height = 600;
constexpr double left = 90, right = 30, top = 80, bottom = 70; // margins around the frame
constexpr double letter = 8;                                   // approximate width of a character of the legend

std::string number(double value) {
    return general(value, 7);
}

std::string power_of_two(double exponent) {
    return exponent > 0 ? "2^" + number(exponent) : exponent == 0 ? "1" : "1/" + number(std::exp2(-exponent));
}

std::string in_xml(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
    }
    return safe;
}

struct Range {
    double least = 0, most = 1;
};

/// Maps values to fractions of an axis and places its ticks.
class Scale {
public:
    Scale(const Axis& axis, Range range) : logarithmic_(axis.powers_of_two) {
        if (logarithmic_ && range.least > 0) { // otherwise there is no value
            range_ = {std::log2(range.least), std::log2(range.most)};
        } else {
            range_ = {axis.from_zero ? std::min(0.0, range.least) : range.least, range.most};
        }
        if (!(range_.most > range_.least)) {
            const double margin = std::max(0.5, 1e-3 * std::abs(range_.least));
            range_ = {axis.from_zero ? range_.least : range_.least - margin, range_.least + margin};
        }
        // About 10 ticks, at steps of 1, 2 or 5 times a power of ten. Steps between exponents are at least 1.
        constexpr double ticks = 10;
        const double apart = (range_.most - range_.least) / ticks;
        const double power = std::pow(10, std::floor(std::log10(apart)));
        step_ = 10 * power;
        for (const double each : {5.0, 2.0, 1.0}) {
            step_ = each * power >= apart ? each * power : step_;
        }
        step_ = logarithmic_ ? std::max(1.0, step_) : step_;
    }

    /// Extends the axis so that it begins and ends at a tick.
    void extend() { range_ = {std::floor(range_.least / step_) * step_, std::ceil(range_.most / step_) * step_}; }

    [[nodiscard]] double place(double value) const {
        return ((logarithmic_ ? std::log2(value) : value) - range_.least) / (range_.most - range_.least);
    }

    struct Tick {
        double place = 0;
        std::string text;
    };
    [[nodiscard]] std::vector<Tick> ticks() const {
        std::vector<Tick> all;
        constexpr double rounding = 1e-9;
        const auto last = static_cast<long long>(std::floor(range_.most / step_ + rounding));
        for (auto i = static_cast<long long>(std::ceil(range_.least / step_ - rounding)); i <= last; ++i) {
            const double value = static_cast<double>(i) * step_;
            all.push_back({(value - range_.least) / (range_.most - range_.least),
                           logarithmic_ ? power_of_two(value) : number(value)});
        }
        return all;
    }

private:
    bool logarithmic_;
    Range range_; ///< range of the exponents if logarithmic
    double step_ = 1;
};

double x_of(const Curve& curve, std::size_t i) {
    return curve.x.empty() ? static_cast<double>(i) : curve.x[i];
}

void include(std::optional<Range>& range, double value) {
    range = range ? Range{std::min(range->least, value), std::max(range->most, value)} : Range{value, value};
}

class Drawing {
public:
    explicit Drawing(const Plot& plot) : plot_(plot), x_(plot.x, range_of_x(plot)), y_(plot.y, range_of_y(plot)) {
        y_.extend();
    }

    std::string svg() {
        svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + ' ' + number(height) +
               "\" font-family=\"sans-serif\" font-size=\"14\">\n"
               "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
        draw_axes();
        label(left, 25, "start", "#000", plot_.title);
        draw_legend();
        for (const Curve& curve : plot_.curves) {
            draw(curve);
        }
        return svg_ + "</svg>\n";
    }

private:
    static Range range_of_x(const Plot& plot) {
        std::optional<Range> range;
        for (const Curve& curve : plot.curves) {
            if (!curve.y.empty()) {
                include(range, x_of(curve, 0));
                include(range, x_of(curve, curve.y.size() - 1));
            }
        }
        return range.value_or(Range());
    }

    static Range range_of_y(const Plot& plot) {
        std::optional<Range> range;
        for (const Curve& curve : plot.curves) {
            for (const double value : curve.y) {
                if (std::isfinite(value)) {
                    include(range, value);
                }
            }
        }
        return range.value_or(Range());
    }

    static double x_at(double place) { return left + place * (width - left - right); }
    static double y_at(double place) { return height - bottom - place * (height - top - bottom); }

    static std::string stroke(const Curve& curve) {
        return "stroke=\"" + curve.color + '"' + (curve.dashed ? " stroke-dasharray=\"6 6\"" : "") +
               (curve.markers ? " stroke-width=\"2\"" : "");
    }

    void line(double x1, double y1, double x2, double y2, const std::string& how) {
        svg_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
                number(y2) + "\" " + how + "/>\n";
    }

    void label(double x, double y, const char* anchor, const std::string& color, const std::string& text,
               const std::string& how = "") {
        svg_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\" fill=\"" + color +
                '"' + how + '>' + in_xml(text) + "</text>\n";
    }

    void draw_axes() {
        for (const Scale::Tick& tick : x_.ticks()) {
            line(x_at(tick.place), y_at(0), x_at(tick.place), y_at(1), "stroke=\"#ddd\"");
            label(x_at(tick.place), y_at(0) + 20, "middle", "#444", tick.text);
        }
        for (const Scale::Tick& tick : y_.ticks()) {
            line(x_at(0), y_at(tick.place), x_at(1), y_at(tick.place), "stroke=\"#ddd\"");
            label(x_at(0) - 8, y_at(tick.place) + 5, "end", "#444", tick.text);
        }
        svg_ += "<rect x=\"" + number(x_at(0)) + "\" y=\"" + number(y_at(1)) + "\" width=\"" +
                number(x_at(1) - x_at(0)) + "\" height=\"" + number(y_at(0) - y_at(1)) +
                "\" fill=\"none\" stroke=\"#888\"/>\n";
        label(x_at(0.5), height - 20, "middle", "#444", plot_.x.label);
        const double middle = y_at(0.5);
        label(20, middle, "middle", "#444", plot_.y.label, " transform=\"rotate(-90 20 " + number(middle) + ")\"");
    }

    void draw_legend() {
        double at = x_at(0);
        for (const Curve& curve : plot_.curves) {
            line(at, top - 20, at + 30, top - 20, stroke(curve));
            label(at + 36, top - 15, "start", curve.color, curve.name);
            at += 36 + letter * static_cast<double>(curve.name.size()) + 20;
        }
    }

    /// Draws the minimum and the maximum of each column, or every value if there are fewer than two per column.
    void draw(const Curve& curve) {
        const auto columns = static_cast<std::size_t>(width - left - right);
        const std::size_t each = std::max<std::size_t>(1, curve.y.size() / columns);
        std::string points, markers;
        const auto add = [&](std::size_t i) {
            if (!std::isfinite(curve.y[i])) {
                return;
            }
            const double x = x_at(x_.place(x_of(curve, i))), y = y_at(y_.place(curve.y[i]));
            const std::string x_text = fixed(x, 1), y_text = fixed(y, 1);
            points.append(x_text).append(",").append(y_text).append(" ");
            if (curve.markers) {
                markers +=
                    "<circle cx=\"" + x_text + "\" cy=\"" + y_text + "\" r=\"3\" fill=\"" + curve.color + "\"/>\n";
            }
        };
        for (std::size_t first = 0; first < curve.y.size(); first += each) {
            const auto begin = curve.y.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = curve.y.begin() + static_cast<std::ptrdiff_t>(std::min(first + each, curve.y.size()));
            const auto [low, high] = std::minmax_element(begin, end);
            const auto place = [&](auto at) { return static_cast<std::size_t>(at - curve.y.begin()); };
            add(std::min(place(low), place(high)));
            if (low != high) {
                add(std::max(place(low), place(high)));
            }
        }
        svg_ += "<polyline fill=\"none\" " + stroke(curve) + " points=\"" + points + "\"/>\n" + markers;
    }

    const Plot& plot_;
    Scale x_, y_;
    std::string svg_;
};

} // namespace

std::string to_svg(const Plot& plot) {
    return Drawing(plot).svg();
}

} // namespace samples
