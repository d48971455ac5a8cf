// Runs the tests of the C interface, which are written in C.
#include "tests/c/trial.h"

#include <gtest/gtest.h>

#include "tests/support/allocations.hpp"
#include "tests/support/device.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/turns.hpp"
#include "weir_tests_device_shaders.hpp"

namespace weir::tests::c_interface {

namespace {

const OnOneDriver on_one_driver{"CInterface.RunsFrames",
                                "CInterface.Compacts",
                                "CInterface.Sorts",
                                "CInterface.Searches",
                                "CInterface.Combines",
                                "CInterface.Moves",
                                "CInterface.CompilesGlsl",
                                "CInterface.ReportsErrorsInGlsl",
                                "CInterface.RunsWithFilesOnly",
                                "CInterface.TakesAllTypes",
                                "CInterface.ExportNamesAccessOfImages",
                                "CInterface.RefusesInvalidArguments",
                                "CInterface.RefusesMistakesInGraphs",
                                "CInterface.CutsLongMessages",
                                "CInterface.RunsOutOfMemory"};

class CInterface : public testing::Test {
protected:
    static void SetUpTestSuite() {
        const weir_context_options options = {.size = sizeof(options),
                                              .validation = loads_layers() ? VK_TRUE : VK_FALSE,
                                              .on_validation = on_message,
                                              .cache_directory = "none"};
        weir_error error{};
        EXPECT_EQ(weir_context_create(&options, &context, &error), WEIR_SUCCESS) << error.message;
    }
    static void TearDownTestSuite() { weir_context_destroy(context); }

    static void run(void (*test)(trial*)) {
        ASSERT_NE(context, nullptr);
        const TemporaryFolder folder;
        const std::string shaders = folder.name("shaders.bin"), pipelines = folder.name("pipelines.bin");
        trial t{};
        t.shaders = shaders.c_str();
        t.pipelines = pipelines.c_str();
        t.context = context;
        t.spirv = weir_tests_device::shaders::c_multiply.data();
        t.spirv_bytes = weir_tests_device::shaders::c_multiply.size_bytes();
        t.on_validation = on_message;
        t.loads_layers = loads_layers() ? 1 : 0;
        t.can_run_out = AllocationCounter::works() ? 1 : 0; // a sanitizer's operator new may end the program
        test(&t);
        free_kept(&t);
        EXPECT_STREQ(t.failure, "");
    }

private:
    static void on_message(const char* message, void* /*user*/) { on_validation(message); }

    static inline weir_context* context = nullptr;
};

TEST_F(CInterface, SortsScansAndSelects) {
    run(sorts_scans_and_selects);
}

TEST_F(CInterface, RunsSpirvPass) {
    run(runs_a_pass_in_spirv);
}

TEST_F(CInterface, RunsFrames) {
    run(runs_frames);
}

TEST_F(CInterface, AdoptsDevice) {
    run(adopts_a_device);
}

TEST_F(CInterface, Compacts) {
    run(compacts);
}

TEST_F(CInterface, Sorts) {
    run(sorts);
}

TEST_F(CInterface, Searches) {
    run(searches);
}

TEST_F(CInterface, Combines) {
    run(combines);
}

TEST_F(CInterface, Moves) {
    run(moves);
}

TEST_F(CInterface, CompilesGlsl) {
    run(compiles_glsl);
}

TEST_F(CInterface, RunsWithFilesOnly) {
    run(runs_with_files_alone);
}

TEST_F(CInterface, ReportsErrorsInGlsl) {
    run(reports_errors_in_glsl);
}

TEST_F(CInterface, TakesAllTypes) {
    run(takes_all_types);
}

TEST_F(CInterface, ExportNamesAccessOfImages) {
    run(takes_all_accesses);
}

TEST_F(CInterface, RefusesInvalidArguments) {
    run(refuses_nonsense);
}

TEST_F(CInterface, RefusesMistakesInGraphs) {
    run(refuses_mistakes_in_graphs);
}

TEST_F(CInterface, CutsLongMessages) {
    run(cuts_long_messages);
}

TEST_F(CInterface, RunsOutOfMemory) {
    run(runs_out_of_memory);
}

} // namespace

} // namespace weir::tests::c_interface
