#pragma once

#include <optional>

#include <weir/engine/context.hpp>

namespace weir::tests {

/// Returns the context that weir_tests_device runs on, with validation and synchronization checks: any message of the
/// layer fails the running test. It is created once and shared by all tests. VK_ICD_FILENAMES and WEIR_DEVICE select
/// the device.
const Context& test_context();

/// Replaces test_context() while the object lives, by a device that runs workgroups one after the other, in order, if
/// the driver can. For kernels that wait for other workgroups without a maximum, because lavapipe ends every loop of a
/// kernel after 65535 iterations. Buffers and programs of that device must be destroyed before the object.
class InOrderDevice {
public:
    InOrderDevice();
    InOrderDevice(const InOrderDevice&) = delete;
    InOrderDevice& operator=(const InOrderDevice&) = delete;
    ~InOrderDevice();

private:
    std::optional<Context> usual_;
};

/// Returns the options of the shared context, for tests that need a context of their own.
ContextOptions validated();

/// Returns true if instances of the tests load the validation layer. Returns false if the environment variable
/// WEIR_TESTS_NO_LAYERS is set: Wine's loader lists no layers, and tests/windows.sh loads the layer outside of Wine.
bool loads_layers();

/// Receives a message of the validation layer. Fails the running test, or the whole run if no test is running. Reports
/// of fences and semaphores that the layer has lost track of are only printed.
void on_validation(const char* message);

} // namespace weir::tests
