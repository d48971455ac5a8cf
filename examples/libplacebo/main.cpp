// Weir and libplacebo on one device: libplacebo scales frames into a texture. Weir counts the luma of the texture and
// finds its median by a sort.
//
//     libplacebo create      libplacebo creates the device, and Weir adopts it
//     libplacebo import      this program creates the device with the features that Weir recommends; libplacebo imports
//     it
//
// Compares the results with those of the CPU for the texture, which libplacebo downloads.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <libplacebo/renderer.h>
#include <libplacebo/vulkan.h>
#include <weir/weir.hpp>

namespace {

constexpr int source_width = 96, source_height = 64, width = 240, height = 160;
constexpr std::uint32_t texels = width * height;

void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}

/// A device of the application, for libplacebo and Weir.
struct OwnDevice {
    OwnDevice(pl_log log, pl_vk_inst instance) {
        pl_vulkan_device_params choice{};
        choice.instance = instance->instance;
        choice.allow_software = true;
        physical_device = pl_vulkan_choose_device(log, &choice);
        require(physical_device != VK_NULL_HANDLE, "choosing a device");
        // [features]
        vulkan12.timelineSemaphore = VK_TRUE; // required by libplacebo
        const auto requirements = weir::device_requirements(vkGetInstanceProcAddr, instance->instance, physical_device);
        weir::check(weir::enable_features(requirements, features));
        extensions = requirements.recommended_extensions;
        // [/features]
        // libplacebo 4.208 needs some of its recommended extensions, such as VK_EXT_external_memory_host, if the device
        // has them. Without them a download may crash.
        std::uint32_t count = 0;
        vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
        std::vector<VkExtensionProperties> all(count);
        vkEnumerateDeviceExtensionProperties(physical_device, nullptr, &count, all.data());
        for (int i = 0; i < pl_vulkan_num_recommended_extensions; ++i) {
            const char* name = pl_vulkan_recommended_extensions[i];
            if (std::any_of(all.begin(), all.end(),
                            [&](const auto& one) { return name == std::string(one.extensionName); })) {
                extensions.push_back(name);
            }
        }
        const float priority = 1;
        const VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &features, 0, 1, &queues};
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        info.ppEnabledExtensionNames = extensions.data();
        require(vkCreateDevice(physical_device, &info, nullptr, &device) == VK_SUCCESS, "creating a device");
    }
    [[nodiscard]] pl_vulkan import(pl_log log, pl_vk_inst instance) const {
        pl_vulkan_import_params params{};
        params.instance = instance->instance;
        params.phys_device = physical_device;
        params.device = device;
        params.extensions = extensions.data();
        params.num_extensions = static_cast<int>(extensions.size());
        params.queue_graphics = {0, 1}; // with common drivers, the first family draws and computes
        params.features = &features;
        return pl_vulkan_import(log, &params);
    }

    VkPhysicalDevice physical_device = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkPhysicalDeviceVulkan13Features vulkan13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features vulkan12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &vulkan13};
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &vulkan12, {}};
    std::vector<const char*> extensions;
};

weir::Context adopt(pl_vulkan vk, pl_vk_inst instance) {
    // [adopt]
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = instance->get_proc_addr;
    adopted.instance = vk->instance;
    adopted.api_version = std::min(instance->api_version, vk->api_version);
    adopted.physical_device = vk->phys_device;
    adopted.device = vk->device;
    adopted.queue_family = vk->queue_graphics.index;
    vkGetDeviceQueue(vk->device, adopted.queue_family, 0, &adopted.queue);
    adopted.lock_queue = [=] { vk->lock_queue(vk, static_cast<int>(vk->queue_graphics.index), 0); };
    adopted.unlock_queue = [=] { vk->unlock_queue(vk, static_cast<int>(vk->queue_graphics.index), 0); };
    adopted.enabled_features = vk->features;
    adopted.enabled_extensions = {vk->extensions, static_cast<std::size_t>(vk->num_extensions)};
    return weir::check(weir::Context::adopt(adopted));
    // [/adopt]
}

struct Result {
    std::vector<std::uint32_t> counts;
    std::uint32_t median = 0;
    friend bool operator==(const Result&, const Result&) = default;
};

/// Weir's graph and program for a texture of libplacebo.
class Meter {
public:
    Meter(weir::Context gpu, pl_gpu host, pl_tex texture)
        : gpu_(std::move(gpu)), host_(host), texture_(texture), graph_(gpu_), program_(compile()) {
        VkFormat format = VK_FORMAT_UNDEFINED;
        VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
        view.image = pl_vulkan_unwrap(host, texture, &format, nullptr);
        view.viewType = VK_IMAGE_VIEW_TYPE_2D;
        view.format = format;
        view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        require(format == VK_FORMAT_R8G8B8A8_UNORM, "knowing the format");
        require(vkCreateImageView(gpu_.device(), &view, nullptr, &view_) == VK_SUCCESS, "creating a view");
        const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                             VK_SEMAPHORE_TYPE_TIMELINE};
        const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
        require(vkCreateSemaphore(gpu_.device(), &semaphore, nullptr, &timeline_) == VK_SUCCESS,
                "creating a semaphore");
        weir::check(program_.bind(image_, {view.image, view_}));
    }
    ~Meter() {
        pl_gpu_finish(host_); // the GPU may still wait for the semaphore
        vkDestroyImageView(gpu_.device(), view_, nullptr);
        vkDestroySemaphore(gpu_.device(), timeline_, nullptr);
    }
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    Result measure() {
        // [frame]
        constexpr VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL; // layout of Access::sampled_read
        require(pl_vulkan_hold(host_, texture_, layout, {timeline_, ++value_}), "holding the texture");
        VkSemaphoreSubmitInfo held{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
        held.semaphore = timeline_;
        held.value = value_;
        held.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        VkSemaphoreSubmitInfo done = held;
        done.value = ++value_;
        weir::check(program_.submit({.waits = {&held, 1}, .signaled = {&done, 1}}));
        pl_vulkan_release(host_, texture_, layout, {timeline_, value_});
        // [/frame]
        weir::check(program_.wait());
        return {weir::check(gpu_.download<std::uint32_t>(program_.view(counts_), 256)),
                weir::check(gpu_.download<std::uint32_t>(program_.view(sorted_), texels))[texels / 2]};
    }

private:
    weir::Program compile() {
        // [graph]
        image_ = graph_.import_image("frame", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {width, height, 1}},
                                     weir::Access::sampled_read);
        auto luma = graph_.transient_buffer<std::uint32_t>("luma", texels);
        graph_.add_pass({.name = "luma",
                         .shader = weir::ShaderSource::glsl(R"(#version 460
            #extension GL_EXT_samplerless_texture_functions : require
            layout(local_size_x = 8, local_size_y = 8) in;
            layout(binding = 0) uniform texture2D frame;
            layout(binding = 1) writeonly buffer Luma { uint luma[]; };
            void main() {
                const uvec2 at = gl_GlobalInvocationID.xy, size = textureSize(frame, 0);
                if (all(lessThan(at, size))) {
                    const uvec3 color = uvec3(round(255 * texelFetch(frame, ivec2(at), 0).rgb));
                    luma[at.y * size.x + at.x] = (54 * color.r + 183 * color.g + 19 * color.b) >> 8;
                }
            })"),
                         .bindings = {weir::sampled(image_), write(luma)},
                         .dispatch = weir::Dispatch::groups((width + 7) / 8, (height + 7) / 8)});
        counts_ = weir::histogram(graph_, luma, weir::Bins::digit(0, 8));
        sorted_ = weir::radix_sort(graph_, luma, {.end_bit = 8}).keys;
        graph_.export_image(image_, weir::Access::sampled_read);
        graph_.export_buffer(counts_);
        graph_.export_buffer(sorted_);
        return weir::check(weir::compile(gpu_, graph_));
        // [/graph]
    }

    weir::Context gpu_;
    pl_gpu host_;
    pl_tex texture_;
    weir::Graph graph_;
    weir::ImageId image_;
    weir::BufferRef<std::uint32_t> counts_, sorted_;
    weir::Program program_;
    VkImageView view_ = VK_NULL_HANDLE;
    VkSemaphore timeline_ = VK_NULL_HANDLE;
    std::uint64_t value_ = 0;
};

Result expected(pl_gpu host, pl_tex texture) {
    std::vector<std::uint8_t> bytes(texels * 4);
    pl_tex_transfer_params transfer{};
    transfer.tex = texture;
    transfer.ptr = bytes.data();
    require(pl_tex_download(host, &transfer), "downloading");
    Result result{std::vector<std::uint32_t>(256)};
    std::vector<std::uint32_t> luma(texels);
    for (std::uint32_t i = 0; i < texels; ++i) {
        const std::uint8_t* color = &bytes[std::size_t{4} * i];
        luma[i] = (54U * color[0] + 183U * color[1] + 19U * color[2]) >> 8;
        ++result.counts[luma[i]];
    }
    std::sort(luma.begin(), luma.end());
    result.median = luma[texels / 2];
    return result;
}

pl_tex make_texture(pl_gpu host, int texture_width, int texture_height) {
    pl_tex_params params{};
    params.w = texture_width;
    params.h = texture_height;
    params.format = pl_find_named_fmt(host, "rgba8");
    params.sampleable = params.renderable = params.host_writable = params.host_readable = params.blit_dst = true;
    return pl_tex_create(host, &params);
}

/// Scales picture `number` with libplacebo. Each number has a different picture.
void render(pl_gpu host, pl_renderer renderer, pl_tex source, pl_tex target, unsigned number) {
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < source_width * source_height; ++i) {
        const unsigned x = i % source_width, y = i / source_width;
        for (const unsigned channel : {x * 2 + number * 20, y * 3, (x ^ y) * (number + 1), 255U}) {
            bytes.push_back(static_cast<std::uint8_t>(std::min(channel, 255U)));
        }
    }
    pl_tex_transfer_params transfer{};
    transfer.tex = source;
    transfer.ptr = bytes.data();
    require(pl_tex_upload(host, &transfer), "uploading");
    std::array<pl_frame, 2> frames{};
    for (std::size_t i = 0; i < 2; ++i) {
        frames[i].num_planes = 1;
        frames[i].planes[0].texture = i == 0 ? source : target;
        frames[i].planes[0].components = 4;
        std::copy_n(std::array{0, 1, 2, 3}.begin(), 4, frames[i].planes[0].component_mapping);
        frames[i].repr = pl_color_repr_rgb;
        frames[i].color = pl_color_space_srgb;
    }
    require(pl_render_image(renderer, &frames[0], &frames[1], &pl_render_default_params), "rendering");
}

} // namespace

int main(int argc, char** argv) {
    const std::string how = argc == 2 ? argv[1] : "";
    require(how == "create" || how == "import", "reading the argument: create or import");
    pl_log_params log_params{};
    log_params.log_cb = pl_log_simple;
    log_params.log_level = PL_LOG_WARN;
    pl_log log = pl_log_create(PL_API_VER, &log_params);
    const std::array names = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME}; // libplacebo names its objects
    pl_vk_inst_params instance_params{};
    instance_params.opt_extensions = names.data();
    instance_params.num_opt_extensions = 1;
    pl_vk_inst instance = pl_vk_inst_create(log, &instance_params);
    require(instance != nullptr, "creating an instance");

    std::optional<OwnDevice> own;
    pl_vulkan vk = nullptr;
    if (how == "import") {
        own.emplace(log, instance);
        vk = own->import(log, instance);
    } else {
        pl_vulkan_params params = pl_vulkan_default_params;
        params.instance = instance->instance;
        params.allow_software = true;
        vk = pl_vulkan_create(log, &params);
    }
    require(vk != nullptr, "starting libplacebo");
    pl_renderer renderer = pl_renderer_create(log, vk->gpu);
    pl_tex source = make_texture(vk->gpu, source_width, source_height), target = make_texture(vk->gpu, width, height);
    require(source != nullptr && target != nullptr, "making textures");
    {
        Meter meter(adopt(vk, instance), vk->gpu, target);
        for (unsigned number = 0; number < 4; ++number) {
            render(vk->gpu, renderer, source, target, number);
            const Result found = meter.measure();
            require(found == expected(vk->gpu, target), "counts and median equal those of the CPU");
            std::printf("frame %u: median %u\n", number, found.median);
        }
    }
    pl_tex_destroy(vk->gpu, &source);
    pl_tex_destroy(vk->gpu, &target);
    pl_renderer_destroy(&renderer);
    pl_vulkan_destroy(&vk);
    if (own) {
        vkDestroyDevice(own->device, nullptr);
    }
    pl_vk_inst_destroy(&instance);
    pl_log_destroy(&log);
    return 0;
}
