#include <algorithm>
#include <span>
#include <utility>

#include <weir/paths/effects.hpp>

#include "effects.hpp"
#include "flatten.hpp"

namespace weir::paths {

namespace {

/// Range of pixels, relative to a pixel, of which a box blur is the mean.
struct Box {
    std::int32_t first = 0, last = 0;
};

/// Returns one of three boxes that together are nearly a Gaussian.
Box box_of(float deviation, std::uint32_t stage) {
    const float size = std::floor(deviation * 1.8799712F + 0.5F); // 3 sqrt(2 pi) / 4
    const auto d = static_cast<std::int32_t>(std::min(size, 65535.0F));
    const std::int32_t is_even = 1 - d % 2;
    return {-(d / 2) + (stage == 1 ? is_even : 0), d / 2 - (stage == 0 ? is_even : 0)};
}

/// Sum of colors, modulo 2^32.
using Sum = std::array<std::uint32_t, 4>;

void add_texel(Sum& sum, const Texel& texel, std::uint32_t factor) {
    for (std::size_t i = 0; i < 4; ++i) {
        sum[i] += texel[i] * factor;
    }
}

/// Divides sums by the size of a box and rounds. A multiplication that gives the exact quotient, since sums are below
/// 2^32 and sizes at most 2^16.
class Mean {
public:
    explicit Mean(Box box)
        : size_(static_cast<std::uint64_t>(box.last - box.first + 1)), factor_(((1ULL << 48) + size_ - 1) / size_) {}

    Texel operator()(const Sum& sum) const {
        Texel mean;
        for (std::size_t i = 0; i < 4; ++i) {
            mean[i] = static_cast<std::uint16_t>((sum[i] + size_ / 2) * factor_ >> 48);
        }
        return mean;
    }

private:
    std::uint64_t size_, factor_;
};

Pixel clamped(Pixel c) {
    c[3] = std::clamp(c[3], 0.0F, 1.0F);
    for (std::size_t i = 0; i < 3; ++i) {
        c[i] = std::clamp(c[i], 0.0F, c[3]);
    }
    return c;
}

Pixel premultiplied(Pixel c) {
    for (float& component : c) {
        component = std::clamp(component, 0.0F, 1.0F);
    }
    return {c[0] * c[3], c[1] * c[3], c[2] * c[3], c[3]};
}

Pixel converted(Conversion conversion, const Texel& texel) {
    const std::array<std::uint32_t, 4> c = components(texel);
    const auto part = [&](std::size_t i) {
        const float component = static_cast<float>(c[i]) / 65535;
        return conversion == Conversion::to_linear ? linear_of(component) : srgb_of(component);
    };
    return premultiplied({part(0), part(1), part(2), static_cast<float>(c[3]) / 65535});
}

Pixel composite(effect::Operator kind, const Pixel& a, const Pixel& b, std::span<const float> k) {
    Pixel c{};
    for (std::size_t i = 0; i < 4; ++i) {
        switch (kind) {
        case effect::Operator::over: c[i] = a[i] + b[i] * (1 - a[3]); break;
        case effect::Operator::in: c[i] = a[i] * b[3]; break;
        case effect::Operator::out: c[i] = a[i] * (1 - b[3]); break;
        case effect::Operator::atop: c[i] = a[i] * b[3] + b[i] * (1 - a[3]); break;
        case effect::Operator::exclusive: c[i] = a[i] * (1 - b[3]) + b[i] * (1 - a[3]); break;
        case effect::Operator::lighter: c[i] = a[i] + b[i]; break;
        case effect::Operator::arithmetic: c[i] = k[0] * a[i] * b[i] + k[1] * a[i] + k[2] * b[i] + k[3]; break;
        }
    }
    return clamped(c);
}

Pixel multiplied(std::span<const float> matrix, const Texel& texel) {
    const std::array<std::uint32_t, 4> c = components(texel);
    Pixel to;
    for (std::size_t row = 0; row < 4; ++row) {
        to[row] = matrix[row * 5 + 4];
        for (std::size_t i = 0; i < 4; ++i) {
            to[row] += matrix[row * 5 + i] * (static_cast<float>(c[i]) / 65535);
        }
    }
    return premultiplied(to);
}

float transferred(effect::Curve kind, std::span<const float> v, std::uint32_t integer) {
    const float c = static_cast<float>(integer) / 65535;
    const auto n = static_cast<std::uint32_t>(v.size());
    switch (kind) {
    case effect::Curve::identity: break;
    case effect::Curve::table: {
        const std::uint32_t i = std::min(integer * (n - 1) / 65535, std::max(n, 2U) - 2);
        const float part = c * static_cast<float>(n - 1) - static_cast<float>(i);
        return v[i] + part * (v[std::min(i + 1, n - 1)] - v[i]);
    }
    case effect::Curve::discrete: return v[std::min(integer * n / 65535, n - 1)];
    case effect::Curve::linear: return v[0] * c + v[1];
    case effect::Curve::gamma: return v[0] * std::pow(c, v[1]) + v[2];
    }
    return c;
}

Pixel transferred(std::span<const float> values, const Texel& texel) {
    const std::array<std::uint32_t, 4> c = components(texel);
    Pixel to;
    for (std::size_t i = 0; i < 4; ++i) {
        const auto kind = static_cast<effect::Curve>(static_cast<int>(values[3 * i]));
        const auto count = static_cast<std::size_t>(values[3 * i + 1]),
                   at = static_cast<std::size_t>(values[3 * i + 2]);
        to[i] = transferred(kind, values.subspan(at, count), c[i]);
    }
    return premultiplied(to);
}

/// Computes the operations of one effect after the other.
class EffectRun {
public:
    EffectRun(const Scene& scene, const SampleView& view) : scene_(scene), view_(view) {}

    std::vector<EffectPicture> run(const DrawLayer& draw) {
        std::vector<EffectPicture> results(scene_.effects().size()), pictures;
        for (const EffectOpRecord& op : scene_.effect_ops()) {
            const EffectRecord& effect = scene_.effects()[op.effect];
            pictures.resize(effect.pictures);
            op_ = &op;
            place_ = placed(view_, effect, op);
            EffectPicture to;
            to.bounds = placed(view_, effect);
            to.texels.resize(static_cast<std::size_t>(to.bounds.right - to.bounds.left) *
                             static_cast<std::size_t>(to.bounds.bottom - to.bounds.top));
            if (op.kind == static_cast<std::uint32_t>(EffectOp::draw)) {
                draw(effect, results, to);
                clear_outside(to);
            } else {
                compute(pictures[op.inputs[0]], pictures[op.inputs[1]], to);
            }
            pictures[op.output] = std::move(to);
            if (const bool is_last = &op == &scene_.effect_ops().back() || (&op)[1].effect != op.effect; is_last) {
                results[op.effect] = std::move(pictures[effect.result]);
                pictures.clear();
            }
        }
        return results;
    }

private:
    template <class Color>
    void for_pixels(EffectPicture& to, const Color& color) const {
        for (std::int32_t y = place_.bounds.top; y < place_.bounds.bottom; ++y) {
            for (std::int32_t x = place_.bounds.left; x < place_.bounds.right; ++x) {
                to.texels[to.index(x, y)] = color(x, y);
            }
        }
    }

    void clear_outside(EffectPicture& picture) const {
        const EffectPicture all = std::exchange(picture, {picture.bounds, std::vector<Texel>(picture.texels.size())});
        for_pixels(picture, [&](std::int32_t x, std::int32_t y) { return all.at(x, y); });
    }

    void compute(const EffectPicture& a, const EffectPicture& b, EffectPicture& to) const {
        const PixelOp op = pixel_op();
        const std::span<const float> values = op.values;
        const auto for_colors = [&](const auto& color) {
            for_pixels(to, [&](std::int32_t x, std::int32_t y) { return texel_of(color(x, y)); });
        };
        switch (static_cast<EffectOp>(op_->kind)) {
        case EffectOp::draw: break;
        case EffectOp::blur: blur(a, to); break;
        case EffectOp::copy: copy(a, to); break;
        case EffectOp::offset: for_pixels(to, [&](std::int32_t x, std::int32_t y) { return moved(a, x, y); }); break;
        case EffectOp::flood:
            for_colors([&](std::int32_t, std::int32_t) { return Pixel{values[0], values[1], values[2], values[3]}; });
            break;
        case EffectOp::blend:
            for_colors([&](std::int32_t x, std::int32_t y) {
                return clamped(composited(op_->mode, b.color(x, y), a.color(x, y), 1));
            });
            break;
        case EffectOp::composite:
            for_colors([&](std::int32_t x, std::int32_t y) {
                return composite(static_cast<effect::Operator>(op_->mode), a.color(x, y), b.color(x, y), values);
            });
            break;
        case EffectOp::matrix:
            for_colors([&](std::int32_t x, std::int32_t y) { return multiplied(values, a.at(x, y)); });
            break;
        case EffectOp::transfer:
            for_colors([&](std::int32_t x, std::int32_t y) { return transferred(values, a.at(x, y)); });
            break;
        case EffectOp::morphology: morphology(a, to); break;
        case EffectOp::tile: for_pixels(to, [&](std::int32_t x, std::int32_t y) { return repeated(a, x, y); }); break;
        case EffectOp::paint:
            for_colors([&](std::int32_t x, std::int32_t y) {
                return color_at(scene_, op_->mode, op.to_pixels,
                                {static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F});
            });
            break;
        case EffectOp::turbulence:
            for_colors([&](std::int32_t x, std::int32_t y) { return premultiplied(turbulence(op, x, y)); });
            break;
        case EffectOp::displace:
            for_colors([&](std::int32_t x, std::int32_t y) { return displaced(op, a, b.at(x, y), x, y); });
            break;
        case EffectOp::convolve:
            for_colors([&](std::int32_t x, std::int32_t y) { return convolved(op, a, x, y); });
            break;
        case EffectOp::lighting: for_colors([&](std::int32_t x, std::int32_t y) { return lit(op, a, x, y); }); break;
        }
    }

    [[nodiscard]] PixelOp pixel_op() const {
        PixelOp op{.values = std::span(scene_.effect_values()).subspan(op_->first_value),
                   .mode = op_->mode,
                   .from = place_.from,
                   .across = static_cast<std::int32_t>(view_.across)};
        if (has_transform(static_cast<EffectOp>(op_->kind))) {
            DrawRecord draw;
            draw.transform = {op.values[0], op.values[1], op.values[2], op.values[3], op.values[4], op.values[5]};
            op.to_pixels = transform_of(view_, draw);
        }
        return op;
    }

    void copy(const EffectPicture& from, EffectPicture& to) const {
        for_pixels(to, [&](std::int32_t x, std::int32_t y) -> Texel {
            const Texel c = from.at(x, y);
            switch (const auto conversion = static_cast<Conversion>(op_->mode); conversion) {
            case Conversion::none: return c;
            case Conversion::to_alpha: return {0, 0, 0, c[3]};
            default: return texel_of(converted(conversion, c));
            }
        });
    }

    [[nodiscard]] Texel moved(const EffectPicture& from, std::int32_t x, std::int32_t y) const {
        const auto limit = static_cast<float>(max_pixels);
        return from.at(x - static_cast<std::int32_t>(std::clamp(place_.x, -limit, limit)),
                       y - static_cast<std::int32_t>(std::clamp(place_.y, -limit, limit)));
    }

    [[nodiscard]] Texel repeated(const EffectPicture& from, std::int32_t x, std::int32_t y) const {
        const PixelBounds& r = place_.from;
        if (r.left >= r.right || r.top >= r.bottom) {
            return {};
        }
        const auto within = [](std::int32_t i, std::int32_t first, std::int32_t end) {
            const std::int32_t rest = (i - first) % (end - first);
            return first + rest + (rest < 0 ? end - first : 0);
        };
        return from.at(within(x, r.left, r.right), within(y, r.top, r.bottom));
    }

    /// Calls `set` for each line of pixels of the bounds along an axis, with a function that returns the pixel at a
    /// place of the line in `from`, and the range of places.
    template <class Line>
    void for_lines(std::uint32_t axis, const EffectPicture& from, EffectPicture& to, const Line& line) const {
        const PixelBounds &b = place_.bounds, &all = from.bounds;
        for (std::int32_t at = axis == 0 ? b.top : b.left; at < (axis == 0 ? b.bottom : b.right); ++at) {
            const auto texel = [&](std::int32_t i) -> const Texel& {
                return from.texels[axis == 0 ? from.index(i, at) : from.index(at, i)];
            };
            const auto set = [&](std::int32_t i, const Texel& color) {
                to.texels[axis == 0 ? to.index(i, at) : to.index(at, i)] = color;
            };
            if (axis == 0) {
                line(b.left, b.right, all.left, all.right, texel, set);
            } else {
                line(b.top, b.bottom, all.top, all.bottom, texel, set);
            }
        }
    }

    void blur(const EffectPicture& from, EffectPicture& to) const {
        const std::uint32_t axis = op_->mode & 1, stage = op_->mode >> 1;
        const float deviation = axis == 0 ? place_.x : place_.y;
        if (place_.bounds.left >= place_.bounds.right || place_.bounds.top >= place_.bounds.bottom) {
            return;
        }
        if (deviation >= 2) {
            blur_by_box(box_of(deviation, stage), axis, from, to);
        } else if (stage == 0 && deviation > 0) {
            blur_by_weights(deviation, axis, from, to);
        } else {
            for_pixels(to, [&](std::int32_t x, std::int32_t y) { return from.at(x, y); });
        }
    }

    void blur_by_box(Box box, std::uint32_t axis, const EffectPicture& from, EffectPicture& to) const {
        if (axis == 1) {
            blur_columns(box, from, to);
            return;
        }
        const Mean mean(box);
        const PixelBounds &b = place_.bounds, &all = from.bounds;
        for (std::int32_t y = b.top; y < b.bottom; ++y) {
            const Texel* row = &from.texels[from.index(all.left, y)];
            Texel* out = &to.texels[to.index(b.left, y)];
            Sum sum = {};
            for (std::int32_t x = std::max(all.left, b.left + box.first);
                 x <= std::min(all.right - 1, b.left + box.last); ++x) {
                add_texel(sum, row[x - all.left], 1);
            }
            for (std::int32_t x = b.left; x < b.right; ++x) {
                *out++ = mean(sum);
                if (x + box.first >= all.left) {
                    add_texel(sum, row[x + box.first - all.left], ~0U);
                }
                if (x + box.last + 1 < all.right) {
                    add_texel(sum, row[x + box.last + 1 - all.left], 1);
                }
            }
        }
    }

    /// Blurs along y, all columns at once, row by row.
    void blur_columns(Box box, const EffectPicture& from, EffectPicture& to) const {
        const PixelBounds& b = place_.bounds;
        const Mean mean(box);
        std::vector<Sum> sums(static_cast<std::size_t>(b.right - b.left));
        const auto add_row = [&](std::int32_t y, std::uint32_t factor) {
            if (y >= from.bounds.top && y < from.bounds.bottom) {
                const Texel* texel = &from.texels[from.index(b.left, y)];
                for (Sum& sum : sums) {
                    add_texel(sum, *texel++, factor);
                }
            }
        };
        for (std::int32_t y = std::max(from.bounds.top, b.top + box.first);
             y <= std::min(from.bounds.bottom, b.top + box.last); ++y) {
            add_row(y, 1);
        }
        for (std::int32_t y = b.top; y < b.bottom; ++y) {
            std::transform(sums.begin(), sums.end(),
                           to.texels.begin() + static_cast<std::ptrdiff_t>(to.index(b.left, y)), mean);
            add_row(y + box.first, ~0U);
            add_row(y + box.last + 1, 1);
        }
    }

    void blur_by_weights(float deviation, std::uint32_t axis, const EffectPicture& from, EffectPicture& to) const {
        const auto radius = static_cast<std::int32_t>(std::ceil(3 * deviation));
        std::array<float, 7> weights;
        float total = 0;
        for (std::int32_t i = 0; i <= radius; ++i) {
            const float distance = static_cast<float>(i) / deviation;
            weights[static_cast<std::size_t>(i)] = std::exp(-0.5F * distance * distance);
            total += weights[static_cast<std::size_t>(i)] * (i == 0 ? 1 : 2);
        }
        for_lines(axis, from, to,
                  [&](std::int32_t first, std::int32_t end, std::int32_t least, std::int32_t most, const auto& texel,
                      const auto& set) {
                      for (std::int32_t i = first; i < end; ++i) {
                          Pixel sum = {};
                          for (std::int32_t k = std::max(least, i - radius); k <= std::min(most - 1, i + radius); ++k) {
                              for (std::size_t n = 0; n < 4; ++n) {
                                  sum[n] += weights[static_cast<std::size_t>(std::abs(k - i))] *
                                            static_cast<float>(texel(k)[n]);
                              }
                          }
                          Texel mean;
                          for (std::size_t n = 0; n < 4; ++n) {
                              mean[n] = static_cast<std::uint16_t>(std::lround(sum[n] / total));
                          }
                          set(i, mean);
                      }
                  });
    }

    void morphology(const EffectPicture& from, EffectPicture& to) const {
        const std::uint32_t axis = op_->mode & 1;
        const bool is_dilation = op_->mode > 1;
        const auto radius = static_cast<std::int32_t>(
            std::min((axis == 0 ? place_.x : place_.y) + 0.5F, static_cast<float>(max_pixels)));
        for_lines(axis, from, to,
                  [&](std::int32_t first, std::int32_t end, std::int32_t least, std::int32_t most, const auto& texel,
                      const auto& set) {
                      for (std::int32_t i = first; i < end; ++i) {
                          const bool is_cut = i - radius < least || i + radius >= most; // transparent outside
                          Texel best = texel(i);
                          for (std::int32_t k = std::max(least, i - radius); k <= std::min(most - 1, i + radius); ++k) {
                              for (std::size_t n = 0; n < 4; ++n) {
                                  best[n] =
                                      is_dilation ? std::max(best[n], texel(k)[n]) : std::min(best[n], texel(k)[n]);
                              }
                          }
                          set(i, is_cut && !is_dilation ? Texel{} : best);
                      }
                  });
    }

    const Scene& scene_;
    const SampleView& view_;
    const EffectOpRecord* op_ = nullptr;
    PlacedOp place_;
};

} // namespace

// Integers, since a function may jump at a value that is often exact.
std::array<std::uint32_t, 4> components(const Texel& c) {
    const auto part = [&](std::size_t i) {
        return c[3] == 0 ? 0 : std::min(65535U, (c[i] * 65535U + c[3] / 2U) / c[3]);
    };
    return {part(0), part(1), part(2), c[3]};
}

Pixel EffectPicture::color(std::int32_t x, std::int32_t y) const {
    const Texel c = at(x, y);
    const auto part = [&](std::size_t i) { return static_cast<float>(c[i]) / 65535; };
    return {part(0), part(1), part(2), part(3)};
}

Texel texel_of(const Pixel& color) {
    Texel texel;
    for (std::size_t i = 0; i < 4; ++i) {
        texel[i] = static_cast<std::uint16_t>(std::floor(std::clamp(color[i], 0.0F, 1.0F) * 65535 + 0.5F));
    }
    return texel;
}

std::vector<EffectPicture> cpu_effects(const Scene& scene, const SampleView& view, const DrawLayer& draw) {
    return EffectRun(scene, view).run(draw);
}

} // namespace weir::paths
