#pragma once

// Included by ggml's ggml-vulkan.cpp: hands its device, tensors and command buffers to weir_ggml.hpp. See apply.py.

static vk_subbuffer ggml_vk_tensor_subbuffer(const ggml_backend_vk_context* ctx, const ggml_tensor* tensor,
                                             bool allow_misalign);

static void ggml_vk_weir_adopt(vk_device& device, const VkPhysicalDeviceFeatures2& features,
                               const std::vector<const char*>& extensions) {
    // [adopt]
    weir_adopted_device adopted{};
    adopted.get_instance_proc_addr = vkGetInstanceProcAddr;
    adopted.instance = vk_instance.instance;
    adopted.api_version = vk::enumerateInstanceVersion(); // ggml requests this version
    adopted.physical_device = device->physical_device;
    adopted.device = device->device;
    adopted.queue = device->compute_queue->handle->queue;
    adopted.queue_family = device->compute_queue->queue_family_index;
    adopted.lock_queue = [](void* handle) { static_cast<vk_queue_handle*>(handle)->lock(); };
    adopted.unlock_queue = [](void* handle) { static_cast<vk_queue_handle*>(handle)->unlock(); };
    adopted.user = device->compute_queue->handle.get();
    adopted.enabled_features = &features;
    adopted.enabled_extensions = extensions.data();
    adopted.enabled_extension_count = static_cast<uint32_t>(extensions.size());
    device->weir = weir_ggml::Device::adopt(adopted);
    // [/adopt]
}

static weir_ggml::Operation ggml_vk_weir_operation(const ggml_tensor* op) {
    return op->op == GGML_OP_CUMSUM                  ? weir_ggml::Operation::cumsum
           : op->op == GGML_OP_TOP_K                 ? weir_ggml::Operation::top_k
           : op->op_params[0] == GGML_SORT_ORDER_ASC ? weir_ggml::Operation::argsort_ascending
                                                     : weir_ggml::Operation::argsort_descending;
}

static weir_ggml::Shape ggml_vk_weir_shape(const ggml_tensor* op) {
    const ggml_tensor* src = op->src[0];
    return {static_cast<uint64_t>(ggml_nrows(src)), static_cast<uint64_t>(src->ne[0]),
            op->op == GGML_OP_TOP_K ? static_cast<uint64_t>(op->ne[0]) : 1};
}

static bool ggml_vk_weir_supports(const vk_device& device, const ggml_tensor* op) {
    return device->weir && (op->op == GGML_OP_ARGSORT || op->op == GGML_OP_TOP_K || op->op == GGML_OP_CUMSUM) &&
           op->src[0]->type == GGML_TYPE_F32 && ggml_is_contiguous(op->src[0]) && ggml_is_contiguous(op) &&
           !ggml_is_empty(op) && device->weir->supports(ggml_vk_weir_operation(op), ggml_vk_weir_shape(op));
}

// Returns false if ggml's own kernels must compute the tensor.
static bool ggml_vk_weir_record(ggml_backend_vk_context* ctx, vk_context& subctx, const ggml_tensor* op) {
    if (!ggml_vk_weir_supports(ctx->device, op)) {
        return false;
    }
    if (!ctx->weir) {
        ctx->weir = std::make_unique<weir_ggml::Recorder>(ctx->device->weir);
    }
    const vk_subbuffer input = ggml_vk_tensor_subbuffer(ctx, op->src[0], false);
    const vk_subbuffer output = ggml_vk_tensor_subbuffer(ctx, op, false);
    return ctx->weir->record(subctx->s->buffer->buf, ggml_vk_weir_operation(op), ggml_vk_weir_shape(op),
                             {input.buffer->buffer, input.offset, input.size},
                             {output.buffer->buffer, output.offset, output.size});
}
