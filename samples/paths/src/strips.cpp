#include <weir/paths/strips.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "keys.hpp"
#include "weir_paths_shaders.hpp"

namespace weir::paths {

namespace {

using Words = BufferRef<std::uint32_t>;
namespace shaders = weir_paths::shaders;

constexpr std::uint32_t workgroup = 256; // of all kernels but `fine`, invocations

/// Adds a pass with an invocation for each element.
void add_stage(Graph& graph, const char* name, std::span<const std::uint32_t> shader, std::vector<Binding> bindings,
               std::vector<PushWord> push, const Count& count) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, name);
    pass.bindings = std::move(bindings);
    pass.push = std::move(push);
    pass.push.emplace_back(count.max);
    pass.dispatch = Dispatch::elements(count, workgroup, 1);
    graph.add_pass(std::move(pass));
}

/// Where the parts of a key are, in GLSL.
std::string key_functions(std::uint32_t key_words) {
    return key_words == 1 ? R"(
uint place_of(uint i) { return keys[i] % places; }
uint draw_of(uint i) { return keys[i] / places; }
bool is_same_tile(uint i) { return keys[i - 1] == keys[i]; } // as the cut before it
bool is_same_row(uint i) { return keys[i - 1] / places_in_row == keys[i] / places_in_row; }
)"
                          : R"(
uint place_of(uint i) { return keys[2 * i] & (1u << place_bits) - 1; }
uint draw_of(uint i) { return keys[2 * i] >> place_bits | keys[2 * i + 1] << 1 << 31 - place_bits; }
bool is_same_tile(uint i) { return keys[2 * i - 2] == keys[2 * i] && keys[2 * i - 1] == keys[2 * i + 1]; }
bool is_same_row(uint i) {
    return place_of(i - 1) / places_in_row == place_of(i) / places_in_row && draw_of(i - 1) == draw_of(i);
}
)";
}

/// Of a run of cuts: how many strips begin (bit 31: and a row of tiles does), and the sum of the heights of the cuts in
/// each row of pixels since the row of tiles began.
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
uint heights(uvec2 cut, int row) { // in two rows of pixels
    const int y0 = int(cut.x >> 13 & 0x7FFu), y1 = int(cut.y >> 13 & 0x7FFu);
    const uint first = height(y0, y1, row), second = height(y0, y1, row + 1);
    return cut.x >> 31 != 0 ? -first & 0xFFFFu | -second << 16 : first | second << 16;
}
bool is_filled(T sum, uint draw) {
    const bool is_even_odd = (draws[draw * 12 + 8] & 1) != 0;
    return ((sum.w01 | sum.w23) & (is_even_odd ? 0x01FF01FFu : 0xFFFFFFFFu)) != 0;
})",
            .identity = "T(0, 0, 0)",
            .combine = R"(
    if ((right.strips & row_begins) != 0) {
        return T((left.strips & ~row_begins) + right.strips, right.w01, right.w23);
    }
    return T(left.strips + right.strips, sum_of_halves(left.w01, right.w01), sum_of_halves(left.w23, right.w23));)",
            .exact = true};
}

/// Element i is cut i.
constexpr const char* strips_load = R"(
    const bool is_first_of_row = i == 0 || !is_same_row(i);
    const bool is_first = is_first_of_row || !is_same_tile(i);
    return T((is_first_of_row ? row_begins : 0) + (is_first ? 1 : 0), heights(cuts[i], 0), heights(cuts[i], 2));)";

/// The first cut of a strip writes where the strip is, the last one what is behind it.
constexpr const char* strips_store = R"(
    const uint strip = (inclusive.strips & ~row_begins) - 1;
    if (is_last) {
        strip_count = strip + 1;
    }
    if (strip >= room) {
        return;
    }
    const uint place = place_of(i), draw = draw_of(i);
    const uint past = place % places_in_row; // the column behind
    if ((element.strips & ~row_begins) != 0) {
        strips[2 * strip].xyz = uvec3(draw, place / places_in_row << 16 | past, i);
        strips[2 * strip + 1].xy =
            (element.strips & row_begins) != 0 ? uvec2(0) : uvec2(exclusive.w01, exclusive.w23);
    }
    if (is_last || !is_same_tile(i + 1)) {
        uint gap = 0;
        if (is_filled(inclusive, draw)) {
            const bool row_ends = is_last || !is_same_row(i + 1);
            const uint next = row_ends ? columns + 1 : place_of(i + 1) % places_in_row; // column + 1
            gap = max(min(next, columns + 1), past + 1) - past - 1;
        }
        strips[2 * strip].w = gap;
        strips[2 * strip + 1].zw = uvec2(inclusive.w01, inclusive.w23);
        counts[strip] = gap + (past != 0 && past <= columns ? 1 : 0);
        if (is_last || strip + 1 == room) {
            strips[2 * strip + 2].z = i + 1;
        }
    })";

std::uint32_t at_least_one(std::size_t elements) {
    return static_cast<std::uint32_t>(std::max<std::size_t>(1, elements));
}

Words words(Graph& graph, const char* name, std::uint32_t capacity) {
    return graph.transient_buffer<std::uint32_t>(name, at_least_one(capacity));
}

/// Each item gets as many slots as its count says, each with its item and its rank.
Expanded expanded(Graph& graph, const Words& counts, std::uint32_t capacity, const Words& needed) {
    return expand(graph, counts, {.capacity = at_least_one(capacity), .wants_ranks = true, .count = needed});
}

/// Lines on screen.
struct Lines {
    BufferRef<LineRecord> records;
    Words draws;      ///< of each line
    Words cut_counts; ///< of each line
};

/// Adds the passes that flatten segments into lines, and strokes into the lines of their outlines.
Lines add_lines(Graph& graph, const SceneBuffers& scene, const std::vector<PushWord>& frame, const Sizes& room,
                const StripBuffers& out) {
    const bool has_strokes = scene.strokes.valid();
    const Words counts = words(graph, "line counts", scene.instances.capacity).with_count(scene.instances.count);
    const auto with_segments = [&](std::initializer_list<Binding> more) {
        std::vector<Binding> bindings = {read(scene.instances), read(scene.draws), read(scene.segments),
                                         read(scene.points)};
        bindings.insert(bindings.end(), more);
        return bindings;
    };
    std::vector<Binding> measured = with_segments({write(counts), write(out.needed.strips)});
    if (has_strokes) {
        measured.push_back(read(scene.strokes));
    }
    add_stage(graph, "measure segments", has_strokes ? shaders::measure_strokes : shaders::measure, measured, frame,
              counts.count);

    const auto lines_of = [&](const Expanded& lines) {
        const std::uint32_t capacity = lines.sources.capacity;
        const Count& count = lines.sources.count;
        return Lines{graph.transient_buffer<LineRecord>("lines", capacity), words(graph, "draws of lines", capacity),
                     words(graph, "cut counts", capacity).with_count(count)};
    };
    if (!has_strokes) {
        const Expanded lines = expanded(graph, counts, room.lines, out.needed.lines);
        const Lines result = lines_of(lines);
        add_stage(graph, "flatten", shaders::flatten,
                  with_segments({read(counts), read(lines.sources), read(lines.ranks), read(lines.count),
                                 write(result.records), write(result.draws), write(result.cut_counts)}),
                  frame, lines.sources.count);
        return result;
    }
    const Expanded centers = expanded(graph, counts, room.centers, out.needed.centers);
    std::vector<Binding> dashes; // bindings 14 to 16
    if (scene.dashes.valid()) {
        const auto of_lines = [&](const char* name) {
            return words(graph, name, centers.sources.capacity).with_count(centers.sources.count);
        };
        const Words sizes = of_lines("lengths of lines"), heads = of_lines("heads of subpaths");
        add_stage(graph, "measure dashes", shaders::dash,
                  with_segments({read(counts), read(scene.strokes), read(centers.sources), read(centers.ranks),
                                 read(centers.count), write(sizes), write(heads)}),
                  frame, centers.sources.count);
        const Words starts = scan(graph, sizes, {.kind = ScanKind::exclusive, .segments = Segments::at_flags(heads)});
        dashes = {read(scene.dashes), read(sizes), read(starts)};
    }
    const auto with_dashes = [&](std::vector<Binding> bindings) {
        if (!dashes.empty()) {
            while (bindings.size() < 14) {
                bindings.push_back(unused(counts));
            }
            bindings.insert(bindings.end(), dashes.begin(), dashes.end());
        }
        return bindings;
    };
    const Words part_counts = words(graph, "part counts", centers.sources.capacity).with_count(centers.sources.count);
    add_stage(graph, "measure strokes", dashes.empty() ? shaders::center : shaders::center_dashes,
              with_dashes(with_segments({read(counts), read(scene.strokes), read(centers.sources), read(centers.ranks),
                                         read(centers.count), write(part_counts)})),
              frame, centers.sources.count);
    const Expanded lines = expanded(graph, part_counts, room.lines, out.needed.lines);
    const Lines result = lines_of(lines);
    add_stage(graph, "outline strokes", dashes.empty() ? shaders::outline : shaders::outline_dashes,
              with_dashes(with_segments({read(counts), read(scene.strokes), read(centers.sources), read(centers.ranks),
                                         read(lines.sources), read(lines.ranks), read(lines.count),
                                         write(result.records), write(result.draws), write(result.cut_counts)})),
              frame, lines.sources.count);
    return result;
}

} // namespace

SceneBuffers import_scene(const GraphCall& graph, const Scene& scene) {
    const auto import = [&]<class T>(const char* name, const std::vector<T>& records) {
        return graph->import_buffer<T>(name, at_least_one(records.size()), static_cast<std::uint32_t>(records.size()));
    };
    SceneBuffers buffers;
    buffers.points = import("points", scene.points());
    buffers.segments = import("segments", scene.segments());
    buffers.draws = import("draws", scene.draws());
    buffers.instances = import("instances", scene.instances());
    buffers.paints = import("paints", scene.paints());
    if (!scene.strokes().empty()) {
        buffers.strokes = import("strokes", scene.strokes());
    }
    if (!scene.dashes().empty()) {
        buffers.dashes = import("dashes", scene.dashes());
    }
    if (!scene.stops().empty()) {
        buffers.stops = import("stops", scene.stops());
    }
    if (scene.layers().size() > 1) {
        buffers.layers = import("layers", scene.layers());
        buffers.depth = scene.depth();
    }
    return buffers;
}

std::vector<SceneContents> contents_of(const SceneBuffers& buffers, const Scene& scene) {
    const auto bytes = [](const auto& records) { return std::as_bytes(std::span(records)); };
    return {{buffers.points, bytes(scene.points())}, {buffers.segments, bytes(scene.segments())},
            {buffers.draws, bytes(scene.draws())},   {buffers.instances, bytes(scene.instances())},
            {buffers.paints, bytes(scene.paints())}, {buffers.strokes, bytes(scene.strokes())},
            {buffers.dashes, bytes(scene.dashes())}, {buffers.stops, bytes(scene.stops())},
            {buffers.layers, bytes(scene.layers())}};
}

ViewData data_of(const View& view) {
    const Color& c = view.background;
    return {view.transform, view.tolerance, {c.red * c.alpha, c.green * c.alpha, c.blue * c.alpha, c.alpha}};
}

StripBuffers add_strips(const GraphCall& graph, const SceneBuffers& scene, const View& view, HostData data,
                        const Sizes& room) {
    const KeyLayout layout = key_layout(view, scene.draws.capacity);
    const std::vector<PushWord> frame = {data,           view.width,    view.height,
                                         view.columns(), layout.places, layout.place_bits};
    StripBuffers out;
    out.needed.lines = words(graph, "lines needed", 1);
    out.needed.centers = scene.strokes.valid() ? words(graph, "path lines needed", 1) : out.needed.lines;
    out.needed.cuts = words(graph, "cuts needed", 1);
    out.needed.strips = words(graph, "strips needed", 1);
    out.needed.commands = words(graph, "commands needed", 1);

    const Lines lines = add_lines(graph, scene, frame, room, out);
    const Expanded cuts = expanded(graph, lines.cut_counts, room.cuts, out.needed.cuts);
    const std::uint32_t key_words = layout.is_wide() ? 2 : 1;
    const auto sort_cuts = [&](auto unsorted_keys) -> BufferId {
        const auto unsorted = graph->transient_buffer<CutRecord>("unsorted cuts", cuts.sources.capacity);
        add_stage(graph, "cut", key_words == 2 ? shaders::cut_wide : shaders::cut,
                  {read(lines.draws), read(lines.records), read(cuts.sources), read(cuts.ranks), read(cuts.count),
                   write(unsorted_keys), write(unsorted)},
                  frame, cuts.sources.count);
        const auto sorted = radix_sort(graph, unsorted_keys.with_count(cuts.sources.count), unsorted,
                                       {.end_bit = std::max(1U, layout.bits)});
        out.cuts = sorted.values;
        return sorted.keys;
    };
    const BufferId keys =
        key_words == 2 ? sort_cuts(graph->transient_buffer<std::uint64_t>("unsorted keys", cuts.sources.capacity))
                       : sort_cuts(graph->transient_buffer<std::uint32_t>("unsorted keys", cuts.sources.capacity));

    const std::uint32_t strip_room = at_least_one(room.strips);
    out.strips = graph->transient_buffer<StripRecord>("strips", strip_room + 1);
    const Words command_counts =
        words(graph, "command counts", strip_room).with_count(graph->count_in(out.needed.strips, 0, strip_room));
    fused_scan(graph, {.monoid = strips_monoid(key_words),
                       .count = cuts.sources.count,
                       .buffers = {{"uint keys[]", read(keys)},
                                   {"uvec2 cuts[]", read(out.cuts)},
                                   {"uint draws[]", read(scene.draws)},
                                   {"uvec4 strips[]", write(out.strips)},
                                   {"uint counts[]", write(command_counts)},
                                   {"uint strip_count", write(out.needed.strips)}},
                       .values = {{"columns", view.columns()},
                                  {"places_in_row", layout.places_in_row},
                                  {"places", layout.places},
                                  {"place_bits", layout.place_bits},
                                  {"room", strip_room}},
                       .load = strips_load,
                       .store = strips_store});

    const Expanded commands = expanded(graph, command_counts, room.commands, out.needed.commands);
    const Words tiles = words(graph, "unsorted tiles", commands.sources.capacity).with_count(commands.sources.count);
    const Words unsorted = words(graph, "unsorted commands", commands.sources.capacity);
    add_stage(graph, "commands", shaders::commands,
              {read(out.strips), read(commands.sources), read(commands.ranks), read(commands.count), write(tiles),
               write(unsorted)},
              {view.columns()}, commands.sources.count);
    const auto sorted = radix_sort(graph, tiles, unsorted, {.end_bit = std::max(1U, tile_bits(view))});
    out.tiles = sorted.keys;
    out.commands = sorted.values;
    return out;
}

void add_fine(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
              HostData data, ImageId picture) {
    const bool has_layers = scene.layers.valid(), has_gradients = has_layers || scene.stops.valid();
    const auto shader = has_layers ? shaders::fine_layers : has_gradients ? shaders::fine_gradients : shaders::fine;
    Pass pass;
    pass.name = "fine";
    pass.shader = ShaderSource::spirv({shader.begin(), shader.end()}, "fine");
    pass.bindings = {
        read(scene.draws),     read(scene.paints),           read(strips.cuts), read(strips.strips), read(strips.tiles),
        read(strips.commands), read(strips.needed.commands), write(picture)};
    if (has_gradients) { // without one, anything stands for stops
        pass.bindings.push_back(read(scene.stops.valid() ? BufferId(scene.stops) : BufferId(scene.paints)));
    }
    if (has_layers) {
        pass.bindings.push_back(read(scene.layers));
        pass.constants = {scene.depth + 1};
    }
    pass.push = {data, view.width, view.height, view.columns(), strips.commands.capacity};
    pass.dispatch = Dispatch::groups(view.columns(), view.rows());
    graph->add_pass(std::move(pass));
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
