#include <weir/paths/effects.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "effects.hpp"

namespace weir::paths {

namespace effect {

ColorMatrix ColorMatrix::saturation(float factor) {
    const float s = factor;
    return {{0.213F + 0.787F * s,
             0.715F - 0.715F * s,
             0.072F - 0.072F * s,
             0,
             0, //
             0.213F - 0.213F * s,
             0.715F + 0.285F * s,
             0.072F - 0.072F * s,
             0,
             0, //
             0.213F - 0.213F * s,
             0.715F - 0.715F * s,
             0.072F + 0.928F * s,
             0,
             0, //
             0,
             0,
             0,
             1,
             0}};
}

ColorMatrix ColorMatrix::hue_rotation(float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {{0.213F + c * 0.787F - s * 0.213F,
             0.715F - c * 0.715F - s * 0.715F,
             0.072F - c * 0.072F + s * 0.928F,
             0,
             0,
             0.213F - c * 0.213F + s * 0.143F,
             0.715F + c * 0.285F + s * 0.140F,
             0.072F - c * 0.072F - s * 0.283F,
             0,
             0,
             0.213F - c * 0.213F - s * 0.787F,
             0.715F - c * 0.715F + s * 0.715F,
             0.072F + c * 0.928F + s * 0.072F,
             0,
             0,
             0,
             0,
             0,
             1,
             0}};
}

ColorMatrix ColorMatrix::luminance_to_alpha() {
    return {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.2125F, 0.7154F, 0.0721F, 0, 0}};
}

} // namespace effect

effect::Input Effect::add_drop_shadow(effect::Input input, effect::Blur blur, effect::Offset offset, const Color& color,
                                      const std::optional<Rect>& step_region, bool is_linear) {
    const auto add_step = [&](effect::Work work, std::vector<effect::Input> inputs) {
        return add({std::move(work), std::move(inputs), step_region, is_linear});
    };
    const effect::Input moved = add_step(offset, {add_step(blur, {input})});
    const effect::Input shadow =
        add_step(effect::Composite{effect::Operator::in}, {add_step(effect::Flood{color}, {}), moved});
    return add_step(effect::Merge{}, {shadow, input});
}

namespace {

/// Space of the colors of a picture.
enum class Space : std::uint8_t { any, srgb, linear };

/// A picture while operations are added. Operation i computes picture i; 0 is the layer's picture.
struct StepPicture {
    Space space = Space::any;
    std::array<std::uint32_t, 3> converted = {}; ///< the same picture in each space; 0: not yet computed
};

Color in_linear_light(const Color& c) {
    return {linear_of(c.red), linear_of(c.green), linear_of(c.blue), c.alpha};
}

/// Returns the kind of a light, its position or direction, its target, and the exponent and the cosine of its cone.
std::array<float, 9> values_of(const effect::DistantLight& light) {
    const float across = std::cos(light.elevation);
    return {0, std::cos(light.azimuth) * across, std::sin(light.azimuth) * across, std::sin(light.elevation)};
}
std::array<float, 9> values_of(const effect::PointLight& light) {
    return {1, light.x, light.y, light.z};
}
std::array<float, 9> values_of(const effect::SpotLight& light) {
    return {2,
            light.x,
            light.y,
            light.z,
            light.target_x,
            light.target_y,
            light.target_z,
            light.exponent,
            light.cone ? std::cos(*light.cone) : -2};
}

/// The noise of a turbulence along an axis. With stitches, copies of a region fit together.
struct Stitches {
    Stitches(bool is_stitched, float given, float first, float last) : frequency(given) {
        const float size = last - first;
        if (!is_stitched || !(size > 0) || given == 0) {
            return;
        }
        const float low = std::floor(size * given) / size, high = std::ceil(size * given) / size;
        frequency = low > 0 && given / low < high / given ? low : high;
        cells = std::floor(size * frequency + 0.5F);
        end = std::floor(first * frequency) + 4096 + cells;
    }

    float frequency, cells = 0, end = 0; ///< cells of the region, and the first one after it
};

/// Converts the steps of an effect to operations, one after the other. Each has a picture of its own at first.
class Operations {
public:
    Operations(const Effect& effect, std::vector<float>& values) : effect_(effect), values_(values) {
        pictures_.push_back({.space = Space::srgb});
        ops_.push_back({.kind = static_cast<std::uint32_t>(EffectOp::draw), .region = effect.region});
        const std::vector<bool> needed = needed_steps();
        results_.resize(effect.steps.size());
        for (std::size_t i = 0; i < effect.steps.size(); ++i) {
            if (needed[i]) {
                add_step(i);
            }
        }
        const std::uint32_t result = results_.empty() ? 0 : results_.back();
        assign_pictures(in_space(result, Space::srgb));
    }

    [[nodiscard]] const std::vector<EffectOpRecord>& ops() const { return ops_; }
    [[nodiscard]] std::uint32_t pictures() const { return count_; }
    [[nodiscard]] std::uint32_t result() const { return result_; }

private:
    /// Returns the steps on which the last one depends.
    [[nodiscard]] std::vector<bool> needed_steps() const {
        std::vector<bool> needed(effect_.steps.size());
        if (!needed.empty()) {
            needed.back() = true;
        }
        for (std::size_t i = needed.size(); i-- != 0;) {
            for (const effect::Input input : effect_.steps[i].inputs) {
                if (needed[i] && input.index < i) {
                    needed[input.index] = true;
                }
            }
        }
        return needed;
    }

    /// Adds an operation in the region of the effect. Returns its picture.
    std::uint32_t add(EffectOp kind, std::array<std::uint32_t, 2> inputs, Space space, std::uint32_t mode = 0) {
        ops_.push_back({.kind = static_cast<std::uint32_t>(kind),
                        .inputs = inputs,
                        .mode = mode,
                        .first_value = static_cast<std::uint32_t>(values_.size()),
                        .region = effect_.region});
        pictures_.push_back({.space = space});
        return static_cast<std::uint32_t>(pictures_.size()) - 1;
    }
    std::uint32_t convert(std::uint32_t picture, Conversion conversion, Space space) {
        return add(EffectOp::copy, {picture, picture}, space, static_cast<std::uint32_t>(conversion));
    }

    std::uint32_t in_space(std::uint32_t picture, Space space) {
        const Space now = pictures_[picture].space;
        if (now == space || now == Space::any || space == Space::any) {
            return picture;
        }
        const auto to = static_cast<std::size_t>(space);
        if (pictures_[picture].converted[to] == 0) {
            const std::uint32_t made =
                convert(picture, space == Space::linear ? Conversion::to_linear : Conversion::to_srgb, space);
            pictures_[picture].converted[to] = made;
        }
        return pictures_[picture].converted[to];
    }

    std::uint32_t input_of(std::size_t step, std::size_t input, Space space) {
        const std::vector<effect::Input>& inputs = effect_.steps[step].inputs;
        const std::uint32_t index = input < inputs.size() ? inputs[input].index : effect::source.index;
        if (index == effect::source_alpha.index) {
            alpha_ = alpha_ == 0 ? convert(0, Conversion::to_alpha, Space::any) : alpha_;
            return alpha_;
        }
        if (index == effect::source.index) {
            return in_space(0, space);
        }
        return index < step ? in_space(results_[index], space) : add_flood({0, 0, 0, 0}, Space::any);
    }

    std::uint32_t add_flood(const Color& color, Space space) {
        const std::uint32_t made = add(EffectOp::flood, {}, space);
        const float a = color.alpha;
        values_.insert(values_.end(), {color.red * a, color.green * a, color.blue * a, a});
        return made;
    }

    void add_step(std::size_t i) {
        const effect::Step& step = effect_.steps[i];
        const Space space = step.is_linear ? Space::linear : Space::srgb;
        results_[i] = std::visit([&](const auto& work) { return add_work(work, i, space); }, step.work);
        if (step.region) {
            ops_[results_[i]].region = *step.region;
        }
    }

    /// Adds one operation with up to two inputs.
    std::uint32_t add_simple(EffectOp kind, std::size_t i, Space space, std::uint32_t mode = 0, int inputs = 1) {
        const std::uint32_t first = input_of(i, 0, space), second = inputs == 2 ? input_of(i, 1, space) : first;
        return add(kind, {first, second}, space, mode);
    }
    void set_lengths(std::uint32_t picture, float x, float y) {
        ops_[picture].x = x;
        ops_[picture].y = y;
    }

    std::uint32_t add_work(const effect::Blur& blur, std::size_t i, Space space) {
        std::uint32_t picture = input_of(i, 0, space);
        const Space same = pictures_[picture].space;
        if (!(blur.x > 0 || blur.y > 0)) {
            return convert(picture, Conversion::none, same);
        }
        for (std::uint32_t mode = 0; mode < 6; ++mode) {
            picture = add(EffectOp::blur, {picture, picture}, same, mode / 3 + 2 * (mode % 3));
            set_lengths(picture, std::max(0.0F, blur.x), std::max(0.0F, blur.y));
        }
        return picture;
    }
    std::uint32_t add_work(const effect::Offset& offset, std::size_t i, Space space) {
        const std::uint32_t input = input_of(i, 0, space);
        const std::uint32_t made = add(EffectOp::offset, {input, input}, pictures_[input].space);
        set_lengths(made, offset.x, offset.y);
        return made;
    }
    std::uint32_t add_work(const effect::Flood& flood, std::size_t /*step*/, Space space) {
        return add_flood(space == Space::linear ? in_linear_light(flood.color) : flood.color, space);
    }
    std::uint32_t add_work(const effect::Blend& blend, std::size_t i, Space space) {
        return add_simple(EffectOp::blend, i, space, static_cast<std::uint32_t>(blend.mode), 2);
    }
    std::uint32_t add_work(const effect::Composite& composite, std::size_t i, Space space) {
        const std::uint32_t made =
            add_simple(EffectOp::composite, i, space, static_cast<std::uint32_t>(composite.kind), 2);
        values_.insert(values_.end(), composite.k.begin(), composite.k.end());
        return made;
    }
    std::uint32_t add_work(const effect::ColorMatrix& matrix, std::size_t i, Space space) {
        const std::uint32_t made = add_simple(EffectOp::matrix, i, space);
        values_.insert(values_.end(), matrix.values.begin(), matrix.values.end());
        return made;
    }
    std::uint32_t add_work(const effect::Merge& /*merge*/, std::size_t i, Space space) {
        const std::size_t inputs = effect_.steps[i].inputs.size();
        if (inputs == 0) {
            return add_flood({0, 0, 0, 0}, Space::any);
        }
        std::uint32_t made = input_of(i, 0, space);
        if (inputs == 1) { // an operation of its own, for its region
            return convert(made, Conversion::none, space);
        }
        for (std::size_t n = 1; n < inputs; ++n) {
            made = add(EffectOp::blend, {input_of(i, n, space), made}, space);
        }
        return made;
    }
    std::uint32_t add_work(const effect::Transfer& transfer, std::size_t i, Space space) {
        const std::uint32_t made = add_simple(EffectOp::transfer, i, space);
        std::vector<float> header, data;
        for (const effect::Function* f : {&transfer.red, &transfer.green, &transfer.blue, &transfer.alpha}) {
            constexpr std::size_t least[] = {0, 1, 1, 2, 3}; // number of values of each kind
            const bool is_valid = f->values.size() >= least[static_cast<std::size_t>(f->kind)];
            header.push_back(is_valid ? static_cast<float>(f->kind) : 0);
            header.push_back(static_cast<float>(f->values.size()));
            header.push_back(static_cast<float>(12 + data.size()));
            data.insert(data.end(), f->values.begin(), f->values.end());
        }
        values_.insert(values_.end(), header.begin(), header.end());
        values_.insert(values_.end(), data.begin(), data.end());
        return made;
    }
    std::uint32_t add_work(const effect::Morphology& morphology, std::size_t i, Space space) {
        const bool is_valid = morphology.x >= 0 && morphology.y >= 0 && (morphology.x > 0 || morphology.y > 0);
        if (!is_valid) {
            return add_flood({0, 0, 0, 0}, Space::any);
        }
        std::uint32_t made = input_of(i, 0, space);
        for (std::uint32_t axis = 0; axis < 2; ++axis) {
            made = add(EffectOp::morphology, {made, made}, space, axis + (morphology.is_dilation ? 2 : 0));
            set_lengths(made, morphology.x, morphology.y);
        }
        return made;
    }
    std::uint32_t add_work(const effect::Tile& /*tile*/, std::size_t i, Space space) {
        const std::uint32_t made = add_simple(EffectOp::tile, i, space);
        const std::vector<effect::Input>& inputs = effect_.steps[i].inputs;
        const bool is_step = !inputs.empty() && inputs[0].index < i;
        ops_.back().from = is_step ? effect_.steps[inputs[0].index].region.value_or(effect_.region) : effect_.region;
        return made;
    }
    std::uint32_t add_work(const effect::Paint& paint, std::size_t /*step*/, Space space) {
        const std::uint32_t made = add(EffectOp::paint, {}, Space::srgb, paint.paint.index);
        add_transform(effect_.transform * paint.transform);
        return in_space(made, space);
    }
    std::uint32_t add_work(const effect::DiffuseLighting& work, std::size_t i, Space space) {
        return add_lighting(work, 0, i, space);
    }
    std::uint32_t add_work(const effect::SpecularLighting& work, std::size_t i, Space space) {
        const std::uint32_t made = add_lighting(work, 1, i, space);
        values_.push_back(work.exponent);
        return made;
    }
    std::uint32_t add_work(const effect::Turbulence& work, std::size_t i, Space space) {
        const std::uint32_t made = add(EffectOp::turbulence, {}, space, work.is_noise ? 1 : 0);
        add_transform(effect_.transform);
        const Rect r = effect_.steps[i].region.value_or(effect_.region);
        const Stitches across(work.is_stitched, work.x, r.left, r.right),
            down(work.is_stitched, work.y, r.top, r.bottom);
        values_.insert(values_.end(),
                       {across.frequency, down.frequency, static_cast<float>(std::min(work.octaves, 16U)), across.cells,
                        down.cells, across.end, down.end});
        const std::vector<float> tables = turbulence_tables(work.seed);
        values_.insert(values_.end(), tables.begin(), tables.end());
        return made;
    }
    std::uint32_t add_work(const effect::Displacement& work, std::size_t i, Space space) {
        const std::uint32_t made =
            add_simple(EffectOp::displace, i, space,
                       static_cast<std::uint32_t>(work.x) + 4 * static_cast<std::uint32_t>(work.y), 2);
        add_transform(effect_.transform);
        values_.push_back(work.scale);
        return made;
    }
    std::uint32_t add_work(const effect::Convolution& work, std::size_t i, Space space) {
        const std::size_t count = std::size_t{work.columns} * work.rows;
        if (work.columns > 32 || work.rows > 32 || count == 0 || work.values.size() < count || work.divisor == 0) {
            return add_flood({0, 0, 0, 0}, Space::any);
        }
        const std::uint32_t made = add_simple(EffectOp::convolve, i, space,
                                              static_cast<std::uint32_t>(work.edge) + (work.keeps_alpha ? 4 : 0));
        ops_.back().from = effect_.region;
        for (const std::uint32_t one : {work.columns, work.rows, work.target_x, work.target_y}) {
            values_.push_back(static_cast<float>(one));
        }
        values_.insert(values_.end(), {1 / work.divisor, work.bias});
        values_.insert(values_.end(), work.values.rend() - static_cast<std::ptrdiff_t>(count), work.values.rend());
        return made;
    }
    template <class Lighting>
    std::uint32_t add_lighting(const Lighting& work, std::uint32_t mode, std::size_t i, Space space) {
        const std::uint32_t made = add_simple(EffectOp::lighting, i, space, mode);
        ops_.back().from = effect_.region;
        add_transform(effect_.transform);
        values_.insert(values_.end(),
                       {work.color.red, work.color.green, work.color.blue, work.surface_scale, work.constant});
        const std::array<float, 9> light = std::visit([](const auto& one) { return values_of(one); }, work.light);
        values_.insert(values_.end(), light.begin(), light.end());
        return made;
    }

    void add_transform(const Transform& t) { values_.insert(values_.end(), {t.xx, t.yx, t.xy, t.yy, t.dx, t.dy}); }

    /// Replaces pictures by as few as possible: a picture whose last reader is done is used again.
    void assign_pictures(std::uint32_t result) {
        std::vector<std::size_t> last(pictures_.size()); // last operation that reads each picture
        for (std::size_t op = 1; op < ops_.size(); ++op) {
            last[ops_[op].inputs[0]] = last[ops_[op].inputs[1]] = op;
        }
        last[result] = ops_.size();
        std::vector<std::uint32_t> place(pictures_.size()), free;
        for (std::size_t op = 0; op < ops_.size(); ++op) { // operation i computes picture i
            if (free.empty()) {
                free.push_back(count_++);
            }
            place[op] = free.back();
            free.pop_back();
            const std::array<std::uint32_t, 2> read = ops_[op].inputs;
            ops_[op].inputs = {place[read[0]], place[read[1]]};
            ops_[op].output = place[op];
            for (std::size_t i = 0; i < (read[0] == read[1] ? 1 : 2); ++i) {
                if (op != 0 && last[read[i]] == op) {
                    free.push_back(place[read[i]]);
                }
            }
            if (last[op] <= op) { // no reader
                free.push_back(place[op]);
            }
        }
        result_ = place[result];
    }

    const Effect& effect_;
    std::vector<float>& values_;
    std::vector<EffectOpRecord> ops_;
    std::vector<StepPicture> pictures_;
    std::uint32_t count_ = 0, result_ = 0; ///< number of pictures after `assign_pictures`, and the result's
    std::vector<std::uint32_t> results_;   ///< pictures of the steps
    std::uint32_t alpha_ = 0;              ///< picture with the alpha of the layer; 0: not yet computed
};

std::uint32_t kernel_of(std::uint32_t kind) {
    switch (static_cast<EffectOp>(kind)) {
    case EffectOp::draw: return 0;
    case EffectOp::blur: return 1;
    default: return 2;
    }
}

} // namespace

EffectId Scene::add_effect(const Effect& effect) {
    effect_kinds_.push_back(std::make_shared<const Effect>(effect));
    return {static_cast<std::uint32_t>(effect_kinds_.size()) - 1};
}

void Scene::begin_effect(EffectId effect) {
    open_effects_.push_back({.effect = effect,
                             .record = {.layer = layer_,
                                        .first_draw = static_cast<std::uint32_t>(draws_.size()),
                                        .depth = static_cast<std::uint32_t>(open_effects_.size()) + 1}});
}

/// Adds an operation to its pass.
void Scene::add_effect_op(EffectOpRecord op) {
    const std::size_t passes = std::size_t{op.pass / effect_kernels + 1} * effect_kernels;
    if (effect_passes_.size() < passes) {
        effect_passes_.resize(passes, {.first = static_cast<std::uint32_t>(effect_ops_.size())});
    }
    op.rank = effect_passes_[op.pass].count++;
    effect_ops_.push_back(op);
    for (std::size_t later = op.pass + 1; later < effect_passes_.size(); ++later) {
        ++effect_passes_[later].first;
    }
}

/// Adds the operations of the current layer's effect, and a draw of the result to the layer.
void Scene::end_effect() {
    OpenEffect open = open_effects_.back();
    open_effects_.pop_back();
    const Effect& effect = *effect_kinds_[open.effect.index];
    const auto index = static_cast<std::uint32_t>(effects_.size());
    const Operations operations(effect, effect_values_);
    std::uint32_t time = open.time;
    for (EffectOpRecord op : operations.ops()) {
        op.effect = index;
        op.pass = time++ * effect_kernels + kernel_of(op.kind);
        add_effect_op(op);
    }
    if (!open_effects_.empty()) {
        open_effects_.back().time = std::max(open_effects_.back().time, time);
    }
    open.record.transform = effect.transform;
    open.record.region = effect.region;
    open.record.end_draw = static_cast<std::uint32_t>(draws_.size());
    open.record.pictures = operations.pictures();
    open.record.result = operations.result();
    effects_.push_back(open.record);

    paints_.push_back({.kind = 5, .first_stop = index, .stops = 1});
    const Rect& r = effect.region;
    const bool is_empty = !(r.right > r.left) || !(r.bottom > r.top);
    add_draw(add_outline(is_empty ? Path() : Path().add_rect(r.left, r.top, r.right - r.left, r.bottom - r.top)),
             {.transform = effect.transform,
              .flags = draw_is_effect,
              .paint = static_cast<std::uint32_t>(paints_.size()) - 1});
}

} // namespace weir::paths
