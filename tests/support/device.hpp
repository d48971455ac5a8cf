#pragma once

#include <optional>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// The device that weir_tests_device runs on, with validation and synchronization checks: whatever the layer says fails
/// the test that is running. Made once; all tests share it. Which device it is: VK_ICD_FILENAMES and WEIR_DEVICE.
const Context& test_context();

/// While it lives, test_context() is a device that runs workgroups one after the other, in order, where the driver can:
/// for kernels that wait for others for as long as it takes, when lavapipe ends all loops of a kernel after 65535
/// turns. Buffers and programs of that device must be gone before it.
class InOrderDevice {
public:
    InOrderDevice();
    InOrderDevice(const InOrderDevice&) = delete;
    InOrderDevice& operator=(const InOrderDevice&) = delete;
    ~InOrderDevice();

private:
    std::optional<Context> usual_;
};

/// The options that the shared context is made with, for tests that need a context of their own.
ContextOptions validated();

/// Whether instances of the tests load the validation layer. They do not where the variable WEIR_TESTS_NO_LAYERS is
/// set: Wine's loader lists no layers, and tests/windows.sh has the layer loaded outside of it.
bool loads_layers();

/// What the validation layer has to say: fails the test that is running, or the whole run if none is.
void on_validation(const char* message);

} // namespace weir::tests
