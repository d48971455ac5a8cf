#include "engine/shaderc_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/folder.hpp"

namespace weir::tests::shaderc_library_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

#if defined(_WIN32)
const char* const c_library = "msvcrt.dll";
const char* const no_library = "failed with error 193"; // ERROR_BAD_EXE_FORMAT
#else
const char* const c_library = "libc.so.6";
const char* const no_library = "file too short";
#endif

std::string why_not(const std::vector<std::string>& libraries, const std::vector<std::string>& modules) {
    const auto loaded = load_shaderc(libraries, modules);
    return loaded ? "" : loaded.error().message;
}

TEST(ShadercLibrary, ThatIsNotThereIsNotInstalled) {
    EXPECT_THAT(why_not({"libnoshaderc.so.1", "libnoshaderc.so"}, {"/nowhere/libweir_shaderc.so"}),
                AllOf(HasSubstr("not installed"), HasSubstr("libshaderc1"), HasSubstr("libnoshaderc.so.1"),
                      HasSubstr("/nowhere/libweir_shaderc.so")));
}

TEST(ShadercLibrary, ThatDoesNotOpenTellsTheLoadersReason) {
    const TemporaryFolder folder;
    folder.write("libshaderc.so.1", "no library");
    const std::string file = folder.name("libshaderc.so.1");
    EXPECT_THAT(why_not({"libnoshaderc.so.1", file}, {}),
                AllOf(HasSubstr("is installed but cannot be opened"), HasSubstr(file), HasSubstr(no_library),
                      HasSubstr("not found: libnoshaderc.so.1"), Not(HasSubstr("not installed"))));
    EXPECT_THAT(why_not({}, {file}), AllOf(HasSubstr(file), HasSubstr(no_library)));
    EXPECT_THAT(why_not({c_library}, {}), HasSubstr(std::string(c_library) + " lacks functions"));
    EXPECT_THAT(why_not({}, {c_library}), HasSubstr(std::string(c_library) + " lacks functions"));
}

} // namespace
} // namespace weir::tests::shaderc_library_test
