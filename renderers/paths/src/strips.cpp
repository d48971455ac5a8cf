#include <weir/paths/strips.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effects.hpp"
#include "external_images.hpp"
#include "fine_pass.hpp"
#include "keys.hpp"
#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

using Words = BufferRef<std::uint32_t>;
namespace shaders = weir_paths::shaders;

constexpr std::uint32_t workgroup = 256;  // invocations per workgroup of most kernels
constexpr std::uint32_t row_stride = 32;  // as in records.glsl
constexpr std::uint32_t slot_block = 256; // as in slots.glsl

/// Adds a pass with one invocation per element. `items`: maximum number of items that own the elements, if they are
/// slots.
void add_stage(Graph& graph, const char* name, std::span<const std::uint32_t> shader, std::vector<Binding> bindings,
               std::vector<PushWord> push, const Count& count, std::uint32_t items = 0,
               std::vector<std::uint32_t> constants = {}) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, name);
    pass.bindings = std::move(bindings);
    pass.constants = std::move(constants);
    pass.push = std::move(push);
    pass.push.emplace_back(items);
    pass.push.emplace_back(count.max);
    pass.dispatch = Dispatch::elements(count, workgroup, 1);
    graph.add_pass(std::move(pass));
}

std::uint32_t at_least_one(std::size_t elements) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(1, elements));
}

Words words(Graph& graph, const char* name, std::uint32_t capacity) {
    return graph.transient_buffer<std::uint32_t>(name, at_least_one(capacity));
}

/// Slots of items, which own consecutive slots, possibly none. shaders/slots.glsl has the layout of the buffer. Kernels
/// on slots search their items themselves, which is faster than a separate pass.
struct Slots {
    Words words;
    Count count; ///< number of slots, limited by the capacity
};

/// Adds to the bindings of a pass those of assign_slots.glsl, for items of which there are at most `items`.
Slots assign_slots(Graph& graph, std::vector<Binding>& bindings, std::uint32_t items, std::uint32_t room,
                   const Words& needed) {
    const Words words = paths::words(graph, "slots", 1 + items + room / slot_block + 2);
    const std::uint32_t tiles = items / workgroup + 1;
    bindings.insert(bindings.end(), {read_write(tile_states(graph, tiles, 1)), write(words), write(needed)});
    // Capacities follow the needed numbers, so nearly all workgroups of a direct dispatch have work.
    return {words, graph.count_in(needed, 0, at_least_one(room)).direct()};
}

/// Lines in pixels.
struct Lines {
    BufferRef<LineRecord> records;
    Words draws; ///< draw index of each line
    Slots cuts;
};

/// Adds the passes that flatten segments into lines and convert strokes to the lines of their outlines.
Lines add_lines(Graph& graph, const SceneBuffers& scene, const std::vector<PushWord>& frame, const Sizes& capacities,
                const Words& row_cuts, const StripBuffers& out) {
    const bool has_strokes = scene.strokes.valid();
    const Count instances = scene.instances.count;
    const auto with_segments = [&](std::initializer_list<Binding> more) {
        std::vector<Binding> bindings = {read(scene.instances), read(scene.draws), read(scene.segments),
                                         read(scene.points)};
        bindings.insert(bindings.end(), more);
        return bindings;
    };
    // Input of part_of, which finds the generated lines.
    const auto parts = graph.transient_buffer<std::array<std::uint32_t, 4>>("parts", scene.instances.capacity);
    std::vector<Binding> measured =
        with_segments({write(parts), write(out.needed.strips), write(row_cuts), write(out.needed.row_cuts)});
    const Slots centers = has_strokes
                              ? assign_slots(graph, measured, instances.max, capacities.centers, out.needed.centers)
                              : assign_slots(graph, measured, instances.max, capacities.lines, out.needed.lines);
    if (has_strokes) {
        measured.push_back(read(scene.strokes));
    }
    add_stage(graph, "measure segments", has_strokes ? shaders::measure_strokes : shaders::measure, measured, frame,
              instances);

    const auto words_of = [&](const char* name, const Count& count) {
        return words(graph, name, count.max).with_count(count);
    };
    // Adds the bindings of the pass that computes the lines.
    const auto lines_of = [&](const Slots& slots, std::vector<Binding>& bindings) {
        Lines lines{
            graph.transient_buffer<LineRecord>("lines", slots.count.max), words_of("draws of lines", slots.count), {}};
        bindings.insert(bindings.end(), {read(slots.words), write(lines.records), write(lines.draws)});
        lines.cuts = assign_slots(graph, bindings, slots.count.max, capacities.cuts, out.needed.cuts);
        return lines;
    };
    if (!has_strokes) {
        std::vector<Binding> bindings = with_segments({read(parts)});
        const Lines lines = lines_of(centers, bindings);
        add_stage(graph, "flatten", shaders::flatten, bindings, frame, centers.count, instances.max);
        return lines;
    }
    std::vector<Binding> dashes; // bindings 14 and 15
    if (scene.dashes.valid()) {
        const Words sizes = words_of("lengths of lines", centers.count);
        const Words heads = words_of("heads of subpaths", centers.count);
        add_stage(graph, "measure dashes", shaders::dash,
                  with_segments({read(parts), read(scene.strokes), read(centers.words), write(sizes), write(heads)}),
                  frame, centers.count, instances.max);
        const Words starts = scan(graph, sizes, {.kind = ScanKind::exclusive, .segments = Segments::at_flags(heads)});
        dashes = {read(scene.dashes), read(starts)};
    }
    const auto with_dashes = [&](std::vector<Binding> bindings) {
        if (!dashes.empty()) {
            while (bindings.size() < 14) {
                bindings.push_back(unused(parts));
            }
            bindings.insert(bindings.end(), dashes.begin(), dashes.end());
        }
        return bindings;
    };
    const Words center_instances = words_of("instances of path lines", centers.count);
    std::vector<Binding> measured_strokes =
        with_segments({read(parts), read(scene.strokes), read(centers.words), write(center_instances)});
    const Slots slots = assign_slots(graph, measured_strokes, centers.count.max, capacities.lines, out.needed.lines);
    add_stage(graph, "measure strokes", dashes.empty() ? shaders::center : shaders::center_dashes,
              with_dashes(measured_strokes), frame, centers.count, instances.max);

    std::vector<Binding> outlined =
        with_segments({read(parts), read(scene.strokes), read(centers.words), read(center_instances)});
    const Lines lines = lines_of(slots, outlined);
    add_stage(graph, "outline strokes", dashes.empty() ? shaders::outline : shaders::outline_dashes,
              with_dashes(outlined), frame, slots.count, centers.count.max);
    return lines;
}

/// Cuts of each row of tiles.
struct RowCuts {
    Words counts;           ///< by row, at distances of row_stride; then a word for all rows
    std::uint32_t room = 0; ///< capacity of each row's bin; 0: a radix sort sorts all cuts
};

/// Returns the capacity of a row's bin. A workgroup sorts the cuts of a bin in its memory. Returns 0 if the longest row
/// may not fit, if the bins need much more memory than the cuts, or if draw and column need 64 bits.
std::uint32_t bin_capacity(const Capabilities& device, const View& view, const KeyLayout& layout, std::uint32_t draws,
                           const Sizes& capacities) {
    constexpr std::uint32_t least = 256, spare = 2048; // spare: bytes of workgroup memory for scans
    constexpr std::uint64_t most_entries = 1U << 23;
    // On a CPU, a radix sort of all cuts is faster than networks of more cuts.
    const std::uint32_t most = device.kind == DeviceKind::cpu ? 512 : 1U << 16;
    const std::uint32_t room = std::clamp((capacities.row_cuts + 63) / 64 * 64, least, 1U << 16);
    const std::uint64_t entries = std::uint64_t{room} * view.rows();
    const bool fits = room <= most &&
                      std::bit_ceil(room) * 17 / 16 * sizeof(std::uint64_t) + spare <= device.max_workgroup_memory &&
                      entries <= std::min(8 * std::uint64_t{capacities.cuts} + (1U << 20), most_entries) &&
                      std::uint64_t{layout.places_in_row} * draws <= ~0U;
    return capacities.row_cuts != 0 && fits ? room : 0;
}

/// Cuts that `strips.comp` reads.
struct CutInput {
    BufferId keys; ///< sort keys, or bins
    BufferRef<CutRecord> cuts;
    std::uint32_t key_words = 0; ///< 0: bins
    std::uint32_t room = 0;      ///< capacity of a bin
};

/// Adds the passes that compute the cuts of lines, in the bins of their rows or sorted.
CutInput add_cuts(Graph& graph, const std::vector<PushWord>& frame, const KeyLayout& layout, const Lines& lines,
                  const RowCuts& rows) {
    const Slots& cuts = lines.cuts;
    const auto unsorted = graph.transient_buffer<CutRecord>("unsorted cuts", cuts.count.max);
    const auto add = [&](std::span<const std::uint32_t> shader, BufferId keys) {
        add_stage(graph, "cut", shader,
                  {read(lines.draws), read(lines.records), read(cuts.words), write(keys), write(unsorted),
                   read_write(rows.counts)},
                  frame, cuts.count, lines.draws.count.max, {rows.room});
    };
    if (rows.room != 0) {
        const auto bins =
            graph.transient_buffer<std::uint64_t>("bins of cuts", rows.room * (rows.counts.capacity / row_stride));
        add(shaders::cut, bins);
        return {bins, unsorted, 0, rows.room};
    }
    const auto sorted = [&](auto keys, std::span<const std::uint32_t> shader, std::uint32_t key_words) -> CutInput {
        add(shader, keys);
        const auto result =
            radix_sort(graph, keys.with_count(cuts.count), unsorted, {.end_bit = std::max(1U, layout.bits)});
        return {result.keys, result.values, key_words};
    };
    return layout.is_wide
               ? sorted(graph.transient_buffer<std::uint64_t>("unsorted keys", cuts.count.max), shaders::cut_wide_keys,
                        2)
               : sorted(graph.transient_buffer<std::uint32_t>("unsorted keys", cuts.count.max), shaders::cut_keys, 1);
}

/// Adds the pass that computes the strips of each row of tiles.
void add_row_strips(Graph& graph, const SceneBuffers& scene, const View& view, const std::vector<PushWord>& frame,
                    const CutInput& input, const Words& row_cuts, StripBuffers& out) {
    // Each row has room for a strip per cut, and one more. Thus no scan of the numbers of strips is needed.
    const std::uint32_t room = input.cuts.capacity + view.rows();
    out.strips = graph.transient_buffer<StripRecord>("strips", room);
    out.spans = graph.transient_buffer<SpanRecord>("spans", room);
    out.rows = graph.transient_buffer<RowRecord>("rows of strips", view.rows());
    const auto& shader = input.key_words == 0   ? shaders::strips
                         : input.key_words == 1 ? shaders::strips_of_keys
                                                : shaders::strips_of_wide_keys;
    Pass pass;
    pass.name = "strips";
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, "strips");
    pass.bindings = {read(input.keys),
                     read(input.cuts),
                     read(scene.draws),
                     read_write(row_cuts),
                     write(out.strips),
                     write(out.spans),
                     write(out.rows),
                     read_write(out.needed.strips),
                     read_write(out.needed.row_cuts)};
    out.cuts = input.cuts;
    if (input.key_words == 0) {
        out.cuts = graph.transient_buffer<CutRecord>("cuts", room);
        pass.bindings.push_back(write(out.cuts));
    }
    // Long rows are sorted faster by more invocations.
    const bool is_large = input.room > 1024 && graph.capabilities().max_workgroup_invocations >= 2 * workgroup;
    pass.constants = {is_large ? 2 * workgroup : workgroup, input.room, std::bit_ceil(input.room)};
    pass.push = frame;
    pass.push.insert(pass.push.end(), {0U, 0U});
    pass.dispatch = Dispatch::groups(view.rows());
    graph.add_pass(std::move(pass));
}

} // namespace

FineShape fine_shape(const Capabilities& device) {
    FineShape shape;
    if (device.kind == DeviceKind::cpu) {
        shape.columns = std::clamp(device.subgroup_size_min, 4U, tile_width);
    } else {
        shape.is_lockstep = false;
        shape.rows = device.subgroup_size_max <= 32 ? 2 : 4;
        shape.tiles = device.subgroup_size_max <= 64 ? 2 : 1; // no subgroup may span two tiles
    }
    shape.least_subgroup = std::min(shape.columns * shape.rows, device.subgroup_size_min);
    return shape;
}

ViewData data_of(const View& picture, const SceneBuffers& scene) {
    const SampleView view = samples_of(picture);
    const Color& c = view.background;
    return {view.transform,
            view.tolerance,
            {c.red * c.alpha, c.green * c.alpha, c.blue * c.alpha, c.alpha},
            has_effects_in(scene) ? PixelRect{0, 0, view.width, view.height} : view.visible()};
}

StripBuffers add_strips(const GraphCall& graph, const SceneBuffers& scene, const View& picture, HostData data,
                        const Sizes& capacities) {
    const SampleView view = samples_of(picture);
    const KeyLayout layout = key_layout(view, scene.draws.capacity);
    const std::vector<PushWord> frame = {
        data,       view.width, view.height, view.columns(), scene.draws.count, layout.column_bits, layout.row_shift,
        view.across};
    StripBuffers out;
    out.needed.lines = words(graph, "lines needed", 1);
    out.needed.centers = scene.strokes.valid() ? words(graph, "path lines needed", 1) : out.needed.lines;
    out.needed.cuts = words(graph, "cuts needed", 1);
    out.needed.strips = words(graph, "strips needed", 1);

    out.needed.row_cuts = words(graph, "longest row", 1);
    const Words row_cuts = words(graph, "cuts of rows", (view.rows() + 1) * row_stride);
    const Lines lines = add_lines(graph, scene, frame, capacities, row_cuts, out);
    const std::uint32_t room = bin_capacity(graph->capabilities(), view, layout, scene.draws.capacity, capacities);
    const CutInput input = add_cuts(graph, frame, layout, lines, {row_cuts, room});
    add_row_strips(graph, scene, view, frame, input, row_cuts, out);
    if (has_effects_in(scene)) {
        out.effects = add_effect_places(graph, scene, picture, data, capacities.effects);
    }
    return out;
}

VkFormat format_of(Target target) {
    return target == Target::rgba8 || target == Target::bgra8 ? VK_FORMAT_R8G8B8A8_UNORM
                                                              : VK_FORMAT_R16G16B16A16_SFLOAT;
}

void add_fine_pass(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& picture,
                   HostData data, const FineTarget& target) {
    const bool has_layers = scene.layers.valid(), has_images = has_images_in(scene),
               has_effects = has_effects_in(scene);
    const bool has_gradients =
        has_layers || has_images || scene.stops.valid() || (scene.features & scene_has_blurred_rects) != 0;
    const bool is_half = format_of(target.format) != VK_FORMAT_R8G8B8A8_UNORM;
    const auto shader = target.effect_pass ? shaders::fine_into_effects
                        : has_effects      ? (is_half ? shaders::fine_effects_half : shaders::fine_effects)
                        : has_layers       ? (is_half ? shaders::fine_layers_half : shaders::fine_layers)
                        : has_gradients    ? (is_half ? shaders::fine_gradients_half : shaders::fine_gradients)
                                           : (is_half ? shaders::fine_half : shaders::fine);
    Pass pass;
    pass.name = target.effect_pass ? "fine layers" : "fine";
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, "fine");
    pass.bindings = {read(scene.draws), read(strips.cuts), read(strips.strips),
                     read(strips.rows), target.picture,    read(strips.spans)};
    const FineShape shape = fine_shape(graph->capabilities());
    pass.constants = {shape.columns * shape.rows * shape.tiles, shape.columns, shape.rows, shape.least_subgroup,
                      shape.is_lockstep ? 1U : 0U};
    std::uint32_t slots = 1;
    if (has_gradients) {
        const auto or_paints = [&](const auto& records) { // a placeholder for records that the scene does not have
            return read(records.valid() ? BufferId(records) : BufferId(scene.paints));
        };
        pass.bindings.insert(pass.bindings.end(), {read(scene.paints), or_paints(scene.stops), or_paints(scene.layers),
                                                   or_paints(scene.texels), or_paints(scene.image_texels)});
        slots = has_layers ? std::max(scene.color_slots, scene.mask_slots) : 1;
        if (slots > max_layers) {
            graph->fail({ErrorCode::limit_exceeded, "fine: layers are nested " + std::to_string(slots) +
                                                        " deep; at most " + std::to_string(max_layers) +
                                                        " are supported"});
            return;
        }
    }
    // Rounded up, for fewer kernel variants.
    pass.constants.push_back(std::bit_ceil(has_effects ? std::max(4U, slots) : slots));
    pass.constants.push_back(has_images ? 1 : 0);
    const SampleView view = samples_of(picture);
    pass.constants.push_back(scene.features);
    pass.constants.push_back(target.format == Target::bgra8 ? 1 : 0);
    pass.constants.push_back(target.format == Target::linear_rgba16f ? 1 : 0);
    pass.constants.push_back(view.across);
    pass.push = {data, view.width, view.height, view.columns(), strips.strips.capacity - 1};
    const std::uint32_t margin = picture.margin * view.across; // samples
    View inner = view;
    inner.width -= 2 * margin;
    inner.height -= 2 * margin;
    pass.dispatch = Dispatch::groups((inner.columns() + shape.tiles - 1) / shape.tiles, inner.rows());
    if (has_effects) {
        pass.bindings.insert(pass.bindings.end(), {read(strips.effects.effects), target.pictures});
    }
    if (target.effect_pass) {
        add_operations(pass, scene, strips.effects, *target.effect_pass);
        pass.bindings.insert(pass.bindings.end(),
                             {read(scene.effects), read(strips.effects.places), read(strips.effects.groups)});
    }
    if (!target.effect_pass) {
        pass.push.insert(pass.push.end(), {margin});
    }
    graph->add_pass(std::move(pass));
}

void add_fine(const GraphCall& graph, const SceneBuffers& records, const StripBuffers& strips, const View& view,
              HostData data, ImageId picture, Target format, std::span<const ImageId> images) {
    SceneBuffers scene = records;
    if (!add_images(graph, scene, images)) {
        return;
    }
    FineTarget target{.picture = write(picture), .format = format};
    if (has_effects_in(scene)) {
        const BufferId pictures = add_effects(graph, scene, strips, view, data);
        if (!pictures.valid()) {
            return;
        }
        target.pictures = read(pictures);
    }
    add_fine_pass(graph, scene, strips, view, data, target);
}

} // namespace weir::paths
