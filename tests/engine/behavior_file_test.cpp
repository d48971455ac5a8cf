#include <string>

#include <gtest/gtest.h>

#include "engine/device/device_probe.hpp"
#include "engine/pipeline/pipeline_cache.hpp"
#include "tests/support/folder.hpp"

namespace weir::tests::behavior_file_test {
namespace {

VkPhysicalDeviceProperties some_device() {
    VkPhysicalDeviceProperties out{};
    out.vendorID = 0x1234;
    out.deviceID = 0x5678;
    out.driverVersion = 7;
    out.pipelineCacheUUID[15] = 0x9A;
    return out;
}

TEST(BehaviorFile, ReadReturnsWrittenBehavior) {
    const TemporaryFolder folder;
    const std::string file = behavior_file(folder.name("made when needed"), some_device());
    EXPECT_EQ(read_behavior(file, "a device"), std::nullopt);
    for (const bool starts : {false, true}) {
        for (const bool atomics : {false, true}) {
            const Behavior behavior{.workgroups_start_in_order = starts, .atomics_in_lane_order = atomics};
            EXPECT_EQ(write_behavior(file, "a device", behavior), "");
            EXPECT_EQ(read_behavior(file, "a device"), behavior);
        }
    }
}

TEST(BehaviorFile, IsSpecificToDeviceAndDriver) {
    const TemporaryFolder folder;
    const std::string directory = folder.name();
    const VkPhysicalDeviceProperties device = some_device();
    VkPhysicalDeviceProperties other_model = device, other_driver = device, other_build = device;
    ++other_model.deviceID;
    ++other_driver.driverVersion;
    ++other_build.pipelineCacheUUID[0];
    const std::string file = behavior_file(directory, device);
    ASSERT_EQ(write_behavior(file, device_identity(device), {true, true}), "");
    for (const VkPhysicalDeviceProperties& other : {other_model, other_driver, other_build}) {
        EXPECT_NE(behavior_file(directory, other), file);
        EXPECT_EQ(read_behavior(file, device_identity(other)), std::nullopt); // like a file that was copied and renamed
    }
    EXPECT_TRUE(read_behavior(file, device_identity(device)));
    EXPECT_EQ(behavior_file("none", device), "");
    EXPECT_NE(behavior_file(directory, device), pipeline_cache_file(directory, device));
}

TEST(BehaviorFile, DamagedFileIsIgnored) {
    const TemporaryFolder folder;
    const std::string file = folder.name("file");
    ASSERT_EQ(write_behavior(file, "a device", {true, false}), "");
    const std::string good = bytes_of_file(path_of(file));
    std::vector<std::string> bad = {"", "hello", good + "x", good + good, std::string(1 << 20, 'x')};
    for (std::size_t i = 0; i < good.size(); ++i) {
        bad.push_back(good.substr(0, i));
        for (const int bit : {0, 5}) {
            std::string changed = good;
            changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
            bad.push_back(changed);
        }
    }
    for (const std::string& text : bad) {
        folder.write("file", text);
        EXPECT_EQ(read_behavior(file, "a device"), std::nullopt) << text.substr(0, 200);
    }
    folder.write("file", good);
    EXPECT_EQ(read_behavior(file, "a device"), (Behavior{true, false}));
    EXPECT_EQ(read_behavior(folder.name(), "a device"), std::nullopt); // a folder in its place
    EXPECT_NE(write_behavior(folder.name(), "a device", {}), "");
}

} // namespace
} // namespace weir::tests::behavior_file_test
