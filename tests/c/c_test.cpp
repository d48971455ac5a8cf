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

const OnOneDriver on_one_driver{"OnOneDriver/CInterface.*"};

/// A test in C, and its name.
struct TestInC {
    const char* name;
    void (*run)(trial*);
};
const TestInC tests_of_kernels[] = {
    {"SortsScansAndSelects", sorts_scans_and_selects},
    {"RunsSpirvPass", runs_a_pass_in_spirv},
    {"AdoptsDevice", adopts_a_device},
};
const TestInC tests_of_host_code[] = {
    {"RunsFrames", runs_frames},
    {"TakesAllocationCallbacks", takes_allocation_callbacks},
    {"Compacts", compacts},
    {"Sorts", sorts},
    {"Searches", searches},
    {"Combines", combines},
    {"Moves", moves},
    {"CompilesGlsl", compiles_glsl},
    {"RunsWithFilesOnly", runs_with_files_alone},
    {"ReportsErrorsInGlsl", reports_errors_in_glsl},
    {"TakesAllTypes", takes_all_types},
    {"ExportNamesAccessOfImages", takes_all_accesses},
    {"RefusesInvalidArguments", refuses_nonsense},
    {"RefusesMistakesInGraphs", refuses_mistakes_in_graphs},
    {"CutsLongMessages", cuts_long_messages},
    {"RunsOutOfMemory", runs_out_of_memory},
};

class CInterface : public testing::TestWithParam<TestInC> {
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

    static void on_message(const char* message, void* /*user*/) { on_validation(message); }

    static inline weir_context* context = nullptr;
};

TEST_P(CInterface, Runs) {
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
    GetParam().run(&t);
    free_kept(&t);
    EXPECT_STREQ(t.failure, "");
}

std::string name_of_test(const testing::TestParamInfo<TestInC>& info) {
    return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Kernels, CInterface, testing::ValuesIn(tests_of_kernels), name_of_test);
INSTANTIATE_TEST_SUITE_P(OnOneDriver, CInterface, testing::ValuesIn(tests_of_host_code), name_of_test);

} // namespace

} // namespace weir::tests::c_interface
