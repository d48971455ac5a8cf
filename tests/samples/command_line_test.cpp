#include "common/command_line.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/files.hpp"

namespace weir::tests::command_line {

namespace {

using testing::HasSubstr;

/// The values that a command line sets, its error message on stderr, and its help on stdout.
struct Parsed {
    std::uint32_t n = 1U << 16;
    std::optional<std::uint64_t> top;
    float tolerance = 0.1F;
    std::uint32_t width = 0, height = 0;
    std::string message, help;
};

Parsed parsed(std::vector<std::string> arguments) {
    Parsed out;
    CLI::App app("Tests options.", "program");
    samples::add_count(app, "--n", out.n, {0, 1U << 26}, "Number of elements");
    samples::add_count(app, "--top", out.top, {1, 100}, "Elements to list")->default_str("all");
    samples::add_number(app, "--tolerance", "PIXELS", out.tolerance, {1e-3, 100}, "Distance");
    samples::add_size(app, out.width, out.height, 16384, "Pixels")->default_str("none");
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> argv;
    for (std::string& argument : arguments) {
        argv.push_back(argument.data());
    }
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    (void)samples::parse(app, static_cast<int>(argv.size()), argv.data());
    out.help = testing::internal::GetCapturedStdout();
    out.message = testing::internal::GetCapturedStderr();
    return out;
}

TEST(CommandLine, CountTakesDigitsAndPowersOfTwo) {
    EXPECT_EQ(parsed({"--n", "1000"}).n, 1000U);
    EXPECT_EQ(parsed({"--n", "2^10"}).n, 1024U);
    EXPECT_EQ(parsed({"--top", "2^0"}).top, 1U);
    EXPECT_EQ(parsed({"--n", "2^26"}).message, "");
}

TEST(CommandLine, MessageNamesOptionNumberAndLimit) {
    EXPECT_EQ(parsed({"--n", "2^27"}).message, "program: --n takes a number from 0 to 2^26, such as 1000 or 2^10, not "
                                               "'2^27' (see --help)\n");
    EXPECT_EQ(parsed({"--tolerance", "0"}).message, "program: --tolerance takes a number from 0.001 to 100, not '0' "
                                                    "(see --help)\n");
    EXPECT_EQ(parsed({"--size", "100000x100000"}).message,
              "program: --size takes WIDTHxHEIGHT, each from 1 to 16384, not '100000x100000' (see --help)\n");
    for (const char* text : {"", "-1", "2^", "2^41", "1e3", "0x10", "18446744073709551616"}) {
        EXPECT_THAT(parsed({std::string("--n=") + text}).message, HasSubstr("--n")) << text;
    }
}

TEST(CommandLine, HelpShowsTypeLimitsAndDefault) {
    const std::string help = parsed({"--help"}).help;
    EXPECT_THAT(help, HasSubstr("  --n N                     Number of elements. From 0 to 2^26. Default: 2^16\n"));
    EXPECT_THAT(help, HasSubstr("  --top N                   Elements to list. From 1 to 100. Default: all\n"));
    EXPECT_THAT(help, HasSubstr("  --tolerance PIXELS        Distance. From 0.001 to 100. Default: 0.1\n"));
    EXPECT_THAT(help, HasSubstr("  --size WIDTHxHEIGHT       Pixels. Each from 1 to 16384. Default: none\n"));
}

TEST(FileNames, ExtensionOfAnotherFormatIsRefused) {
    const auto mistake = [](const std::string& path, const samples::FileFormat& format) {
        return samples::files_mistake({}, {{"--output", path, format}});
    };
    EXPECT_EQ(mistake("x.jpg", samples::png_format), "--output writes PNG, but 'x.jpg' does not end with .png");
    EXPECT_EQ(mistake("x.png", samples::graphviz_format),
              "--output writes Graphviz, but 'x.png' does not end with .dot or .gv");
    for (const char* path : {"", "x", "x.png", "folder.jpg/x", "x.PNG"}) {
        EXPECT_EQ(mistake(path, samples::png_format), "") << path;
    }
    EXPECT_EQ(mistake("x.gv", samples::graphviz_format), "");
    EXPECT_EQ(mistake("x.jpg", samples::any_format), "");
}

} // namespace

} // namespace weir::tests::command_line
