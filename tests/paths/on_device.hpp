#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/strips.hpp>

#include "tests/paths/pictures.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// Results of the stages on the device.
struct OnDevice {
    paths::Sizes needed;
    std::vector<paths::CutRecord> cuts;
    std::vector<paths::StripRecord> strips;
    std::vector<paths::SpanRecord> spans;
    std::vector<paths::RowRecord> rows;
    std::vector<std::uint32_t> pixels;
};

/// Uploads contents to buffers and binds them. The buffers must live as long as the program runs.
inline std::vector<Buffer> bind_contents(Program& program, const std::vector<paths::SceneContents>& contents) {
    std::vector<Buffer> buffers;
    for (const auto& [import, bytes] : contents) {
        if (import.valid()) {
            buffers.push_back(ok(test_context().create_buffer(std::max<std::size_t>(128, bytes.size()))));
            if (!bytes.empty()) {
                ok(test_context().upload(buffers.back(), bytes));
            }
            ok(program.bind(import, buffers.back()));
        }
    }
    return buffers;
}

/// External images of a scene, filled from buffers with the pixels of Scene::external_texels.
class FilledImages {
public:
    FilledImages(Graph& graph, const paths::Scene& scene) {
        std::size_t first = 0;
        for (const paths::ExternalImage& image : scene.external_images()) {
            const std::uint32_t count = image.width * image.height;
            const auto pixels = graph.import_buffer<std::uint32_t>("pixels of an image", count);
            ids_.push_back(graph.transient_image(
                "image", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {image.width, image.height, 1}}));
            graph.add_copy("fill image", pixels, ids_.back());
            contents_.push_back({pixels, std::as_bytes(std::span(scene.external_texels()).subspan(first, count))});
            std::size_t texels = count;
            for (std::uint32_t w = image.width, h = image.height; w > 1 || h > 1;) {
                w = std::max(1U, w / 2);
                h = std::max(1U, h / 2);
                texels += std::size_t{w} * h;
            }
            first += (texels + 63) / 64 * 64;
        }
    }
    [[nodiscard]] const std::vector<ImageId>& ids() const { return ids_; }
    [[nodiscard]] const std::vector<paths::SceneContents>& contents() const { return contents_; }

private:
    std::vector<ImageId> ids_;
    std::vector<paths::SceneContents> contents_;
};

inline OnDevice on_device(const paths::Scene& scene, paths::View view, const paths::Sizes& room) {
    using namespace paths;
    if (!scene.effects().empty()) { // they need pixels outside of the scissor
        view.scissor = View().scissor;
    }
    const Context& gpu = test_context();
    Graph graph(gpu);
    const SceneBuffers imports = import_scene(graph, scene);
    const HostData data = graph.host_data("view", sizeof(ViewData));
    const StripBuffers strips = add_strips(graph, imports, view, data, room);
    const ImageId picture =
        graph.transient_image("picture", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {view.width, view.height, 1}});
    const FilledImages images(graph, scene);
    add_fine(graph, imports, strips, view, data, picture, Target::rgba8, images.ids());
    const auto pixels = read_texels(graph, picture, TexelFormat::rgba8, view.width, view.height);
    for (const BufferId id :
         {BufferId(strips.cuts), BufferId(strips.strips), BufferId(strips.spans), BufferId(strips.rows),
          BufferId(pixels), BufferId(strips.needed.lines), BufferId(strips.needed.cuts), BufferId(strips.needed.strips),
          BufferId(strips.needed.row_cuts)}) {
        graph.export_buffer(id);
    }
    graph.export_buffer(strips.needed.centers);
    if (strips.effects.needed.valid()) {
        graph.export_buffer(strips.effects.needed);
    }
    Program program = ok(compile(gpu, graph));
    const std::vector<Buffer> buffers = bind_contents(program, contents_of(imports, scene)),
                              pixels_of_images = bind_contents(program, images.contents());
    ok(program.set(data, data_of(view, imports)));
    ok(program.run());

    OnDevice out;
    const auto word = [&](BufferId id) { return ok(gpu.download<std::uint32_t>(program.view(id), 1))[0]; };
    out.needed = {word(strips.needed.centers), word(strips.needed.lines), word(strips.needed.cuts),
                  word(strips.needed.strips)};
    out.needed.effects = strips.effects.needed.valid() ? word(strips.effects.needed) : 0;
    out.needed.row_cuts = word(strips.needed.row_cuts);
    const auto cuts = ok(gpu.download<CutRecord>(program.view(strips.cuts), strips.cuts.capacity));
    const auto all_strips = ok(gpu.download<StripRecord>(program.view(strips.strips), strips.strips.capacity));
    const auto spans = ok(gpu.download<SpanRecord>(program.view(strips.spans), strips.spans.capacity));
    out.rows = ok(gpu.download<RowRecord>(program.view(strips.rows), samples_of(view).rows()));
    for (RowRecord& row : out.rows) { // by row and without gaps, as on the CPU
        const auto first = static_cast<std::uint32_t>(out.strips.size());
        for (std::uint32_t i = row.first; i < row.end; ++i) {
            if (i + 1 >= all_strips.size() || all_strips[i].first_cut > all_strips[i + 1].first_cut ||
                all_strips[i + 1].first_cut > cuts.size()) {
                ADD_FAILURE() << "strip " << i << " of " << all_strips.size() << " has wrong cuts";
                return out;
            }
            const std::uint32_t cut = all_strips[i].first_cut, end = all_strips[i + 1].first_cut;
            out.strips.push_back(all_strips[i]);
            out.strips.back().first_cut = static_cast<std::uint32_t>(out.cuts.size());
            out.spans.push_back(spans[i]);
            out.cuts.insert(out.cuts.end(), cuts.begin() + cut, cuts.begin() + end);
        }
        row = row.first == row.end ? RowRecord{} : RowRecord{first, static_cast<std::uint32_t>(out.strips.size())};
    }
    out.pixels = ok(gpu.download<std::uint32_t>(program.view(pixels), view.width * view.height));
    return out;
}

/// Checks that the device and the CPU have equal integers in all stages of a scene, and pixels within 1/255.
inline void expect_same(const paths::Scene& scene, const paths::View& view) {
    using namespace paths;
    const CpuStrips expected = cpu_strips(scene, view);
    Sizes sizes = sizes_of(expected);
    sizes.effects = effect_tiles(scene.effects(), view);
    static int scenes = 0;
    Sizes room = sizes;
    room.row_cuts = ++scenes % 4 == 0 ? 0 : sizes.row_cuts; // 0: all cuts are sorted at once
    const OnDevice drawn = on_device(scene, view, room);
    ASSERT_EQ(drawn.needed, sizes) << drawn.needed.lines << ' ' << drawn.needed.cuts << ' ' << drawn.needed.strips
                                   << ", expected " << sizes.lines << ' ' << sizes.cuts << ' ' << sizes.strips;
    EXPECT_TRUE(drawn.cuts == expected.cuts);
    ASSERT_EQ(drawn.strips.size() + 1, expected.strips.size());
    for (std::size_t i = 0; i + 1 < expected.strips.size(); ++i) {
        ASSERT_TRUE(drawn.strips[i] == expected.strips[i] && drawn.spans[i] == expected.spans[i]) << "strip " << i;
    }
    EXPECT_TRUE(drawn.rows == expected.rows);
    EXPECT_LE(difference(drawn.pixels, cpu_fine(scene, view, expected), view), 1);
}

} // namespace weir::tests
