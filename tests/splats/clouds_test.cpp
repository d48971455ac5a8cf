// Clouds from files, and the replacement of NaN and infinity.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/splats/cloud.hpp>

#include "common/half.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::clouds_test {
namespace {

using namespace weir::splats;

const OnOneDriver on_one_driver{"Clouds.*"};

const char* const names[] = {"x",       "y",       "z",       "f_dc_0", "f_dc_1", "f_dc_2", "opacity",
                             "scale_0", "scale_1", "scale_2", "rot_0",  "rot_1",  "rot_2",  "rot_3"};

/// Returns a PLY file with these properties, except `without`, and `rest` properties f_rest.
std::string ply(std::uint32_t splats, std::uint32_t rest, const std::string& without = {}) {
    std::string file = "ply\nformat binary_little_endian 1.0\ncomment a test\nelement vertex " +
                       std::to_string(splats) + "\nproperty uchar red\n";
    std::size_t floats = 0;
    const auto add_property = [&](const std::string& name) {
        if (name != without) {
            file += "property float " + name + "\n";
            ++floats;
        }
    };
    for (const char* name : names) {
        add_property(name);
    }
    for (std::uint32_t i = 0; i < rest; ++i) {
        add_property("f_rest_" + std::to_string(i));
    }
    file += "end_header\n";
    for (std::uint32_t i = 0; i < splats; ++i) {
        file += '\7';
        for (std::size_t k = 0; k < floats; ++k) {
            const float number = 0.125F * static_cast<float>(k) + static_cast<float>(i);
            file.append(reinterpret_cast<const char*>(&number), sizeof(number));
        }
    }
    return file;
}

class Clouds : public testing::Test {
protected:
    std::string write(const std::string& name, const std::string& bytes) {
        folder_.write(name, bytes);
        return folder_.name(name);
    }
    Result<Cloud> read(const std::string& bytes, const std::string& name = "cloud.ply") {
        return read_cloud(write(name, bytes));
    }
    void refuses(const std::string& bytes, const std::string& why, const std::string& name = "cloud.ply") {
        const auto cloud = read(bytes, name);
        ASSERT_FALSE(cloud) << why;
        EXPECT_EQ(cloud.error().code, ErrorCode::io);
        EXPECT_THAT(cloud.error().message, testing::HasSubstr(why));
        EXPECT_THAT(cloud.error().message, testing::HasSubstr(name));
    }

private:
    TemporaryFolder folder_;
};

float from_half(std::uint32_t bits) {
    return samples::to_float({static_cast<std::uint16_t>(bits)});
}

TEST_F(Clouds, ReadsPlyFiles) {
    for (const std::uint32_t degree : {0U, 1U, 2U, 3U}) {
        const std::uint32_t coefficients = (degree + 1) * (degree + 1) - 1;
        const Cloud cloud = ok(read(ply(20'000, 3 * coefficients)));
        ASSERT_EQ(cloud.size(), 20'000U);
        ASSERT_EQ(cloud.degree, degree);
        ASSERT_EQ(cloud.harmonics.size(), std::size_t{20'000} * harmonic_words(degree));
        const SplatPlace& place = cloud.places[2];
        EXPECT_EQ(place.mean, (splats::Vec3{2, 2.125F, 2.25F}));
        const SplatShape& shape = cloud.shapes[2];
        EXPECT_EQ(from_half(shape.color[0]), 2.375F);
        EXPECT_EQ(from_half(shape.color[2]), 2.625F);
        EXPECT_NEAR(from_half(shape.color[3]), 1 / (1 + std::exp(-2.75)), 1e-3);
        EXPECT_FLOAT_EQ(shape.scale[0], std::exp(2.875F));
        EXPECT_NEAR(shape.rotation[0] / 32767.0, 3.25 / std::hypot(3.25, 3.375, std::hypot(3.5, 3.625)), 1e-4);
        // The file has all coefficients of red first. The cloud has the three colors of each coefficient together.
        for (std::uint32_t i = 0; i < 3 * coefficients; ++i) {
            const std::uint32_t in_file = i % 3 * coefficients + i / 3;
            const std::uint32_t word = cloud.harmonics[std::size_t{2} * harmonic_words(degree) + i / 2];
            EXPECT_EQ(from_half(word >> i % 2 * 16 & 0xFFFF), 2 + 0.125F * static_cast<float>(14 + in_file));
        }
    }
}

TEST_F(Clouds, ReadsSplatFiles) {
    std::string bytes(64, '\0');
    const float numbers[] = {1, 2, 3, 0.5F, 0.25F, 0.125F};
    std::memcpy(bytes.data() + 32, numbers, sizeof(numbers));
    const unsigned char rest[] = {255, 0, 51, 204, 255, 128, 128, 128};
    std::memcpy(bytes.data() + 56, rest, sizeof(rest));
    const Cloud cloud = ok(read(bytes, "cloud.splat"));
    ASSERT_EQ(cloud.size(), 2U);
    EXPECT_EQ(cloud.places[1].mean, (splats::Vec3{1, 2, 3}));
    EXPECT_EQ(cloud.shapes[1].scale, (splats::Vec3{0.5F, 0.25F, 0.125F}));
    EXPECT_NEAR(0.5 + 0.28209479 * from_half(cloud.shapes[1].color[0]), 1, 1e-3);
    EXPECT_NEAR(0.5 + 0.28209479 * from_half(cloud.shapes[1].color[2]), 0.2, 1e-3);
    EXPECT_NEAR(from_half(cloud.shapes[1].color[3]), 0.8, 1e-3);
    EXPECT_EQ(cloud.shapes[1].rotation[0], 32767);
}

TEST_F(Clouds, InvalidFilesAreErrors) {
    refuses("", "header");
    refuses("PLY\n", "header");
    refuses(std::string(100'000, 'x'), "header");
    refuses(ply(0, 0), "no splats");
    refuses(ply(3, 0, "rot_2"), "no property rot_2");
    refuses(ply(3, 7), "7 properties f_rest");
    refuses(ply(3, 60), "60 properties f_rest");
    const std::string whole = ply(3, 0);
    refuses(whole.substr(0, whole.size() - 1), "ends after 2 of 3 splats");
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string file = whole;
        return file.replace(file.find(from), from.size(), to);
    };
    refuses(replaced("binary_little_endian", "ascii"), "not binary_little_endian");
    refuses(replaced("vertex 3", "vertex -3"), "'-3' splats");
    refuses(replaced("vertex 3", "vertex 99999999999999999999"), "splats; at most");
    refuses(replaced("vertex 3", "vertex 4000000000"), "splats; at most");
    refuses(replaced("element vertex", "element chunk"), "first element is not vertex but chunk");
    refuses(replaced("uchar red", "list uchar"), "unknown type list");
    refuses(std::string(33, 'x'), "multiple of 32 bytes, at least 32 and at most 2^31, not 33", "cloud.splat");
    refuses("", "multiple of 32 bytes, at least 32 and at most 2^31, not 0", "cloud.splat");
    EXPECT_FALSE(read_cloud("no such file.ply"));
}

TEST_F(Clouds, NanAndInfinityAreReplaced) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    Cloud cloud;
    cloud.add({.mean = {nan, infinity, 1}, .scale = {nan, -1, infinity}, .rotation = {nan, 0, 0, 0}, .opacity = nan});
    cloud.add({.scale = {1, 1, 1}, .rotation = {0, 0, 0, 0}, .opacity = 7, .color = {1e9F, -1e9F, nan}});
    EXPECT_EQ(cloud.places[0].mean, (splats::Vec3{0, 0, 1}));
    EXPECT_EQ(cloud.shapes[0].scale, (splats::Vec3{0, 1, 0}));
    EXPECT_LT(cloud.places[0].radius, 0); // not visible
    for (const SplatShape& shape : cloud.shapes) {
        EXPECT_EQ(shape.rotation, (std::array<std::int16_t, 4>{32767, 0, 0, 0}));
    }
    EXPECT_EQ(from_half(cloud.shapes[1].color[3]), 1);
    EXPECT_EQ(from_half(cloud.shapes[1].color[0]), 65504);
    EXPECT_EQ(from_half(cloud.shapes[1].color[1]), -65504);
    EXPECT_EQ(from_half(cloud.shapes[1].color[2]), 0);
    EXPECT_NEAR(cloud.places[1].radius, std::sqrt(2 * std::log(255)), 1e-3);
}

} // namespace
} // namespace weir::tests::clouds_test
