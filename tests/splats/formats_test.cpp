// Formats of files of splats other than plain PLY. Files are made here, from the descriptions of the formats.

#include <algorithm>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/splats/cloud_bytes.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

#if WEIR_SPLATS_WEBP
#include <webp/encode.h>
#endif

namespace weir::tests::formats_test {
namespace {

using namespace splats;

const OnOneDriver on_one_driver{"CloudFormats.*"};

constexpr double degree_0 = 0.28209479; // basis function of degree 0
const float root = std::sqrt(0.5F);

LoadedCloud read(const std::string& bytes, CloudFormat format, const ReadOptions& options = {}) {
    auto loaded = ok(read_cloud(as_bytes(bytes), options));
    EXPECT_EQ(loaded.format, format);
    return loaded;
}

void refuses(const std::string& bytes, const std::string& why) {
    const auto loaded = read_cloud(as_bytes(bytes));
    ASSERT_FALSE(loaded) << why;
    EXPECT_THAT(loaded.error().message, testing::HasSubstr(why));
}

/// Reads beginnings of a file, and the file with single damaged bytes. Only the absence of crashes counts.
void damage(const std::string& bytes) {
    const std::size_t step = bytes.size() / 300 + 1;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
        (void)read_cloud(as_bytes(bytes.substr(0, i)));
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
        (void)read_cloud(as_bytes(damaged));
    }
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a[i], b[i], tolerance);
    }
}

void expect_near(const Quaternion& a, const Quaternion& b, double tolerance) {
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(a[i], b[i], tolerance);
    }
}

double cosine(const Quaternion& a, const Quaternion& b) {
    double product = 0, a_length = 0, b_length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        product += double{a[i]} * b[i];
        a_length += double{a[i]} * a[i];
        b_length += double{b[i]} * b[i];
    }
    return product / std::sqrt(a_length * b_length);
}

TEST(CloudFormats, Splat) {
    std::string bytes;
    for (const float x : {0.0F, 1.0F}) {
        add_bytes(bytes, x, 2.0F, 3.0F, 0.5F, 0.25F, 0.125F);
        bytes += std::string("\xFF\0\x33\xCC\xFF\x80\x80\x80", 8);
    }
    const Splat splat = read(bytes, CloudFormat::splat).cloud.splat(1);
    EXPECT_EQ(splat.mean, (Vec3{1, 2, 3}));
    EXPECT_EQ(splat.scale, (Vec3{0.5F, 0.25F, 0.125F}));
    EXPECT_NEAR(0.5 + degree_0 * splat.color[0], 1, 1e-3);
    EXPECT_NEAR(0.5 + degree_0 * splat.color[2], 0.2, 1e-3);
    EXPECT_NEAR(splat.opacity, 0.8, 1e-3);
    EXPECT_EQ(splat.rotation, (Quaternion{1, 0, 0, 0}));
    refuses(std::string(33, 'x'), "no known format");
    refuses(std::string(64, '\xC0'), "no known format"); // negative scales
    damage(bytes);
}

/// Attributes of a .spz file of two splats.
std::string spz_attributes(std::uint32_t version, std::uint32_t coefficients) {
    std::string bytes;
    for (int i = 0; i < 6; ++i) { // 1.5, -2 and 0.25 with 8 bits of fraction
        bytes += std::string("\x80\x01\0\x00\xFE\xFF\x40\0\0", 9).substr(static_cast<std::size_t>(i % 3) * 3, 3);
    }
    bytes += std::string("\xFF\x33", 2);                 // opacities 1 and 0.2
    bytes += std::string("\x80\xFF\0\x80\xFF\0", 6);     // colors
    bytes += std::string("\xA0\xB0\x90\xA0\xB0\x90", 6); // scales of e^0, e^1, e^-1
    // The rotation is (w, x, y, z) = (root, 0, -root, 0): y and w are equal, and w is left out.
    for (int i = 0; i < 2; ++i) {
        if (version == 2) {
            bytes += "\x7F\x25\x7F";
        } else {
            add_bytes(bytes, 3U << 30 | 0U << 20 | (512U | 511U) << 10 | 0U);
        }
    }
    for (std::uint32_t i = 0; i < 2 * 3 * coefficients; ++i) {
        bytes += static_cast<char>(128 + i % (3 * coefficients));
    }
    return bytes;
}

std::string spz_header(std::uint32_t version, std::uint8_t degree, std::uint8_t flags, std::uint8_t streams = 0) {
    std::string bytes = "NGSP";
    add_bytes(bytes, version, std::uint32_t{2}, degree, std::uint8_t{8}, flags, streams);
    return bytes;
}

/// Returns a .spz file. `extension` is appended to versions 2 and 3, and follows the header of version 4.
std::string spz(std::uint32_t version, std::uint8_t degree, std::uint8_t flags = 0, const std::string& extension = {}) {
    const std::uint32_t coefficients = (degree + 1U) * (degree + 1U) - 1;
    const std::string attributes = spz_attributes(version, coefficients);
    if (version < 4) {
        return gzip_of(spz_header(version, degree, flags) + attributes + extension);
    }
    const std::size_t sizes[] = {18, 2, 6, 6, 8, std::size_t{6} * coefficients};
    const std::uint8_t streams = degree == 0 ? 5 : 6;
    std::string bytes = spz_header(version, degree, flags, streams), packed;
    add_bytes(bytes, static_cast<std::uint32_t>(32 + extension.size()), std::uint64_t{0}, std::uint32_t{0});
    bytes += extension;
    std::size_t at = 0;
    for (std::size_t i = 0; i < streams; ++i) {
        const std::string stream = zstd_of(attributes.substr(at, sizes[i]));
        add_bytes(bytes, std::uint64_t{stream.size()}, std::uint64_t{sizes[i]});
        packed += stream;
        at += sizes[i];
    }
    return bytes + packed;
}

TEST(CloudFormats, Spz) {
    for (const std::uint32_t version : {2U, 3U, 4U}) {
        for (const std::uint8_t degree : {0, 1, 2, 3, 4}) {
            const auto loaded = read(spz(version, degree, 1), CloudFormat::spz);
            EXPECT_TRUE(loaded.is_antialiased);
            EXPECT_EQ(loaded.cloud.degree, std::min<std::uint32_t>(degree, 3));
            ASSERT_EQ(loaded.cloud.size(), 2U);
            const Splat splat = loaded.cloud.splat(1);
            EXPECT_EQ(splat.mean, (Vec3{1.5F, 2, -0.25F})); // y and z change their signs
            EXPECT_NEAR(splat.opacity, 0.2, 1e-3);
            expect_near(splat.color, {(128 / 255.0F - 0.5F) / 0.15F, 0.5F / 0.15F, -0.5F / 0.15F}, 2e-3);
            expect_near(splat.scale, {1, std::exp(1.0F), std::exp(-1.0F)}, 1e-6);
            expect_near(splat.rotation, {root, 0, root, 0}, version == 2 ? 0.01 : 1e-4);
            // Signs of the functions that are odd in y and z. The order is y, z, x; xy, yz, 2zz - xx - yy, xz, ...
            const int signs[] = {-1, -1, 1, -1, 1, 1, -1, 1, -1, 1, -1, -1, 1, -1, 1};
            for (std::size_t i = 0; i < (loaded.cloud.degree + 1) * (loaded.cloud.degree + 1) - 1; ++i) {
                EXPECT_EQ(splat.harmonics[i][1], static_cast<float>(signs[i]) * static_cast<float>(3 * i + 1) / 128);
            }
        }
        const Splat kept = read(spz(version, 1), CloudFormat::spz, {.keep_axes = true}).cloud.splat(0);
        EXPECT_EQ(kept.mean, (Vec3{1.5F, -2, 0.25F}));
        EXPECT_EQ(kept.harmonics[0][0], 0.0F);
        EXPECT_EQ(kept.harmonics[1][0], 3.0F / 128);
        damage(spz(version, 3));
    }
    refuses(spz(1, 0), "version 1; 2 to 4");
    refuses(spz(3, 5), "degree 5; the maximum is 4");
    refuses(gzip_of(std::string(40, 'x')), "not an SPZ file");
    refuses(gzip_of(spz_header(3, 0, 0)), "16 of 56 bytes");
    std::string many = spz_header(3, 0, 0);
    many.replace(8, 4, std::string("\0\0\0\x04", 4));
    refuses(gzip_of(many), "too short for 67108864 splats");
}

TEST(CloudFormats, SpzNamesItsAxes) {
    const auto extension = [](std::uint32_t axes) {
        std::string bytes;
        add_bytes(bytes, std::uint32_t{0xADBE0003}, std::uint32_t{4}, axes);
        return bytes;
    };
    for (const std::uint32_t version : {3U, 4U}) {
        // 6: x right, y down, z front. 7: x left, y up, z front.
        const Splat same = read(spz(version, 0, 2, extension(6)), CloudFormat::spz).cloud.splat(0);
        EXPECT_EQ(same.mean, (Vec3{1.5F, -2, 0.25F}));
        const Splat turned = read(spz(version, 0, 2, extension(7)), CloudFormat::spz).cloud.splat(0);
        EXPECT_EQ(turned.mean, (Vec3{-1.5F, 2, 0.25F}));
        refuses(spz(version, 0, 2, extension(9)), "coordinate system 9; 1 to 8");
        (void)read(spz(version, 0, 2, "other"), CloudFormat::spz);
    }
}

TEST(CloudFormats, WriteSpz) {
    const Cloud cloud = make_cloud(300, 7, 3);
    for (const std::uint32_t version : {3U, 4U}) {
        const std::string bytes = as_string(ok(write_spz(cloud, {.version = version, .is_antialiased = true})));
        const auto loaded = read(bytes, CloudFormat::spz);
        EXPECT_TRUE(loaded.is_antialiased);
        ASSERT_EQ(loaded.cloud.size(), cloud.size());
        ASSERT_EQ(loaded.cloud.degree, 3U);
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            const Splat from = cloud.splat(i), to = loaded.cloud.splat(i);
            expect_near(to.mean, from.mean, 0.5 / 4096 + 1e-6);
            expect_near(to.color, from.color, 0.5 / 255 / 0.15 + 2e-3);
            EXPECT_NEAR(to.opacity, from.opacity, 0.5 / 255 + 5e-4);
            EXPECT_GT(std::abs(cosine(to.rotation, from.rotation)), 1 - 1e-5);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_NEAR(std::log(to.scale[k]), std::log(from.scale[k]), 0.5 / 16 + 1e-4);
            }
            for (std::size_t k = 0; k < 15; ++k) {
                expect_near(to.harmonics[k], from.harmonics[k], k < 3 ? 5.0 / 128 : 9.0 / 128);
            }
        }
    }
    const auto exact =
        read(as_string(ok(write_spz(cloud, {.fraction_bits = 20, .first_degree_bits = 8}))), CloudFormat::spz);
    expect_near(exact.cloud.splat(9).mean, cloud.splat(9).mean, 1e-6);
    expect_near(exact.cloud.splat(9).harmonics[1], cloud.splat(9).harmonics[1], 0.5 / 128 + 1e-3);
    const auto kept = read(as_string(ok(write_spz(cloud, {.keep_axes = true}))), CloudFormat::spz, {.keep_axes = true});
    expect_near(kept.cloud.splat(9).mean, cloud.splat(9).mean, 2e-4);
}

TEST(CloudFormats, WriteSpzOfFarSplats) {
    Cloud cloud;
    cloud.add({.mean = {1e6F, -1e6F, 0}});
    const auto loaded = read(as_string(ok(write_spz(cloud))), CloudFormat::spz); // with fewer bits of fraction
    expect_near(loaded.cloud.splat(0).mean, {1e6F, -1e6F, 0}, 0.1);
    cloud.add({.mean = {0, 9e6F, 0}});
    EXPECT_EQ(write_spz(cloud).error().code, ErrorCode::invalid_argument);
    for (const SpzOptions& wrong : {SpzOptions{.version = 2}, SpzOptions{.fraction_bits = 24},
                                    SpzOptions{.first_degree_bits = 0}, SpzOptions{.higher_degree_bits = 9}}) {
        const auto written = write_spz(make_cloud(3, 1, 1), wrong);
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().code, ErrorCode::invalid_argument);
    }
}

/// Returns a .ksplat file with one section of four splats: two in a full bucket, two in two others.
std::string ksplat(std::uint16_t level, std::uint16_t degree) {
    std::string bytes("\0\1\0\0", 4);
    add_bytes(bytes, 1U, 1U, 4U, 4U, level, std::uint16_t{0}, 0.0F, 0.0F, 0.0F, -2.0F, 2.0F);
    bytes.resize(4096);
    const std::uint32_t buckets = level == 0 ? 0 : 3;
    add_bytes(bytes, 4U, 4U, 2U, buckets, 5.0F, std::uint16_t{12}, std::uint16_t{0}, 0U, 0U, buckets / 3,
              2 * buckets / 3, degree);
    bytes.resize(4096 + 1024);
    if (level > 0) {
        add_bytes(bytes, 1U, 1U);                                                 // partially filled buckets
        add_bytes(bytes, 0.0F, 0.0F, 0.0F, 10.0F, 0.0F, 0.0F, 20.0F, 0.0F, 0.0F); // centers
    }
    for (int i = 0; i < 4; ++i) {
        if (level == 0) {
            add_bytes(bytes, 10.0F, 1.25F, -1.25F, 1.0F, 2.0F, 0.5F, 0.0F, 0.0F, 1.0F, 0.0F);
        } else {
            // Positions 0, 1.25 and -1.25 from the center of a bucket; numbers 1, 2, 0.5, 0, 0, 1, 0 as 16-bit floats.
            for (const int half : {32767, 32767 + 16384, 32767 - 16384, 0x3C00, 0x4000, 0x3800, 0, 0, 0x3C00, 0}) {
                add_bytes(bytes, static_cast<std::uint16_t>(half));
            }
        }
        bytes += std::string("\xFF\x80\0\x33", 4);
        for (int k = 0; k < 3 * ((degree + 1) * (degree + 1) - 1); ++k) {
            if (level == 0) {
                add_bytes(bytes, static_cast<float>(k));
            } else if (level == 1) {
                add_bytes(bytes, static_cast<std::uint16_t>(0x3C00 + k)); // 1 + k / 1024
            } else {
                bytes += static_cast<char>(k);
            }
        }
    }
    return bytes;
}

TEST(CloudFormats, Ksplat) {
    for (const std::uint16_t level : {0, 1, 2}) {
        for (const std::uint16_t degree : {0, 1, 2}) {
            const auto loaded = read(ksplat(level, degree), CloudFormat::ksplat);
            ASSERT_EQ(loaded.cloud.size(), 4U);
            EXPECT_EQ(loaded.cloud.degree, degree);
            if (level > 0) {
                expect_near(loaded.cloud.splat(1).mean, {0, 1.25F, -1.25F}, 1e-3);
                expect_near(loaded.cloud.splat(3).mean, {20, 1.25F, -1.25F}, 1e-3);
            }
            const Splat splat = loaded.cloud.splat(2);
            expect_near(splat.mean, {10, 1.25F, -1.25F}, 1e-3);
            EXPECT_EQ(splat.scale, (Vec3{1, 2, 0.5F}));
            EXPECT_EQ(splat.rotation, (Quaternion{0, 0, 1, 0}));
            EXPECT_NEAR(splat.opacity, 0.2, 1e-3);
            EXPECT_NEAR(0.5 + degree_0 * splat.color[0], 1, 1e-3);
            for (int i = 0; i < (degree + 1) * (degree + 1) - 1; ++i) {
                for (int color = 0; color < 3; ++color) {
                    const int k = i < 3 ? 3 * color + i : 9 + 5 * color + i - 3;
                    const double expected = level == 0 ? k : level == 1 ? 1 + k / 1024.0 : -2 + 4 * k / 255.0;
                    EXPECT_NEAR(splat.harmonics[static_cast<std::size_t>(i)][static_cast<std::size_t>(color)], expected,
                                1e-3);
                }
            }
        }
        damage(ksplat(level, 2).substr(0, 5400));
    }
    refuses(ksplat(3, 0), "compression level 3");
    refuses(ksplat(1, 3), "degree 3; the maximum is 2");
    refuses(ksplat(1, 0).substr(0, 5200), "incomplete");
    refuses(ksplat(1, 0).substr(0, 400), "shorter than its header");
}

std::string compressed_ply(bool has_colors, std::uint32_t rest) {
    std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment antialiased 1\nelement chunk 2\n";
    for (const char* const bound : {"min_", "max_"}) {
        for (const char* const name : {"x", "y", "z", "scale_x", "scale_y", "scale_z"}) {
            bytes += std::string("property float ") + bound + name + "\n";
        }
        for (const char* const name : {"r", "g", "b"}) {
            bytes += has_colors ? std::string("property float ") + bound + name + "\n" : "";
        }
    }
    bytes += "element vertex 257\n";
    for (const char* const name : {"position", "rotation", "scale", "color"}) {
        bytes += std::string("property uint packed_") + name + "\n";
    }
    bytes += rest == 0 ? "" : "element sh 257\n";
    for (std::uint32_t i = 0; i < rest; ++i) {
        bytes += "property uchar f_rest_" + std::to_string(i) + "\n";
    }
    bytes += "end_header\n";
    for (const float chunk : {0.0F, 1.0F}) {
        add_bytes(bytes, chunk, -1.0F, 2.0F, -3.0F, -3.0F, -3.0F);
        bytes += has_colors ? std::string(12, '\0') : "";
        add_bytes(bytes, chunk + 4, 1.0F, 2.0F, 0.0F, 0.0F, 0.0F);
        if (has_colors) {
            add_bytes(bytes, 2.0F, 2.0F, 2.0F);
        }
    }
    for (int i = 0; i < 257; ++i) { // x and the scale along z at the upper bounds, y at the lower one
        add_bytes(bytes, 2047U << 21 | 0U << 11 | 5U, 2U << 30 | 512U << 20 | 512U << 10 | 1023U, 2047U, 0xFF800033U);
    }
    for (std::uint32_t i = 0; i < 257 * rest; ++i) {
        bytes += static_cast<char>(i % rest == 0 ? 255 : i % rest);
    }
    return bytes;
}

TEST(CloudFormats, CompressedPly) {
    for (const bool has_colors : {false, true}) {
        for (const std::uint32_t degree : {0U, 1U, 2U, 3U}) {
            const std::uint32_t coefficients = (degree + 1) * (degree + 1) - 1;
            const auto loaded = read(compressed_ply(has_colors, 3 * coefficients), CloudFormat::compressed_ply);
            EXPECT_TRUE(loaded.is_antialiased);
            EXPECT_EQ(loaded.cloud.degree, degree);
            ASSERT_EQ(loaded.cloud.size(), 257U);
            EXPECT_EQ(loaded.cloud.splat(255).mean, (Vec3{4, -1, 2}));
            const Splat splat = loaded.cloud.splat(256);
            EXPECT_EQ(splat.mean, (Vec3{5, -1, 2}));
            expect_near(splat.scale, {std::exp(-3.0F), std::exp(-3.0F), 1}, 1e-6);
            expect_near(splat.rotation, {0, 0, root, root}, 2e-3);
            EXPECT_NEAR(splat.opacity, 0.2, 1e-3);
            EXPECT_NEAR(0.5 + degree_0 * splat.color[0], has_colors ? 2 : 1, 2e-3);
            for (std::uint32_t i = 0; i < coefficients; ++i) {
                for (std::uint32_t color = 0; color < 3; ++color) {
                    const std::uint32_t k = color * coefficients + i;
                    EXPECT_NEAR(splat.harmonics[i][color], k == 0 ? 4 : (k + 0.5) / 32 - 4, 2e-3);
                }
            }
        }
    }
    const std::string whole = compressed_ply(true, 9);
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        return text.replace(text.find(from), from.size(), to);
    };
    refuses(replaced("element chunk 2", "element chunk 3"), "3 chunks for 257 splats");
    refuses(replaced("element chunk", "element block"), "no element chunk");
    refuses(replaced("float min_y", "uint min_y"), "no property min_y of type float");
    refuses(replaced("uint packed_scale", "float packed_scale"), "no property packed_scale of type uint");
    refuses(replaced("element sh 257", "element sh 256"), "harmonics of 256 of 257 splats");
    refuses(replaced("uchar f_rest_8", "uchar other"), "8 properties f_rest");
    refuses(replaced("binary_little", "binary_big"), "not binary_little_endian");
    refuses(whole.substr(0, whole.size() - 1), "ends after 256 of 257 rows of element 'sh'");
    damage(whole);
}

#if WEIR_SPLATS_WEBP

/// Returns a WebP picture whose pixels all are `pixel`, R, G, B, A.
std::string webp(int width, int height, const std::array<std::uint8_t, 4>& pixel) {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < width * height; ++i) {
        pixels.insert(pixels.end(), pixel.begin(), pixel.end());
    }
    std::uint8_t* bytes = nullptr;
    // A pixel with alpha 0 could lose its colors. The tests have none.
    const std::size_t size = WebPEncodeLosslessRGBA(pixels.data(), width, height, 4 * width, &bytes);
    std::string file(reinterpret_cast<const char*>(bytes), size);
    WebPFree(bytes);
    return file;
}

/// Returns "[0, step, 2 step, ...]" with 256 numbers. The first is null if `has_null`.
std::string codebook(double step, bool has_null = false) {
    std::string text = has_null ? "[null" : "[0";
    for (int i = 1; i < 256; ++i) {
        text += "," + std::to_string(i * step);
    }
    return text + "]";
}

std::vector<std::pair<std::string, std::string>> sog_pictures(const std::string& folder) {
    return {{folder + "means_l.webp", webp(2, 2, {0, 255, 0, 255})},
            {folder + "means_u.webp", webp(2, 2, {0, 255, 128, 255})},
            {folder + "scales.webp", webp(2, 2, {0, 1, 255, 255})},
            {folder + "quats.webp", webp(2, 2, {128, 255, 128, 252})},
            {folder + "sh0.webp", webp(2, 2, {0, 100, 255, 51})},
            {folder + "centroids.webp", webp(192, 2, {1, 2, 255, 255})},
            {folder + "labels.webp", webp(2, 2, {65, 0, 0, 255})}};
}

const std::string sog_files = R"("quats":{"files":["quats.webp"]},)";

std::string sog(const std::string& meta, const std::string& folder = {}) {
    auto files = sog_pictures(folder);
    files.emplace_back(folder + "meta.json", meta);
    return zip_of(files);
}

std::string sog_meta(bool has_harmonics) {
    return R"({"version":2,"count":3,"means":{"mins":[-1,-2,0],"maxs":[1,3,1],"files":["means_l.webp","means_u.webp"]},)" +
           sog_files + R"("scales":{"codebook":)" + codebook(-0.01, true) +
           R"(,"files":["scales.webp"]},"sh0":{"codebook":)" + codebook(0.01) + R"(,"files":["sh0.webp"]})" +
           (has_harmonics ? R"(,"shN":{"count":128,"bands":1,"codebook":)" + codebook(0.001) +
                                R"(,"files":["centroids.webp","labels.webp"]})"
                          : "") +
           "}";
}

TEST(CloudFormats, Sog) {
    for (const char* const folder : {"", "scene/"}) {
        const auto loaded = read(sog(sog_meta(true), folder), CloudFormat::sog);
        ASSERT_EQ(loaded.cloud.size(), 3U);
        EXPECT_EQ(loaded.cloud.degree, 1U);
        const Splat splat = loaded.cloud.splat(2);
        expect_near(splat.mean, {1 - std::exp(1.0F), std::exp(3.0F) - 1, std::exp(32768 / 65535.0F) - 1}, 1e-5);
        expect_near(splat.scale, {std::exp(-0.01F + 2.54F / 255), std::exp(-0.01F), std::exp(-2.55F)}, 1e-5);
        expect_near(splat.color, {0, 1, 2.55F}, 2e-3);
        EXPECT_NEAR(splat.opacity, 0.2, 1e-3);
        expect_near(splat.rotation, {root, 0, root, 0}, 0.01);
        expect_near(splat.harmonics[2], {0.001F, 0.002F, 0.255F}, 1e-3);
    }
    EXPECT_EQ(read(sog(sog_meta(false)), CloudFormat::sog).cloud.degree, 0U);
}

TEST(CloudFormats, SogVersion1) {
    const std::string meta =
        R"({"means":{"shape":[3],"mins":[-1,-2,0],"maxs":[1,3,1],"files":["means_l.webp","means_u.webp"]},)" +
        sog_files +
        R"("scales":{"mins":[-1,-2,-3],"maxs":[0,0,0],"files":["scales.webp"]},)"
        R"("sh0":{"mins":[-1,-1,-1,-2],"maxs":[1,1,1,3],"files":["sh0.webp"]},)"
        R"("shN":{"mins":-0.5,"maxs":0.5,"files":["centroids.webp","labels.webp"]}})";
    const auto loaded = read(sog(meta), CloudFormat::sog);
    EXPECT_EQ(loaded.cloud.degree, 1U);
    const Splat splat = loaded.cloud.splat(0);
    expect_near(splat.mean, {1 - std::exp(1.0F), std::exp(3.0F) - 1, std::exp(32768 / 65535.0F) - 1}, 1e-5);
    expect_near(splat.scale, {std::exp(-1.0F), std::exp(-2.0F + 2 / 255.0F), 1}, 1e-5);
    expect_near(splat.color, {-1, -1 + 200 / 255.0F, 1}, 2e-3);
    EXPECT_NEAR(splat.opacity, 1 / (1 + std::exp(2 - 1.0)), 1e-3);
    expect_near(splat.harmonics[0], {-0.5F + 1 / 255.0F, -0.5F + 2 / 255.0F, 0.5F}, 1e-3);
}

TEST(CloudFormats, MistakesInSog) {
    const std::string meta = sog_meta(true);
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = meta;
        return sog(text.replace(text.find(from), from.size(), to));
    };
    refuses(zip_of({{"other", "file"}}), "no meta.json");
    refuses(sog("{"), "not a JSON object");
    refuses(sog("[1]"), "not a JSON object");
    refuses(replaced("\"version\":2", "\"version\":7"), "unknown version");
    refuses(replaced("\"count\":3", "\"count\":-3"), "no valid count");
    refuses(replaced("\"count\":3", "\"count\":5"), "4 pixels for 5 splats");
    refuses(replaced("[-1,-2,0]", "[-1,-2]"), "no valid means.mins");
    refuses(replaced("[-1,-2,0]", "[-1,-2,{}]"), "no valid means.mins");
    refuses(replaced("\"quats.webp\"", "4"), "no valid quats.files");
    refuses(replaced("quats.webp", "quats\\u001b.webp"), "no file 'quats\\x1b.webp'");
    refuses(replaced("quats.webp", "meta.json"), "not in WebP format");
    refuses(replaced("\"bands\":1", "\"bands\":2"), "192 pixels wide");
    refuses(replaced("\"bands\":1", "\"bands\":9"), "degree 9");
    const std::string whole = sog(meta);
    refuses(whole.substr(0, whole.size() - 30), "directory of the ZIP archive");
    damage(whole);
}

#endif

} // namespace
} // namespace weir::tests::formats_test
