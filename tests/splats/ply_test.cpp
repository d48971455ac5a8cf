// PLY files of splats: variants of the format, and mistakes.

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/splats/cloud_bytes.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::ply_test {
namespace {

using namespace splats;

const OnOneDriver on_one_driver{"Ply.*"};

constexpr const char* little = "format binary_little_endian 1.0\n";

/// Returns a file with three splats: lines before and behind element vertex, and rows of bytes.
std::string file_of(const std::string& before, const std::string& rows, const std::string& type = "float",
                    const std::string& behind = {}) {
    return "ply\n" + before + "element vertex 3\n" + ply_properties(0, type) + behind + "end_header\n" + rows;
}

/// Checks that a file has the first three splats of `ply`.
void expect_splats(const std::string& bytes) {
    const auto read = read_cloud(as_bytes(bytes));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->format, CloudFormat::ply);
    EXPECT_EQ(read->dropped, 0U);
    ASSERT_EQ(read->cloud.size(), 3U);
    const Splat splat = read->cloud.splat(2);
    EXPECT_EQ(splat.mean, (Vec3{2, 2.125F, 2.25F}));
    EXPECT_EQ(splat.color, (Vec3{2.375F, 2.5F, 2.625F}));
    EXPECT_NEAR(splat.opacity, 1 / (1 + std::exp(-2.75)), 3e-4);
    EXPECT_FLOAT_EQ(splat.scale[0], std::exp(2.875F));
    EXPECT_NEAR(splat.rotation[0], 3.25 / std::hypot(3.25, 3.375, std::hypot(3.5, 3.625)), 1e-4);
}

void refuses(const std::string& bytes, const std::string& why) {
    const auto read = read_cloud(as_bytes(bytes));
    ASSERT_FALSE(read) << why;
    EXPECT_EQ(read.error().code, ErrorCode::io);
    EXPECT_THAT(read.error().message, testing::HasSubstr(why));
    EXPECT_TRUE(std::all_of(read.error().message.begin(), read.error().message.end(), [](char letter) {
        return letter >= ' ' && letter <= '~';
    })) << read.error().message;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

TEST(Ply, HarmonicsAreRegroupedByCoefficient) {
    for (const std::uint32_t degree : {0U, 1U, 2U, 3U, 4U}) {
        const std::uint32_t coefficients = (degree + 1) * (degree + 1) - 1;
        const auto read = ok(read_cloud(as_bytes(ply(3, 3 * coefficients))));
        EXPECT_EQ(read.cloud.degree, std::min(degree, 3U)); // the coefficients of degree 4 are left out
        const Splat splat = read.cloud.splat(1);
        for (std::uint32_t i = 0; i < std::min(coefficients, 15U); ++i) {
            for (std::uint32_t color = 0; color < 3; ++color) {
                EXPECT_EQ(splat.harmonics[i][color], ply_value(14 + color * coefficients + i, 1));
            }
        }
    }
}

TEST(Ply, ManySplatsInThreads) {
    double last = 0;
    const auto progress = [&](double done) {
        EXPECT_GE(done, last);
        last = done;
    };
    const auto read = ok(read_cloud(as_bytes(ply(20'000, 9)), {.threads = 3, .progress = progress}));
    EXPECT_EQ(last, 1);
    ASSERT_EQ(read.cloud.size(), 20'000U);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        ASSERT_EQ(read.cloud.places[i].mean[1], ply_value(1, i));
    }
}

TEST(Ply, LineEndsAndComments) {
    const std::string rows = ply_rows(3, 14);
    expect_splats(file_of(little, rows));
    const std::string header = file_of(std::string("comment end_header\nobj_info end_header\n") + little, "");
    expect_splats(header + rows);
    std::string crlf;
    for (const char letter : header) {
        crlf += letter == '\n' ? "\r\n" : std::string(1, letter);
    }
    expect_splats(crlf + rows);
    expect_splats(file_of(little + ("comment " + std::string(100'000, 'c') + "\n"), rows)); // a header above 64 KiB
}

TEST(Ply, Encodings) {
    const std::string rows = ply_rows(3, 14), doubles = ply_rows<double>(3, 14);
    expect_splats(file_of(little, doubles, "double"));
    std::string big = doubles;
    for (std::size_t i = 0; i < big.size(); i += 8) {
        std::reverse(big.begin() + static_cast<std::ptrdiff_t>(i), big.begin() + static_cast<std::ptrdiff_t>(i) + 8);
    }
    expect_splats(file_of("format binary_big_endian 1.0\n", big, "float64"));
    std::ostringstream text;
    for (std::size_t i = 0; i < 3 * 14; ++i) {
        text << (i % 3 == 0 ? "+" : "") << ply_value(i % 14, i / 14) << (i % 14 == 13 ? "\r\n" : " ");
    }
    expect_splats(file_of("format ascii 1.0\n", text.str()));
}

TEST(Ply, IntegersAreNumbers) {
    std::string bytes = file_of(little, "");
    for (const char* const name : {"x", "y", "z"}) {
        bytes = replaced(bytes, std::string("float ") + name + "\n", std::string("short ") + name + "\n");
    }
    for (std::int16_t i = 0; i < 3; ++i) {
        add_bytes(bytes, i, static_cast<std::int16_t>(-300), i);
        bytes += ply_rows(1, 11);
    }
    EXPECT_EQ(ok(read_cloud(as_bytes(bytes))).cloud.places[2].mean, (Vec3{2, -300, 2}));
}

TEST(Ply, OtherElementsAreSkipped) {
    const std::string before = "element camera 2\nproperty double at\nproperty list uchar int ids\nproperty char kind\n"
                               "element empty 5\nelement one 1\nproperty float number\n";
    std::string rows;
    add_bytes(rows, 1.0, std::uint8_t{3}, 1, 2, 3, 'a', 2.0, std::uint8_t{0}, 'b', 1.0F);
    const std::string behind = "element face 7\nproperty list uchar int vertex_indices\n";
    expect_splats(file_of(little + before, rows + ply_rows(3, 14), "float", behind));
    std::ostringstream text;
    text << "1 3 1 2 3 97 2 0 98\n1\n";
    for (std::size_t i = 0; i < 3 * 14; ++i) {
        text << ply_value(i % 14, i / 14) << "\n";
    }
    expect_splats(file_of("format ascii 1.0\n" + before, text.str(), "float", behind));
    refuses(file_of(little + before, rows.substr(0, 20)), "ends after 0 of 2 rows of element 'camera'");
}

TEST(Ply, MistakesInHeaders) {
    const std::string whole = file_of(little, ply_rows(3, 14));
    refuses("", "the file is empty");
    refuses("PLY\n", "no known format");
    refuses("ply\n" + std::string(100'000, 'x'), "no line 'end_header'");
    refuses(replaced(whole, "vertex 3", "vertex 0"), "no splats");
    refuses(replaced(whole, "vertex 3", "vertex 1e6"), "element 'vertex' has the count '1e6', which is not a whole");
    refuses(replaced(whole, "vertex 3", "vertex 12abc"), "'12abc', which is not a whole number");
    refuses(replaced(whole, "vertex 3", "vertex -3"), "'-3', which is not a whole number");
    refuses(replaced(whole, "vertex 3", "vertex"), "'', which is not a whole number");
    refuses(replaced(whole, "vertex 3", "vertex 99999999999999999999"), "which is not a whole number below 2^64");
    refuses(replaced(whole, "vertex 3", "vertex 4000000000"), "4000000000 splats; the maximum is 67108864");
    refuses(replaced(whole, "element vertex", "element chunk"), "no element vertex");
    refuses(replaced(whole, "element vertex", "element vertex 3\nelement vertex"), "two elements 'vertex'");
    refuses(replaced(whole, "binary_little", "binary_middle"), "unknown format 'binary_middle_endian'");
    refuses(replaced(whole, " 1.0", " 2.0"), "unknown version '2.0'");
    refuses(replaced(whole, little, ""), "no line 'format'");
    refuses(replaced(whole, "float x", "list uchar float x"), "element 'vertex' has a list");
    refuses(replaced(whole, "float x", "list float float x"), "length has the type 'float'");
    refuses(replaced(whole, "float x", "quad x"), "property 'x' has the unknown type 'quad'");
    refuses(replaced(whole, "float y", "float x"), "two properties 'x'");
    refuses(replaced(whole, "float rot_2", "float other"), "no property rot_2");
    refuses(replaced(whole, "element vertex 3\n", ""), "property before its first element");
    refuses(ply(3, 7), "7 properties f_rest");
    refuses(ply(3, 60), "60 properties f_rest");
    refuses(replaced(whole, "element vertex 3", "element vertex \x1b[31m3"), "'\\x1b[31m3'");
    refuses(replaced(whole, "float x", "\x1b]0;title\x07 x"), "'\\x1b]0;title\\x07'");
    refuses(replaced(whole, "element vertex 3", "\xff\xfe 3"), "line that begins with '\\xff\\xfe'");
}

TEST(Ply, MistakesInRows) {
    const std::string whole = file_of(little, ply_rows(3, 14));
    refuses(whole.substr(0, whole.size() - 1), "ends after 2 of 3 rows of element 'vertex'");
    const std::string text = "format ascii 1.0\n", row = "1 2 3 4 5 6 7 8 9 10 11 12 13 14\n";
    refuses(file_of(text, row + "1 2 x\x1b 4" + row + row), "'x\\x1b' in place of a number in row 1");
    refuses(file_of(text, row + row + "1 2 3"), "ends after 2 of 3 rows");
}

TEST(Ply, NanAndInfinityAreDropped) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::string bytes = ply(10'000, 9);
    const std::size_t row = 23 * sizeof(float), first = bytes.size() - 10'000 * row;
    const auto put = [&](std::size_t splat, std::size_t property, float number) {
        std::memcpy(bytes.data() + first + splat * row + property * sizeof(float), &number, sizeof(number));
    };
    for (std::size_t property = 0; property < 23; ++property) {
        put(100 + property, property, std::numeric_limits<float>::quiet_NaN());
    }
    put(50, 0, infinity);   // position
    put(51, 8, infinity);   // scale before the exponential
    put(52, 12, -infinity); // rotation
    put(53, 4, infinity);   // color
    put(5000, 14, infinity);
    put(54, 8, -infinity); // a scale of 0
    put(55, 6, infinity);  // an opacity of 1
    for (const std::uint32_t threads : {1U, 2U}) {
        const auto read = ok(read_cloud(as_bytes(bytes), {.threads = threads}));
        EXPECT_EQ(read.dropped, 28U);
        ASSERT_EQ(read.cloud.size(), 10'000U - 28);
        EXPECT_EQ(read.cloud.places[49].mean[0], 49);
        EXPECT_EQ(read.cloud.splat(50).scale[1], 0);
        EXPECT_EQ(read.cloud.splat(51).opacity, 1);
        EXPECT_EQ(read.cloud.places[95].mean[0], 99);
        EXPECT_EQ(read.cloud.places[96].mean[0], 123);
        EXPECT_EQ(read.cloud.places.back().mean[0], 9999);
        EXPECT_EQ(read.cloud.splat(9971).harmonics[0][0], ply_value(14, 9999));
    }
    put(5, 0, infinity);
    refuses(replaced(file_of(little, ""), "vertex 3", "vertex 1") + bytes.substr(first + 5 * row, 14 * 4),
            "all 1 splats");
}

TEST(Ply, FilesAndErrorsWithPaths) {
    const TemporaryFolder folder;
    folder.write("cloud", ply(3));
    EXPECT_EQ(ok(read_cloud_file(folder.name("cloud"))).cloud.size(), 3U);
    folder.write("cloud", "ply\n");
    for (const std::string& name : {folder.name("cloud"), folder.name("missing"), folder.name()}) {
        const auto read = read_cloud_file(name);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, ErrorCode::io);
        EXPECT_TRUE(read.error().message.starts_with(name + ": ")) << read.error().message;
    }
}

TEST(Ply, WriteReturnsWhatReadReads) {
    for (const std::uint32_t degree : {0U, 2U, 3U}) {
        const Cloud cloud = make_cloud(500, 3, degree);
        const auto read = ok(read_cloud(write_ply(cloud)));
        EXPECT_EQ(read.format, CloudFormat::ply);
        EXPECT_EQ(read.cloud.degree, degree);
        EXPECT_EQ(read.cloud.harmonics, cloud.harmonics);
        ASSERT_EQ(read.cloud.size(), cloud.size());
        for (std::size_t i = 0; i < cloud.size(); ++i) {
            const Splat written = cloud.splat(i), splat = read.cloud.splat(i);
            EXPECT_EQ(splat.mean, written.mean);
            EXPECT_EQ(splat.color, written.color);
            EXPECT_NEAR(splat.opacity, written.opacity, 1e-3);
            for (std::size_t k = 0; k < 3; ++k) {
                EXPECT_NEAR(splat.scale[k] / written.scale[k], 1, 1e-5);
                EXPECT_NEAR(splat.rotation[k], written.rotation[k], 1e-4);
            }
        }
    }
}

TEST(Ply, MortonOrderKeepsSplats) {
    const Cloud cloud = ok(read_cloud(write_ply(make_cloud(2000, 3, 1)))).cloud;
    const Cloud sorted = ok(read_cloud(write_ply(cloud), {.morton_order = true})).cloud;
    ASSERT_EQ(sorted.size(), cloud.size());
    const auto steps = [](const Cloud& splats) { // the length of the path through all splats
        double sum = 0;
        for (std::size_t i = 1; i < splats.size(); ++i) {
            const Vec3 step = splats.places[i].mean - splats.places[i - 1].mean;
            sum += std::sqrt(dot(step, step));
        }
        return sum;
    };
    EXPECT_LT(steps(sorted), 0.2 * steps(cloud));
    const auto all = [](const Cloud& splats) {
        std::vector<std::pair<Vec3, Vec3>> numbers;
        for (std::size_t i = 0; i < splats.size(); ++i) {
            numbers.emplace_back(splats.splat(i).mean, splats.splat(i).harmonics[2]);
        }
        std::sort(numbers.begin(), numbers.end());
        return numbers;
    };
    EXPECT_EQ(all(sorted), all(cloud));
}

} // namespace
} // namespace weir::tests::ply_test
