// A table of buffers in a descriptor set of the application. A pass can access any of them. The application declares
// those that change to the graph.

#include "application.hpp"

namespace {

constexpr std::uint32_t tables = 3, words = 64;

/// A descriptor set with its layout and pool.
struct Table {
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
};

Table make_table(VkDevice device, const std::vector<weir::Buffer>& buffers) {
    Table table;
    VkDescriptorSetLayoutBinding binding{};
    binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    binding.descriptorCount = tables;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    layout.bindingCount = 1;
    layout.pBindings = &binding;
    require(vkCreateDescriptorSetLayout(device, &layout, nullptr, &table.layout), "creating a layout");
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, tables};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    require(vkCreateDescriptorPool(device, &pool, nullptr, &table.pool), "creating a pool");
    VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocate.descriptorPool = table.pool;
    allocate.descriptorSetCount = 1;
    allocate.pSetLayouts = &table.layout;
    require(vkAllocateDescriptorSets(device, &allocate, &table.set), "allocating a set");
    std::vector<VkDescriptorBufferInfo> infos;
    for (const weir::Buffer& buffer : buffers) {
        infos.push_back({buffer.handle(), 0, VK_WHOLE_SIZE});
    }
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = table.set;
    write.descriptorCount = tables;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = infos.data();
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    return table;
}

} // namespace

int main() {
    {
        const Application application;
        const weir::Context gpu = require(weir::Context::adopt(application.adopted()));
        std::vector<weir::Buffer> buffers;
        for (std::uint32_t i = 0; i < tables; ++i) {
            buffers.push_back(require(gpu.create_buffer(words * 4)));
            require(gpu.upload(buffers.back(), std::vector<std::uint32_t>(words, i + 1)));
        }
        const auto [layout, pool, set] = make_table(application.device, buffers);

        weir::Graph graph(gpu);
        // [table]
        auto table = graph.import_set("table", layout); // three storage buffers
        auto last = graph.import_buffer<std::uint32_t>("last of the table", words);
        auto sums = graph.transient_buffer<std::uint32_t>("sums", 3);
        graph.add_fill("fill", last, 100);

        weir::Pass pass;
        pass.name = "sums of the table";
        pass.shader = weir::ShaderSource::glsl(R"(#version 460
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Sums { uint sums[]; };
            layout(set = 1, binding = 0) readonly buffer Table { uint words[64]; } table[3];
            void main() {
                uint sum = 0;
                for (uint i = 0; i < 64; ++i) {
                    sum += table[gl_WorkGroupID.x].words[i];
                }
                sums[gl_WorkGroupID.x] = sum;
            })");
        pass.bindings = {write(sums)};
        pass.sets = {table};                             // set 1, 2, ...
        pass.uses = {{last, weir::Access::shader_read}}; // the other buffers of the table do not change
        pass.dispatch = weir::Dispatch::groups(3);
        graph.add_pass(pass);
        // [/table]
        graph.export_buffer(sums);
        auto program = require(weir::compile(gpu, graph));
        // [bind]
        require(program.bind(table, set)); // a VkDescriptorSet
        require(program.bind(last, buffers[2]));
        // [/bind]
        require(program.run());
        for (const std::uint32_t sum : require(gpu.download<std::uint32_t>(program.view(sums), tables))) {
            std::printf("%u\n", sum); // 64, 128, 6400
        }
        vkDestroyDescriptorPool(application.device, pool, nullptr);
        vkDestroyDescriptorSetLayout(application.device, layout, nullptr);
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
