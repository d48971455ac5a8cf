#include "weir_shaders.hpp"

#include <gtest/gtest.h>

#include "engine/codec/unpack.hpp"

namespace {

TEST(EmbeddedTexts, HavePathAndContents) {
    for (const auto& entry : weir::shaders::texts) {
        EXPECT_TRUE(entry.path.starts_with("weir/")) << entry.path;
        EXPECT_FALSE(weir::unpack_text(entry.text).empty()) << entry.path;
    }
}

} // namespace
