// Drawings that are not in the tree. WEIR_DRAWINGS is a folder with SVG files. WEIR_DRAWINGS_MOST is the maximum number
// of files to draw, spread over all.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>
#include <weir/svg/document.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/short_of_memory.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::drawings_test {
namespace {

const OnlyWith only_with_drawings{"WEIR_DRAWINGS", {"Drawings.*"}};

using namespace weir::paths;

std::vector<std::filesystem::path> files() {
    const char* folder = std::getenv("WEIR_DRAWINGS");
    std::vector<std::filesystem::path> all;
    if (folder != nullptr) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file() && entry.path().string().find(".svg") != std::string::npos) {
                all.push_back(entry.path());
            }
        }
    }
    std::sort(all.begin(), all.end());
    const char* most = std::getenv("WEIR_DRAWINGS_MOST");
    const std::size_t count = most == nullptr ? all.size() : std::min<std::size_t>(all.size(), std::atoi(most));
    std::vector<std::filesystem::path> some;
    for (std::size_t i = 0; i < count; ++i) {
        some.push_back(all[i * all.size() / count]);
    }
    return some;
}

struct Drawn {
    Scene scene;
    View view;
};

/// Reads a drawing and scales it to at most 512 x 512 pixels. Returns nullopt if the file is not an SVG file.
std::optional<Drawn> read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    auto drawing = svg::read(bytes, {.folder = file.parent_path()});
    if (!drawing || !(drawing->width > 0 && drawing->height > 0)) {
        return std::nullopt;
    }
    const float scale = 512 / std::max(drawing->width, drawing->height);
    const auto pixels = [&](float length) { return std::max(1U, static_cast<std::uint32_t>(length * scale)); };
    return Drawn{std::move(drawing->scene),
                 {.transform = Transform::scaling(scale, scale),
                  .width = pixels(drawing->width),
                  .height = pixels(drawing->height),
                  .background = {1, 1, 1, 1}}};
}

TEST(Drawings, MatchCpu) {
    int count = 0;
    for (const auto& file : files()) {
        SCOPED_TRACE(file.string());
        if (const auto drawn = read(file)) {
            expect_same(drawn->scene, drawn->view);
            ++count;
        }
    }
    if (count == 0) {
        GTEST_SKIP() << "WEIR_DRAWINGS does not name a folder with drawings";
    }
    RecordProperty("drawings", count);
    std::printf("%d drawings\n", count);
}

TEST(Drawings, LimitedMemoryDrawsAllOrFails) {
    ShortOfMemory memory;
    std::mt19937 random(5);
    int drawn_ones = 0, refused_ones = 0;
    for (const auto& file : files()) {
        SCOPED_TRACE(file.string());
        const auto drawn = read(file);
        if (!drawn) {
            continue;
        }
        memory.leave(1U << (14 + random() % 12) | random() % (1U << 14));
        auto renderer = Renderer::create(memory.gpu(), drawn->scene, {1, 1, 1, 1});
        const auto result = renderer.and_then([&](Renderer& made) { return made.draw(drawn->view); });
        if (result) {
            ++drawn_ones;
            EXPECT_LE(difference(ok(renderer->download()), picture_of(drawn->scene, drawn->view)), 1);
        } else {
            ++refused_ones;
            EXPECT_EQ(result.error().code, ErrorCode::out_of_memory) << result.error().message;
        }
    }
    if (drawn_ones + refused_ones == 0) {
        GTEST_SKIP() << "WEIR_DRAWINGS does not name a folder with drawings";
    }
    std::printf("%d drawn, %d refused\n", drawn_ones, refused_ones);
    EXPECT_GT(drawn_ones, 0);
    EXPECT_GT(refused_ones, 0);
}

} // namespace
} // namespace weir::tests::drawings_test
