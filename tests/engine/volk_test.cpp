#include "engine/base/volk.hpp"

#include <cstring>

#include <gtest/gtest.h>

namespace {

PFN_vkVoidFunction VKAPI_CALL only_dispatch(VkDevice, const char* name) {
    return std::strcmp(name, "vkCmdDispatch") == 0 ? reinterpret_cast<PFN_vkVoidFunction>(&only_dispatch) : nullptr;
}

TEST(Volk, LoadsTablePerDevice) {
    VolkDeviceTable table{};
    weir_volk_load_device_table(&table, VK_NULL_HANDLE, only_dispatch);
    EXPECT_NE(table.vkCmdDispatch, nullptr);
    EXPECT_EQ(table.vkCmdCopyBuffer, nullptr);
}

TEST(Volk, OpensLoaderOnce) {
    EXPECT_EQ(weir::vulkan_loader(), weir::vulkan_loader());
}

} // namespace
