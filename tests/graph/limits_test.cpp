// check_made_for: the capabilities of a graph against those of the device that compiles it.

#include "graph/program/capability_check.hpp"
#include "tests/graph/graphs.hpp"

namespace weir::tests::limits_test {
namespace {

/// Returns the error if a graph that was made for a device with `change` is compiled for a device without it, or
/// "none".
std::string mistake(void (*change)(Capabilities& device)) {
    Capabilities made_for = some_device();
    change(made_for);
    const auto checked = check_made_for(made_for, some_device());
    if (checked) {
        return "none";
    }
    EXPECT_EQ(checked.error().code, ErrorCode::invalid_argument);
    return checked.error().message;
}

TEST(Limits, GraphOfAnotherDeviceIsRejected) {
    EXPECT_EQ(mistake([](Capabilities& device) {
                  device.device_name = "another";
                  device.driver = "driver 7";
                  device.int64 = true;
              }),
              "compile: the graph was built for another device, 'another' (driver 7); the context has 'made up' ()");
    EXPECT_THAT(mistake([](Capabilities& device) { device.vendor_id = vendors::intel; }), HasSubstr("another device"));
    EXPECT_THAT(mistake([](Capabilities& device) { device.device_id = 5; }), HasSubstr("another device"));
    EXPECT_THAT(mistake([](Capabilities& device) { device.driver_version = 5; }), HasSubstr("another device"));
}

TEST(Limits, GraphForMoreCapabilitiesIsRejected) {
    EXPECT_EQ(mistake([](Capabilities& /*device*/) {}), "none");
    EXPECT_EQ(mistake([](Capabilities& device) { device.int64_atomics = true; }),
              "compile: the graph was built for a context with int64_atomics, which this context lacks");
    EXPECT_EQ(mistake([](Capabilities& device) { ++device.max_workgroup_count_z; }),
              "compile: the graph was built for a context with max_workgroup_count_z 65536; this context has 65535");
    EXPECT_EQ(mistake([](Capabilities& device) { ++device.max_storage_range; }),
              "compile: the graph was built for a context with max_storage_range 134217729; this context has "
              "134217728");
    EXPECT_THAT(mistake([](Capabilities& device) { ++device.max_uniform_range; }), HasSubstr("max_uniform_range"));
    EXPECT_THAT(mistake([](Capabilities& device) { ++device.max_uniform_buffers; }), HasSubstr("max_uniform_buffers"));
    EXPECT_EQ(mistake([](Capabilities& device) { device.queue_families[1] = 3; }),
              "compile: the graph was built for a context with a compute queue of family 3, which this context "
              "lacks");
    EXPECT_THAT(mistake([](Capabilities& device) { device.queue_families[0] = 1; }), HasSubstr("a main queue"));
}

/// Tests build graphs for fewer capabilities to run the variants for devices without a feature.
TEST(Limits, GraphForFewerCapabilitiesIsAccepted) {
    Capabilities device = some_device();
    device.int64 = device.buffer_address = true;
    device.queue_families = {0, 1, 2};
    Capabilities less = some_device();
    less.max_storage_range = 1000;
    EXPECT_TRUE(check_made_for(less, device));
}

} // namespace
} // namespace weir::tests::limits_test
