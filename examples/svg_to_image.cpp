// Draws an SVG file on the GPU with weir::svg and weir::paths, and writes the picture as a PAM file:
//
//     svg_to_image FILE.svg PICTURE.pam
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <weir/paths/renderer.hpp>
#include <weir/svg/document.hpp>

namespace paths = weir::paths;
namespace svg = weir::svg;

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: svg_to_image FILE.svg PICTURE.pam\n");
        return 2;
    }
    std::ifstream file(argv[1], std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};

    // [read]
    const auto folder = std::filesystem::absolute(argv[1]).parent_path(); // has the images of the document
    const svg::Drawing drawing = weir::check(svg::read(bytes, {.name = argv[1], .folder = folder}));
    for (const auto& [what, count] : drawing.not_drawn) {
        std::fprintf(stderr, "not drawn: %s (%zu)\n", what.c_str(), count);
    }
    // [/read]

    // [draw]
    const float scale = 512 / std::max(drawing.width, drawing.height); // the longer side has 512 pixels
    const auto pixels_of = [&](float length) { return static_cast<std::uint32_t>(std::max(1.0F, length * scale)); };
    const paths::View view{.transform = paths::Transform::scaling(scale, scale),
                           .width = pixels_of(drawing.width),
                           .height = pixels_of(drawing.height),
                           .background = {1, 1, 1, 1}};
    auto gpu = weir::check(weir::Context::create());
    auto renderer = weir::check(paths::Renderer::create(gpu, drawing.scene));
    weir::check(renderer.draw(view));
    const auto pixels = weir::check(renderer.download()); // red, green, blue, alpha
    // [/draw]

    std::ofstream picture(argv[2], std::ios::binary);
    picture << "P7\nWIDTH " << view.width << "\nHEIGHT " << view.height
            << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    picture.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(4 * pixels.size()));
    return picture ? 0 : 1;
}
