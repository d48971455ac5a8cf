#include "engine/device/device_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/errors.hpp"

namespace weir::tests::device_choice_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Result<std::size_t> choose(const std::string& wanted) {
    const std::vector<DeviceInfo> machine{
        {0, "llvmpipe (LLVM 15)", "Mesa", DeviceKind::cpu, ""},
        {1, "Intel Iris", "Mesa", DeviceKind::integrated, ""},
        {2, "NVIDIA RTX 4090", "NVIDIA", DeviceKind::discrete, "it is too old"},
        {3, "NVIDIA RTX 3080", "NVIDIA", DeviceKind::discrete, ""},
        {4, "NVIDIA RTX 3080", "NVIDIA", DeviceKind::discrete, ""},
    };
    return choose_device(machine, wanted);
}

TEST(DeviceChoice, ByIndexKindOrPartOfName) {
    const std::pair<const char*, std::size_t> cases[] = {
        {"", 3},                                        // the best usable device
        {"0", 0},          {"4", 4},        {"cpu", 0}, // kinds and names ignore case
        {"Integrated", 1}, {"DISCRETE", 3}, {"LLVMpipe", 0},
        {"iris", 1},       {"nvidia", 3},   {"3080", 3}, // a number that is no index
    };
    for (const auto& [wanted, index] : cases) {
        EXPECT_EQ(choose(wanted), index) << wanted;
    }
}

TEST(DeviceChoice, PrefersVirtualToOtherToCpu) {
    std::vector<DeviceInfo> devices = {{0, "a", "", DeviceKind::cpu, ""},
                                       {1, "b", "", DeviceKind::other, ""},
                                       {2, "c", "", DeviceKind::virtual_gpu, ""}};
    for (; !devices.empty(); devices.pop_back()) {
        EXPECT_EQ(choose_device(devices, ""), devices.size() - 1);
    }
}

TEST(DeviceChoice, ErrorListsDevices) {
    const auto lists_devices = AllOf(HasSubstr("[3] NVIDIA RTX 3080 (discrete)"), HasSubstr("unusable: it is too old"));
    for (const std::string wanted : {"radeon", "virtual", "5", "-1"}) {
        EXPECT_THAT(choose(wanted), FailsWith(ErrorCode::no_device, AllOf(HasSubstr(wanted), lists_devices)));
    }
    for (const std::string wanted : {"2", "4090"}) {
        EXPECT_THAT(choose(wanted), FailsWith(ErrorCode::unsupported, AllOf(HasSubstr(wanted), lists_devices)));
    }
    EXPECT_THAT(choose_device({}, ""), FailsWith(ErrorCode::no_device, testing::_));
}

} // namespace
} // namespace weir::tests::device_choice_test
