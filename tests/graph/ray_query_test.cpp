// A graph that builds acceleration structures and traces rays through them: raw uses on a device with ray queries.

#include <algorithm>
#include <array>
#include <cstring>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::ray_query_test {
namespace {

const OnEveryDriver on_every_driver{"RayQuery.*"}; // Mesa 25 has the extensions

constexpr const char* extensions[] = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                      VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_RAY_QUERY_EXTENSION_NAME};

bool has_ray_queries() {
    const Context& context = test_context();
    const auto list = reinterpret_cast<PFN_vkEnumerateDeviceExtensionProperties>(
        context.get_instance_proc_addr()(context.instance(), "vkEnumerateDeviceExtensionProperties"));
    std::uint32_t count = 0;
    list(context.physical_device(), nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> all(count);
    list(context.physical_device(), nullptr, &count, all.data());
    return std::all_of(std::begin(extensions), std::end(extensions), [&](const char* wanted) {
        return std::any_of(all.begin(), all.end(),
                           [&](const auto& one) { return std::strcmp(one.extensionName, wanted) == 0; });
    });
}

/// An application with ray queries.
struct RayHost {
    VkPhysicalDeviceRayQueryFeaturesKHR queries{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, nullptr,
                                                VK_TRUE};
    VkPhysicalDeviceAccelerationStructureFeaturesKHR structures{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, &queries, VK_TRUE};
    HostDevice host{[this](HostFeatures& features) {
        features.vulkan13.pNext = &structures;
        features.extensions.assign(std::begin(extensions), std::end(extensions));
    }};
    Context context = ok(Context::adopt(host.adopted()));

    [[nodiscard]] VkDeviceAddress address(const BufferView& view) const {
        VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
        info.buffer = view.buffer;
        return host.vk().vkGetBufferDeviceAddress(host.device(), &info) + view.offset;
    }
};

/// An acceleration structure of one triangle, or of one instance of another structure, in a buffer of a program.
class Structure {
public:
    Structure(const RayHost& host, bool is_top) : host_(&host), is_top_(is_top) {
        const auto geometry = geometry_of(0);
        const auto info = info_of(geometry);
        const std::uint32_t one = 1;
        vk().vkGetAccelerationStructureBuildSizesKHR(device(), VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info,
                                                     &one, &sizes);
    }
    ~Structure() { vk().vkDestroyAccelerationStructureKHR(device(), handle, nullptr); }
    Structure(const Structure&) = delete;
    Structure& operator=(const Structure&) = delete;

    void create(const BufferView& place) {
        VkAccelerationStructureCreateInfoKHR info{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR};
        info.buffer = place.buffer;
        info.offset = place.offset;
        info.size = sizes.accelerationStructureSize;
        info.type = type();
        ASSERT_EQ(vk().vkCreateAccelerationStructureKHR(device(), &info, nullptr, &handle), VK_SUCCESS);
    }
    void build(VkCommandBuffer commands, const BufferView& data, const BufferView& scratch) const {
        const auto geometry = geometry_of(host_->address(data));
        auto info = info_of(geometry);
        info.dstAccelerationStructure = handle;
        info.scratchData.deviceAddress =
            (host_->address(scratch) + scratch_alignment - 1) / scratch_alignment * scratch_alignment;
        const VkAccelerationStructureBuildRangeInfoKHR range{1, 0, 0, 0};
        const auto* const ranges = &range;
        vk().vkCmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges);
    }
    [[nodiscard]] VkAccelerationStructureInstanceKHR instance() const {
        VkAccelerationStructureDeviceAddressInfoKHR info{
            VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, nullptr, handle};
        VkAccelerationStructureInstanceKHR made{};
        made.transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
        made.mask = 0xFF;
        made.accelerationStructureReference = vk().vkGetAccelerationStructureDeviceAddressKHR(device(), &info);
        return made;
    }

    static constexpr VkDeviceSize scratch_alignment = 256; ///< at most this on all devices
    VkAccelerationStructureBuildSizesInfoKHR sizes{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    VkAccelerationStructureKHR handle = VK_NULL_HANDLE;

private:
    [[nodiscard]] const VolkDeviceTable& vk() const { return host_->host.vk(); }
    [[nodiscard]] VkDevice device() const { return host_->host.device(); }
    [[nodiscard]] VkAccelerationStructureTypeKHR type() const {
        return is_top_ ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    }
    [[nodiscard]] VkAccelerationStructureGeometryKHR geometry_of(VkDeviceAddress data) const {
        VkAccelerationStructureGeometryKHR geometry{VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR};
        geometry.flags = VK_GEOMETRY_OPAQUE_BIT_KHR;
        if (is_top_) {
            geometry.geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR;
            geometry.geometry.instances = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR};
            geometry.geometry.instances.data.deviceAddress = data;
            return geometry;
        }
        geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
        auto& triangles = geometry.geometry.triangles;
        triangles = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR};
        triangles.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT;
        triangles.vertexData.deviceAddress = data;
        triangles.vertexStride = 3 * sizeof(float);
        triangles.maxVertex = 2;
        triangles.indexType = VK_INDEX_TYPE_NONE_KHR;
        return geometry;
    }
    [[nodiscard]] VkAccelerationStructureBuildGeometryInfoKHR
    info_of(const VkAccelerationStructureGeometryKHR& geometry) const {
        VkAccelerationStructureBuildGeometryInfoKHR info{
            VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR};
        info.type = type();
        info.geometryCount = 1;
        info.pGeometries = &geometry;
        return info;
    }

    const RayHost* host_;
    bool is_top_;
};

/// A descriptor set with an acceleration structure.
class SceneSet {
public:
    explicit SceneSet(const HostDevice& host) : host_(&host) {
        constexpr auto type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
        const VkDescriptorSetLayoutBinding binding{0, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
        VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
        info.bindingCount = 1;
        info.pBindings = &binding;
        host.vk().vkCreateDescriptorSetLayout(host.device(), &info, nullptr, &layout);
        const VkDescriptorPoolSize size{type, 1};
        VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool.maxSets = 1;
        pool.poolSizeCount = 1;
        pool.pPoolSizes = &size;
        host.vk().vkCreateDescriptorPool(host.device(), &pool, nullptr, &pool_);
        VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        allocate.descriptorPool = pool_;
        allocate.descriptorSetCount = 1;
        allocate.pSetLayouts = &layout;
        host.vk().vkAllocateDescriptorSets(host.device(), &allocate, &set);
    }
    ~SceneSet() {
        host_->vk().vkDestroyDescriptorPool(host_->device(), pool_, nullptr);
        host_->vk().vkDestroyDescriptorSetLayout(host_->device(), layout, nullptr);
    }
    SceneSet(const SceneSet&) = delete;
    SceneSet& operator=(const SceneSet&) = delete;

    void write(const VkAccelerationStructureKHR& structure) const {
        VkWriteDescriptorSetAccelerationStructureKHR of{
            VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR};
        of.accelerationStructureCount = 1;
        of.pAccelerationStructures = &structure;
        VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &of};
        write.dstSet = set;
        write.descriptorCount = 1;
        write.descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
        host_->vk().vkUpdateDescriptorSets(host_->device(), 1, &write, 0, nullptr);
    }

    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;

private:
    const HostDevice* host_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
};

constexpr VkPipelineStageFlags2 builds = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkAccessFlags2 reads_built = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr UseScope build{.scope = {builds, reads_built | VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR},
                         .writes = true};
constexpr UseScope read_input{.scope = {builds, VK_ACCESS_2_SHADER_READ_BIT}, .reads = true};
constexpr UseScope read_structure{.scope = {builds, reads_built}, .reads = true};
constexpr UseScope trace{.scope = {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, reads_built}, .reads = true};

Use raw(ResourceId resource, const UseScope& scope) {
    return {.resource = resource, .raw = scope};
}

const char* const triangle_source = R"(#version 460
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer Vertices { float vertices[9]; };
void main() { vertices = float[](0, 0, 0, 8, 0, 0, 0, 8, 0); })";

/// 8 x 8 rays in the direction of -z.
const char* const trace_source = R"(#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) writeonly buffer Hits { uint hits[64]; };
layout(set = 1, binding = 0) uniform accelerationStructureEXT scene;
layout(push_constant) uniform Push { float shift; };
void main() {
    const vec2 at = vec2(gl_LocalInvocationID.xy) + 0.25;
    rayQueryEXT query;
    const vec3 from = vec3(at.x + shift, at.y, 1), direction = vec3(0, 0, -1);
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT, 0xFF, from, 0.0, direction, 2.0);
    while (rayQueryProceedEXT(query)) {}
    const bool hits_it = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionTriangleEXT;
    hits[gl_LocalInvocationIndex] = hits_it ? 1 : 0;
})";

/// A compute pass makes a triangle, two passes build structures, and two passes trace rays, `shift` apart.
struct RayGraph : WordGraph {
    DescriptorSetId scene;
    BufferRef<float> triangle = transient_buffer<float>("triangle", 9);
    HostData instance = host_data("instance", sizeof(VkAccelerationStructureInstanceKHR));
    WordRef instances = transient("instances", sizeof(VkAccelerationStructureInstanceKHR) / 4);
    BufferRef<std::byte> bottom, top;
    std::array<WordRef, 2> hits;

    RayGraph(const Context& context, const Structure& triangles, const Structure& all, const SceneSet& set)
        : WordGraph(context), scene(import_set("scene", set.layout)) {
        bottom = bytes("bottom level", triangles.sizes.accelerationStructureSize);
        top = bytes("top level", all.sizes.accelerationStructureSize);
        add_pass(simple_pass("make triangle", triangle_source, {write(triangle)}));
        add_update("place triangle", instance, instances);
        add_build("build bottom level", triangles, triangle, bottom, {});
        add_build("build top level", all, instances, top, {raw(bottom, read_structure)});
        for (std::uint32_t i = 0; i < hits.size(); ++i) {
            hits[i] = transient("hits");
            Pass pass = simple_pass("trace", trace_source, {write(hits[i])});
            pass.sets = {scene};
            pass.uses = {raw(top, trace), raw(bottom, trace)};
            pass.push = {static_cast<float>(i)};
            add_pass(pass);
            export_buffer(hits[i]);
        }
        export_buffer(bottom); // the application creates structures in the buffers
        export_buffer(top);
    }

private:
    BufferRef<std::byte> bytes(const std::string& name, VkDeviceSize size) {
        return transient_buffer<std::byte>(name, static_cast<std::uint32_t>(size));
    }
    void add_build(const std::string& name, const Structure& structure, BufferId data, BufferId into,
                   std::vector<Use> uses) {
        const BufferId scratch = bytes(name, structure.sizes.buildScratchSize + Structure::scratch_alignment);
        uses.insert(uses.end(), {raw(data, read_input), raw(scratch, build), raw(into, build)});
        add_command_pass({.name = name,
                          .uses = std::move(uses),
                          .record = [=, &structure](VkCommandBuffer commands, const CommandPassContext& pass) {
                              structure.build(commands, pass.buffer(data), pass.buffer(scratch));
                          }});
    }
};

TEST(RayQuery, StructuresAreBuiltAndTracedInOneGraph) {
    if (!has_ray_queries()) {
        GTEST_SKIP() << "the device has no ray queries";
    }
    const RayHost host;
    Structure triangles(host, false), all(host, true);
    const SceneSet set(host.host);
    const RayGraph graph(host.context, triangles, all, set);
    Program program = ok(compile(host.context, graph));
    triangles.create(program.view(graph.bottom));
    all.create(program.view(graph.top));
    set.write(all.handle);
    ok(program.set(graph.instance, triangles.instance()));
    ok(program.bind(graph.scene, set.set));
    EXPECT_EQ(program.plan().groups[3].passes.size(), 2U) << program.plan().text(); // both traces

    Recorder recorder(host.context);
    recorder.run([&](VkCommandBuffer commands) {
        ok(program.record(commands));
        ok(program.record(commands));
    });
    for (std::uint32_t i = 0; i < graph.hits.size(); ++i) {
        const auto hits = ok(host.context.download<std::uint32_t>(program.view(graph.hits[i]), 64));
        for (std::uint32_t ray = 0; ray < 64; ++ray) {
            const std::uint32_t diagonal = ray % 8 + ray / 8 + i; // half a unit below the sum of the ray's coordinates
            EXPECT_EQ(hits[ray], diagonal < 8 ? 1U : 0U) << i << ' ' << ray;
        }
    }
}

} // namespace
} // namespace weir::tests::ray_query_test
