#include "weir_shaders.hpp"

#include <gtest/gtest.h>

namespace {

TEST(EmbeddedTexts, HaveAPathAndAText) {
    for (const auto& entry : weir::shaders::texts) {
        EXPECT_TRUE(entry.path.starts_with("weir/")) << entry.path;
        EXPECT_FALSE(entry.text.empty()) << entry.path;
    }
}

} // namespace
