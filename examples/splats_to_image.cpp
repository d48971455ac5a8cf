// Draws a file of Gaussian splats on the GPU with weir::splats, and writes the picture as a PAM file:
//
//     splats_to_image CLOUD PICTURE.pam
#include <cstdio>
#include <fstream>

#include <weir/splats/files.hpp>
#include <weir/splats/renderer.hpp>

namespace splats = weir::splats;

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: splats_to_image CLOUD PICTURE.pam\n");
        return 2;
    }

    // [draw]
    const splats::LoadedCloud file = weir::check(splats::read_cloud_file(argv[1])); // .ply, .splat, .spz, .sog, .ksplat
    const splats::Bounds bounds = splats::bounds_of(file.cloud);
    const auto& [low, high] = bounds.box;
    const splats::Vec3 center = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2};
    const splats::Vec3 eye = {center[0], center[1], center[2] - 3 * bounds.extent};
    const splats::View view{.width = 640,
                            .height = 360,
                            .camera = splats::look_at(eye, center, 60, {0, -1, 0}), // y is down in most files
                            .background = {1, 1, 1, 1}};
    auto gpu = weir::check(weir::Context::create());
    auto renderer = weir::check(splats::Renderer::create(gpu, file.cloud, {.antialias = file.is_antialiased}));
    const splats::Counts counts = weir::check(renderer.draw(view));
    const auto pixels = weir::check(renderer.pixels()); // premultiplied red, green, blue, alpha
    // [/draw]
    std::printf("%u of %u splats are visible\n", counts.visible, file.cloud.size());

    std::ofstream picture(argv[2], std::ios::binary);
    picture << "P7\nWIDTH " << view.width << "\nHEIGHT " << view.height
            << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    picture.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(4 * pixels.size()));
    return picture ? 0 : 1;
}
