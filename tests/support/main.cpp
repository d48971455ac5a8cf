#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/support/device.hpp"
#include "tests/support/turns.hpp"

namespace {

std::optional<weir::Context> shared_context;

/// Sets an environment variable, or removes it if `value` is empty.
void set_variable(const char* name, const char* value) {
#if defined(_WIN32)
    _putenv_s(name, value);
#else
    if (*value != '\0') {
        setenv(name, value, 1);
    } else {
        unsetenv(name);
    }
#endif
}

int run_tests() {
    auto context = weir::Context::create(weir::tests::validated());
    if (!context) {
        std::printf("no device: %s\n", context.error().message.c_str());
        return 1;
    }
    shared_context = std::move(*context);

    // tests/run.sh reads this line.
    const weir::Capabilities& device = shared_context->capabilities();
    std::printf("device: %s, %s, %s, subgroup %u", device.device_name.c_str(), weir::to_string(device.kind),
                device.driver.c_str(), device.subgroup_size);
    if (device.subgroup_size_selectable) {
        std::printf(" (%u to %u)", device.subgroup_size_min, device.subgroup_size_max);
    }
    std::printf("\n");
    std::fflush(stdout);

    const int status = RUN_ALL_TESTS();
    shared_context.reset();
    // The validation layer may have reported errors before the first test or after the last one.
    return testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 1 : status;
}

} // namespace

const weir::Context& weir::tests::test_context() {
    return *shared_context;
}

weir::tests::InOrderDevice::InOrderDevice() : usual_(std::move(*shared_context)) {
    set_variable("LP_NUM_THREADS", "1"); // lavapipe
    auto context = Context::create(validated());
    set_variable("LP_NUM_THREADS", "");
    if (context) {
        shared_context = std::move(*context);
    } else {
        ADD_FAILURE() << context.error().message;
        shared_context = std::move(usual_);
        usual_.reset();
    }
}

weir::tests::InOrderDevice::~InOrderDevice() {
    if (usual_) {
        shared_context = std::move(usual_);
    }
}

weir::ContextOptions weir::tests::validated() {
    ContextOptions options;
    options.validation = loads_layers();
    options.on_validation = on_validation;
    options.pipeline_cache_directory = "none";
    options.emulate_queues = true;
    return options;
}

bool weir::tests::loads_layers() {
    return std::getenv("WEIR_TESTS_NO_LAYERS") == nullptr;
}

void weir::tests::on_validation(const char* message) {
    // Once in some thousand runs the layer loses track of a signal from the host while another thread waits for it. It
    // reports this after ten seconds, as "most likely a validation bug". The test is correct.
    const std::string_view text = message;
    // Newer layers name these messages INTERNAL-ERROR-VkFence-state-timeout and so on.
    if (text.find("-VkFence-state-timeout") != std::string_view::npos ||
        text.find("-VkSemaphore-state-timeout") != std::string_view::npos) {
        std::cout << message << "\n";
        return;
    }
    ADD_FAILURE() << message;
}

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (const char* layers = std::getenv("WEIR_TESTS_LAYERS")) { // tests/drivers.sh
        set_variable("VK_LAYER_PATH", layers);
    }
    const char* const in_turn = std::getenv("WEIR_TESTS_IN_TURN"); // tests/run.sh --changed
    if (testing::GTEST_FLAG(filter) == "*") {                      // a filter of the user runs all tests it names
        testing::GTEST_FLAG(filter) = weir::tests::filter_of_this_configuration();
    } else if (in_turn != nullptr) {
        testing::GTEST_FLAG(filter) = weir::tests::filter_of_this_configuration(testing::GTEST_FLAG(filter), in_turn);
    }
    return testing::GTEST_FLAG(list_tests) ? RUN_ALL_TESTS() : run_tests();
}
