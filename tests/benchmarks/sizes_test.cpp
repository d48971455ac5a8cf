#include "harness/sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::tests::bench_sizes {

namespace {

using namespace weir::bench;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(BenchSizes, SizesArePowersOfTwo) {
    EXPECT_THAT(parse_sizes("20"), ElementsAre(1U << 20));
    EXPECT_THAT(parse_sizes("0:3"), ElementsAre(1, 2, 4, 8));
    EXPECT_THAT(parse_sizes("10:15:2"), ElementsAre(1U << 10, 1U << 12, 1U << 14));
    EXPECT_THAT(parse_sizes("31:31:18446744073709551615"), ElementsAre(1U << 31));
    EXPECT_EQ(parse_sizes("0:31").size(), 32U);
    EXPECT_EQ(sizes_mistake("0:31"), "");
    for (const char* text :
         {"", ":", "1:", "1:2:", "1:2:3:", "1:2:3:4", "a", "1a", " 1", "-1", "+1", "0x1", "32", "3:2", "1:2:0", "1:32",
          "4294967297", "18446744073709551616", "99999999999999999999999999"}) {
        EXPECT_THAT(parse_sizes(text), IsEmpty()) << text;
        EXPECT_NE(sizes_mistake(text), "") << text;
    }
}

// The number of counts is checked before they are listed, so that no text takes much memory.
TEST(BenchSizes, CountsAreNumbers) {
    EXPECT_THAT(parse_counts("3072:3075"), ElementsAre(3072, 3073, 3074, 3075));
    EXPECT_THAT(parse_counts("4294967295"), ElementsAre(4294967295U));
    EXPECT_THAT(parse_counts("1:4294967295:4294967294"), ElementsAre(1U, 4294967295U));
    EXPECT_THAT(parse_counts("5:6:18446744073709551615"), ElementsAre(5));
    EXPECT_EQ(parse_counts("1:1048576").size(), 1048576U);
    EXPECT_EQ(parse_counts("4096:4294967295:4096").size(), 1048575U);
    EXPECT_EQ(counts_mistake("1:1048576"), "");
    for (const char* text : {"0", "0:5", "1:1048577", "1:4294967295", "4294967296", "1:4294967296:4294967295",
                             "18446744073709551616", "1:18446744073709551616", "1:2:18446744073709551616"}) {
        EXPECT_THAT(parse_counts(text), IsEmpty()) << text;
        EXPECT_NE(counts_mistake(text), "") << text;
    }
}

TEST(BenchSizes, CountsTakePowersOfTwo) {
    EXPECT_THAT(parse_counts("2^10:2^11:2^9"), ElementsAre(1024, 1536, 2048));
    for (const char* text : {"2^", "2^32", "2^41", "2^-1", "3^2"}) {
        EXPECT_THAT(parse_counts(text), IsEmpty()) << text;
    }
    EXPECT_THAT(parse_sizes("2^3"), IsEmpty()); // they are exponents
}

} // namespace

} // namespace weir::tests::bench_sizes
