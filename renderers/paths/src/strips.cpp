#include <weir/paths/strips.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "effects.hpp"
#include "fine_pass.hpp"
#include "keys.hpp"
#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

using Words = BufferRef<std::uint32_t>;
namespace shaders = weir_paths::shaders;

constexpr std::uint32_t workgroup = 256; // invocations per workgroup of all kernels except `fine`

/// Adds a pass with one invocation per element. `items`: maximum number of items that own the elements, if they are
/// slots.
void add_stage(Graph& graph, const char* name, std::span<const std::uint32_t> shader, std::vector<Binding> bindings,
               std::vector<PushWord> push, const Count& count, std::uint32_t items = 0) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, name);
    pass.bindings = std::move(bindings);
    pass.push = std::move(push);
    pass.push.emplace_back(items);
    pass.push.emplace_back(count.max);
    pass.dispatch = Dispatch::elements(count, workgroup, 1);
    graph.add_pass(std::move(pass));
}

/// GLSL functions that decode and compare keys. Keys ascend, so comparisons avoid slow divisions.
std::string key_functions(std::uint32_t key_words) {
    constexpr const char* place = R"(
struct Place {
    uint row, draw, past; // past: column + 1
};
)";
    return place + std::string(key_words == 1 ? R"(
Place place_of(uint i) {
    const uint row = keys[i] / (draw_count * places_in_row), rest = keys[i] - row * (draw_count * places_in_row);
    const uint draw = rest / places_in_row;
    return Place(row, draw, rest - draw * places_in_row);
}
// Comparisons of cut i with the cut before it: same tile, same row of the same draw. Also of cut i + 1 with cut i.
bool is_same_tile(uint i) { return keys[i - 1] == keys[i]; }
bool is_same_row_of_draw(uint i) { return keys[i - 1] >= keys[i] - keys[i] % places_in_row; }
bool is_next_in_row_of_draw(uint i, Place place) { return keys[i + 1] - (keys[i] - place.past) < places_in_row; }
uint past_of_next(uint i, Place place) { return keys[i + 1] - (keys[i] - place.past); } // same row of the draw
bool is_in_row(uint i, uint row) { return keys[i] - row * (draw_count * places_in_row) < draw_count * places_in_row; }
)"
                                              : R"(
Place place_of(uint i) {
    const uint low = keys[2 * i], high = keys[2 * i + 1];
    return Place(high >> row_shift, low >> column_bits | (high & (1u << row_shift) - 1) << 32 - column_bits,
                 low & (1u << column_bits) - 1);
}
bool is_same_tile(uint i) { return keys[2 * i - 2] == keys[2 * i] && keys[2 * i - 1] == keys[2 * i + 1]; }
bool is_same_row_of_draw(uint i) {
    return keys[2 * i - 2] >> column_bits == keys[2 * i] >> column_bits && keys[2 * i - 1] == keys[2 * i + 1];
}
bool is_next_in_row_of_draw(uint i, Place place) { return is_same_row_of_draw(i + 1); }
uint past_of_next(uint i, Place place) { return place_of(i + 1).past; }
bool is_in_row(uint i, uint row) { return keys[2 * i + 1] >> row_shift == row; }
)");
}

/// State of a run of cuts: the number of strips that begin in it, and the sum of the heights of the cuts in each row of
/// pixels since the latest start of a draw's row of tiles. Bit 31 of `strips` is set if such a row starts in the run.
Monoid strips_monoid(std::uint32_t key_words) {
    return {.name = "strips",
            .fields = {"uint strips", "uint w01", "uint w23"},
            .functions = key_functions(key_words) + R"(
const uint row_begins = 1u << 31;

uint sum_of_halves(uint a, uint b) {
    return (a & 0x7FFF7FFFu) + (b & 0x7FFF7FFFu) ^ (a ^ b) & 0x80008000u;
}
uint height(int y0, int y1, int row) {
    return uint(clamp(y1 - row * 256, 0, 256) - clamp(y0 - row * 256, 0, 256));
}
uint heights(uvec2 cut, int row) { // for two rows of pixels
    int y0 = int(cut.x >> 13 & 0x7FFu), y1 = int(cut.y >> 13 & 0x7FFu);
    if ((cut.x & 1u << 30) != 0) { // not anti-aliased: rows whose centers are between the ends
        y0 = y0 + 127 & ~255;
        y1 = y1 + 127 & ~255;
    }
    const uint first = height(y0, y1, row), second = height(y0, y1, row + 1);
    return cut.x >> 31 != 0 ? -first & 0xFFFFu | -second << 16 : first | second << 16;
}
bool is_full(int winding, bool is_even_odd) {
    return is_even_odd ? (winding & 511) == 256 : abs(winding) >= 256;
}
// Returns the part of a span that describes its gap: `tiles`, the distance to the next strip, if they are filled.
// Bit 31: the gap hides everything below. Bit 30: the draw is part of a clip. Bits 22 to 29: number of effects of
// enclosing layers.
uint gap_of(T sum, uint tiles, uint draw) {
    const uint flags = draws[draw * 20 + 8];
    const bool is_even_odd = (flags & 1) != 0;
    const uint kind = (flags & 8) << 27 | flags & 0x3FC00000u; // span_kind
    if (tiles == 0 || ((sum.w01 | sum.w23) & (is_even_odd ? 0x01FF01FFu : 0xFFFFFFFFu)) == 0) {
        return kind;
    }
    const bool is_opaque = (flags & 2) != 0 && is_full(bitfieldExtract(int(sum.w01), 0, 16), is_even_odd) &&
                           is_full(int(sum.w01) >> 16, is_even_odd) &&
                           is_full(bitfieldExtract(int(sum.w23), 0, 16), is_even_odd) &&
                           is_full(int(sum.w23) >> 16, is_even_odd);
    return tiles << 11 | kind | (is_opaque ? 1u << 31 : 0);
})",
            .identity = "T(0, 0, 0)",
            .combine = R"(
    if ((right.strips & row_begins) != 0) {
        return T((left.strips & ~row_begins) + right.strips, right.w01, right.w23);
    }
    return T(left.strips + right.strips, sum_of_halves(left.w01, right.w01), sum_of_halves(left.w23, right.w23));)",
            .exact = true};
}

/// Loads element i: cut i.
constexpr const char* strips_load = R"(
    const bool is_first_of_row = i == 0 || !is_same_row_of_draw(i);
    const bool is_first = i == 0 || !is_same_tile(i);
    return T((is_first_of_row ? row_begins : 0) + (is_first ? 1 : 0), heights(cuts[i], 0), heights(cuts[i], 2));)";

/// The first cut of a strip writes its beginning; the last cut writes its span. The first and the last cut of a row
/// of tiles write its range.
constexpr const char* strips_store = R"(
    const uint strip = (inclusive.strips & ~row_begins) - 1;
    const Place place = place_of(i);
    if (i == 0 || !is_in_row(i - 1, place.row)) {
        rows[place.row].x = strip;
    }
    if (is_last || !is_in_row(i + 1, place.row)) {
        rows[place.row].y = strip + 1;
    }
    if (is_last) {
        strip_count = strip + 1;
    }
    if (strip >= room) {
        return;
    }
    if ((element.strips & ~row_begins) != 0) {
        strips[3 * strip] = uvec2(place.draw, i);
        strips[3 * strip + 1] =
            (element.strips & row_begins) != 0 ? uvec2(0) : uvec2(exclusive.w01, exclusive.w23);
    }
    if (is_last || !is_same_tile(i + 1)) {
        const bool row_ends = is_last || !is_next_in_row_of_draw(i, place);
        const uint next = row_ends ? columns + 1 : min(past_of_next(i, place), columns + 1); // column + 1
        spans[strip] = place.past | gap_of(inclusive, max(next, place.past + 1) - place.past - 1, place.draw);
        strips[3 * strip + 2] = uvec2(inclusive.w01, inclusive.w23);
        if (is_last || strip + 1 == room) {
            strips[3 * strip + 3].y = i + 1;
        }
    })";

std::uint32_t at_least_one(std::size_t elements) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(1, elements));
}

Words words(Graph& graph, const char* name, std::uint32_t capacity) {
    return graph.transient_buffer<std::uint32_t>(name, at_least_one(capacity));
}

/// Sum that saturates at 2^32 - 1. No buffer can have as many elements.
Monoid saturating_sum() {
    return {.name = "saturating sum",
            .fields = {"uint n"},
            .identity = "T(0)",
            .combine = "const uint n = left.n + right.n; return T(n < left.n ? ~0u : n);",
            .commutes = true,
            .exact = true};
}

/// Slots of items. Item i owns counts[i] slots, possibly none. Kernels on slots search their items themselves, which is
/// faster than a separate pass.
struct Slots {
    Words offsets; ///< first slot of each item
    Count count;   ///< number of slots, limited by the capacity
};

Slots slots_of(Graph& graph, const Words& counts, std::uint32_t room, const Words& needed) {
    const Words offsets = words(graph, "offsets", counts.capacity).with_count(counts.count);
    scan(graph, counts,
         {.kind = ScanKind::exclusive, .op = saturating_sum(), .output = offsets, .output_total = needed});
    // Capacities follow the needed numbers, so nearly all workgroups of a direct dispatch have work.
    return {offsets, graph.count_in(needed, 0, at_least_one(room)).direct()};
}

/// Lines in pixels.
struct Lines {
    BufferRef<LineRecord> records;
    Words draws;      ///< draw index of each line
    Words cut_counts; ///< number of cuts of each line
};

/// Adds the passes that flatten segments into lines and convert strokes to the lines of their outlines.
Lines add_lines(Graph& graph, const SceneBuffers& scene, const std::vector<PushWord>& frame, const Sizes& capacities,
                const StripBuffers& out) {
    const bool has_strokes = scene.strokes.valid();
    const std::uint32_t instances = scene.instances.count.max;
    const Words counts = words(graph, "line counts", scene.instances.capacity).with_count(scene.instances.count);
    const auto with_segments = [&](std::initializer_list<Binding> more) {
        std::vector<Binding> bindings = {read(scene.instances), read(scene.draws), read(scene.segments),
                                         read(scene.points)};
        bindings.insert(bindings.end(), more);
        return bindings;
    };
    // Input of part_of, which finds the generated lines.
    const auto parts = graph.transient_buffer<std::array<std::uint32_t, 4>>("parts", scene.instances.capacity);
    std::vector<Binding> measured =
        with_segments({write(counts), write(parts), write(out.needed.strips), write(out.rows)});
    if (has_strokes) {
        measured.push_back(read(scene.strokes));
    }
    add_stage(graph, "measure segments", has_strokes ? shaders::measure_strokes : shaders::measure, measured, frame,
              counts.count);

    const auto words_of = [&](const char* name, const Count& count) {
        return words(graph, name, count.max).with_count(count);
    };
    const auto lines_of = [&](const Count& count) {
        return Lines{graph.transient_buffer<LineRecord>("lines", count.max), words_of("draws of lines", count),
                     words_of("cut counts", count)};
    };
    if (!has_strokes) {
        const Slots lines = slots_of(graph, counts, capacities.lines, out.needed.lines);
        const Lines result = lines_of(lines.count);
        add_stage(graph, "flatten", shaders::flatten,
                  with_segments({read(parts), read(lines.offsets), read(out.needed.lines), write(result.records),
                                 write(result.draws), write(result.cut_counts)}),
                  frame, lines.count, instances);
        return result;
    }
    const Slots centers = slots_of(graph, counts, capacities.centers, out.needed.centers);
    std::vector<Binding> dashes; // bindings 14 and 15
    if (scene.dashes.valid()) {
        const Words sizes = words_of("lengths of lines", centers.count);
        const Words heads = words_of("heads of subpaths", centers.count);
        add_stage(graph, "measure dashes", shaders::dash,
                  with_segments({read(parts), read(scene.strokes), read(centers.offsets), read(out.needed.centers),
                                 write(sizes), write(heads)}),
                  frame, centers.count, instances);
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
    const Words part_counts = words_of("part counts", centers.count);
    const Words center_instances = words_of("instances of path lines", centers.count);
    add_stage(graph, "measure strokes", dashes.empty() ? shaders::center : shaders::center_dashes,
              with_dashes(with_segments({read(parts), read(scene.strokes), read(centers.offsets),
                                         read(out.needed.centers), write(part_counts), write(center_instances)})),
              frame, centers.count, instances);
    const Slots lines = slots_of(graph, part_counts, capacities.lines, out.needed.lines);
    const Lines result = lines_of(lines.count);
    add_stage(
        graph, "outline strokes", dashes.empty() ? shaders::outline : shaders::outline_dashes,
        with_dashes(with_segments({read(parts), read(scene.strokes), read(centers.offsets), read(center_instances),
                                   read(lines.offsets), read(out.needed.centers), read(out.needed.lines),
                                   write(result.records), write(result.draws), write(result.cut_counts)})),
        frame, lines.count, part_counts.count.max);
    return result;
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
    const View view = picture.with_margin();
    const Color& c = view.background;
    return {view.transform,
            view.tolerance,
            {c.red * c.alpha, c.green * c.alpha, c.blue * c.alpha, c.alpha},
            has_effects_in(scene) ? PixelRect{0, 0, view.width, view.height} : view.visible()};
}

StripBuffers add_strips(const GraphCall& graph, const SceneBuffers& scene, const View& picture, HostData data,
                        const Sizes& capacities) {
    const View view = picture.with_margin();
    const KeyLayout layout = key_layout(view, scene.draws.capacity);
    const std::vector<PushWord> frame = {
        data, view.width, view.height, view.columns(), scene.draws.count, layout.column_bits, layout.row_shift};
    StripBuffers out;
    out.needed.lines = words(graph, "lines needed", 1);
    out.needed.centers = scene.strokes.valid() ? words(graph, "path lines needed", 1) : out.needed.lines;
    out.needed.cuts = words(graph, "cuts needed", 1);
    out.needed.strips = words(graph, "strips needed", 1);

    out.rows = graph->transient_buffer<RowRecord>("rows of strips", view.rows());

    const Lines lines = add_lines(graph, scene, frame, capacities, out);
    const Slots cuts = slots_of(graph, lines.cut_counts, capacities.cuts, out.needed.cuts);
    const std::uint32_t key_words = layout.is_wide ? 2 : 1;
    const auto sort_cuts = [&](auto unsorted_keys) -> BufferId {
        const auto unsorted = graph->transient_buffer<CutRecord>("unsorted cuts", cuts.count.max);
        add_stage(graph, "cut", key_words == 2 ? shaders::cut_wide : shaders::cut,
                  {read(lines.draws), read(lines.records), read(cuts.offsets), read(out.needed.lines),
                   read(out.needed.cuts), write(unsorted_keys), write(unsorted)},
                  frame, cuts.count, lines.cut_counts.count.max);
        const auto sorted =
            radix_sort(graph, unsorted_keys.with_count(cuts.count), unsorted, {.end_bit = std::max(1U, layout.bits)});
        out.cuts = sorted.values;
        return sorted.keys;
    };
    const BufferId keys = key_words == 2
                              ? sort_cuts(graph->transient_buffer<std::uint64_t>("unsorted keys", cuts.count.max))
                              : sort_cuts(graph->transient_buffer<std::uint32_t>("unsorted keys", cuts.count.max));

    const std::uint32_t strip_room = at_least_one(capacities.strips);
    out.strips = graph->transient_buffer<StripRecord>("strips", strip_room + 1);
    out.spans = graph->transient_buffer<SpanRecord>("spans", strip_room);
    fused_scan(graph, {.monoid = strips_monoid(key_words),
                       .count = cuts.count,
                       .buffers = {{"uint keys[]", read(keys)},
                                   {"uvec2 cuts[]", read(out.cuts)},
                                   {"uint draws[]", read(scene.draws)},
                                   {"uvec2 strips[]", write(out.strips)},
                                   {"uint spans[]", write(out.spans)},
                                   {"uvec2 rows[]", write(out.rows)},
                                   {"uint strip_count", write(out.needed.strips)}},
                       .values = {{"columns", view.columns()},
                                  {"places_in_row", layout.places_in_row},
                                  {"draw_count", scene.draws.count},
                                  {"column_bits", layout.column_bits},
                                  {"row_shift", layout.row_shift},
                                  {"room", strip_room}},
                       .load = strips_load,
                       .store = strips_store});
    if (has_effects_in(scene)) {
        out.effects = add_effect_places(graph, scene, view, data, capacities.effects);
    }
    return out;
}

VkFormat format_of(Target target) {
    return target == Target::rgba8 || target == Target::bgra8 ? VK_FORMAT_R8G8B8A8_UNORM
                                                              : VK_FORMAT_R16G16B16A16_SFLOAT;
}

void add_fine_pass(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& picture,
                   HostData data, const FineTarget& target) {
    const bool has_layers = scene.layers.valid(), has_images = scene.texels.valid(),
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
                                                   or_paints(scene.texels)});
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
    pass.constants.push_back(scene.features);
    pass.constants.push_back(target.format == Target::bgra8 ? 1 : 0);
    pass.constants.push_back(target.format == Target::linear_rgba16f ? 1 : 0);
    const View view = picture.with_margin();
    pass.push = {data, view.width, view.height, view.columns(), strips.strips.capacity - 1};
    pass.dispatch = Dispatch::groups((picture.columns() + shape.tiles - 1) / shape.tiles, picture.rows());
    if (has_effects) {
        pass.bindings.insert(pass.bindings.end(), {read(strips.effects.effects), target.pictures});
    }
    if (target.effect_pass) {
        add_operations(pass, scene, strips.effects, *target.effect_pass);
        pass.bindings.insert(pass.bindings.end(),
                             {read(scene.effects), read(strips.effects.places), read(strips.effects.groups)});
    }
    if (!target.effect_pass) {
        pass.push.insert(pass.push.end(), {picture.margin});
    }
    graph->add_pass(std::move(pass));
}

void add_fine(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
              HostData data, ImageId picture, Target format) {
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

BufferRef<std::uint32_t> add_pixels(const GraphCall& graph, ImageId picture, const View& view) {
    const auto pixels = graph->transient_buffer<std::uint32_t>("pixels", view.width * view.height);
    Pass pass;
    pass.name = "copy pixels";
    pass.shader = ShaderSource::spirv({shaders::pixels.begin(), shaders::pixels.end()}, "pixels");
    pass.bindings = {read(picture), write(pixels)};
    pass.push = {view.width, view.height};
    pass.dispatch = Dispatch::groups((view.width + 15) / 16, (view.height + 15) / 16);
    graph->add_pass(std::move(pass));
    return pixels;
}

} // namespace weir::paths
