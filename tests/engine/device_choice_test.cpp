#include "engine/device/device_choice.hpp"

#include <gtest/gtest.h>

namespace weir {
namespace {

std::vector<DeviceInfo> machine() {
    return {
        {0, "llvmpipe (LLVM 15)", "Mesa", DeviceKind::cpu, ""},
        {1, "Intel Iris", "Mesa", DeviceKind::integrated, ""},
        {2, "NVIDIA RTX 4090", "NVIDIA", DeviceKind::discrete, "it is too old"},
        {3, "NVIDIA RTX 3080", "NVIDIA", DeviceKind::discrete, ""},
        {4, "NVIDIA RTX 3080", "NVIDIA", DeviceKind::discrete, ""},
    };
}

void expect_choice(const std::string& wanted, std::size_t index) {
    const auto devices = machine();
    const auto chosen = choose_device(devices, wanted);
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_EQ(*chosen, index) << wanted;
}

void expect_refusal(const std::string& wanted, ErrorCode code) {
    const auto devices = machine();
    const auto chosen = choose_device(devices, wanted);
    ASSERT_FALSE(chosen) << wanted;
    EXPECT_EQ(chosen.error().code, code);
    EXPECT_NE(chosen.error().message.find(wanted), std::string::npos) << chosen.error().message;
    EXPECT_NE(chosen.error().message.find("[3] NVIDIA RTX 3080 (discrete)"), std::string::npos)
        << chosen.error().message;
    EXPECT_NE(chosen.error().message.find("unusable: it is too old"), std::string::npos) << chosen.error().message;
}

TEST(DeviceChoice, DefaultIsBestUsableDevice) {
    expect_choice("", 3);
}

TEST(DeviceChoice, PrefersVirtualToOtherToCpu) {
    std::vector<DeviceInfo> devices = {{0, "a", "", DeviceKind::cpu, ""},
                                       {1, "b", "", DeviceKind::other, ""},
                                       {2, "c", "", DeviceKind::virtual_gpu, ""}};
    for (; !devices.empty(); devices.pop_back()) {
        EXPECT_EQ(choose_device(devices, ""), devices.size() - 1);
    }
}

TEST(DeviceChoice, ByIndex) {
    expect_choice("0", 0);
    expect_choice("4", 4);
}

TEST(DeviceChoice, ByKindIgnoresCase) {
    expect_choice("cpu", 0);
    expect_choice("Integrated", 1);
    expect_choice("DISCRETE", 3);
}

TEST(DeviceChoice, ByPartOfNameIgnoresCase) {
    expect_choice("LLVMpipe", 0);
    expect_choice("iris", 1);
    expect_choice("nvidia", 3);
    expect_choice("3080", 3); // a number that is no index
}

TEST(DeviceChoice, ErrorListsDevices) {
    expect_refusal("radeon", ErrorCode::no_device);
    expect_refusal("virtual", ErrorCode::no_device);
    expect_refusal("5", ErrorCode::no_device);
    expect_refusal("-1", ErrorCode::no_device);
    expect_refusal("2", ErrorCode::unsupported);
    expect_refusal("4090", ErrorCode::unsupported);
}

TEST(DeviceChoice, NoDevicesIsAnError) {
    const auto chosen = choose_device({}, "");
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.error().code, ErrorCode::no_device);
}

} // namespace
} // namespace weir
