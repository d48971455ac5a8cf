#include "culling/functions.hpp"

#include <string>
#include <type_traits>

namespace samples::culling {

Functions::Functions(const weir::Context& gpu)
    : vkGetDeviceProcAddr(reinterpret_cast<PFN_vkGetDeviceProcAddr>(
          gpu.get_instance_proc_addr()(gpu.instance(), "vkGetDeviceProcAddr"))) {
    const auto load = [&](auto& function, const char* name) {
        function =
            reinterpret_cast<std::remove_reference_t<decltype(function)>>(vkGetDeviceProcAddr(gpu.device(), name));
    };
    load(vkCreateShaderModule, "vkCreateShaderModule");
    load(vkDestroyShaderModule, "vkDestroyShaderModule");
    load(vkCreateDescriptorSetLayout, "vkCreateDescriptorSetLayout");
    load(vkDestroyDescriptorSetLayout, "vkDestroyDescriptorSetLayout");
    load(vkCreateDescriptorPool, "vkCreateDescriptorPool");
    load(vkDestroyDescriptorPool, "vkDestroyDescriptorPool");
    load(vkAllocateDescriptorSets, "vkAllocateDescriptorSets");
    load(vkUpdateDescriptorSets, "vkUpdateDescriptorSets");
    load(vkCreatePipelineLayout, "vkCreatePipelineLayout");
    load(vkDestroyPipelineLayout, "vkDestroyPipelineLayout");
    load(vkCreateGraphicsPipelines, "vkCreateGraphicsPipelines");
    load(vkDestroyPipeline, "vkDestroyPipeline");
    load(vkCreateCommandPool, "vkCreateCommandPool");
    load(vkDestroyCommandPool, "vkDestroyCommandPool");
    load(vkResetCommandPool, "vkResetCommandPool");
    load(vkAllocateCommandBuffers, "vkAllocateCommandBuffers");
    load(vkBeginCommandBuffer, "vkBeginCommandBuffer");
    load(vkEndCommandBuffer, "vkEndCommandBuffer");
    load(vkCreateFence, "vkCreateFence");
    load(vkDestroyFence, "vkDestroyFence");
    load(vkWaitForFences, "vkWaitForFences");
    load(vkResetFences, "vkResetFences");
    load(vkQueueSubmit, "vkQueueSubmit");
    load(vkDeviceWaitIdle, "vkDeviceWaitIdle");
    load(vkCmdBeginRendering, "vkCmdBeginRendering");
    load(vkCmdEndRendering, "vkCmdEndRendering");
    load(vkCmdBindPipeline, "vkCmdBindPipeline");
    load(vkCmdBindDescriptorSets, "vkCmdBindDescriptorSets");
    load(vkCmdBindVertexBuffers, "vkCmdBindVertexBuffers");
    load(vkCmdBindIndexBuffer, "vkCmdBindIndexBuffer");
    load(vkCmdSetViewport, "vkCmdSetViewport");
    load(vkCmdSetScissor, "vkCmdSetScissor");
    load(vkCmdDraw, "vkCmdDraw");
    load(vkCmdDrawIndexedIndirect, "vkCmdDrawIndexedIndirect");
    load(vkCmdDrawIndexedIndirectCount, "vkCmdDrawIndexedIndirectCount");
}

weir::Result<> checked(VkResult status, const char* doing) {
    if (status == VK_SUCCESS) {
        return {};
    }
    const bool is_lost = status == VK_ERROR_DEVICE_LOST;
    return tl::unexpected(weir::Error{is_lost ? weir::ErrorCode::device_lost : weir::ErrorCode::vulkan,
                                      std::string(doing) + " failed with VkResult " + std::to_string(status), status});
}

} // namespace samples::culling
