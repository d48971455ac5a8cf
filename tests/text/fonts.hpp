#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <weir/text/font.hpp>

namespace text_tests {

/// Folder of Debian's package fonts-dejavu-core.
inline constexpr const char* dejavu = "/usr/share/fonts/truetype/dejavu/";

inline std::vector<std::uint8_t> file(const std::string& name) {
    std::ifstream stream(dejavu + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Tests with the fonts of one package, whatever else the system has. Skipped without the package.
class WithFonts : public testing::Test {
protected:
    void SetUp() override {
        for (const char* name : {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSerif.ttf"}) {
            const auto bytes = file(name);
            if (bytes.empty()) {
                GTEST_SKIP() << "fonts-dejavu-core is not installed";
            }
            ASSERT_TRUE(fonts.add(bytes));
        }
    }
    weir::text::Fonts fonts{weir::text::Fonts::Source::application};
    weir::text::FontStyle sans{.families = {"DejaVu Sans"}}, mono{.families = {"DejaVu Sans Mono"}};
};

} // namespace text_tests
