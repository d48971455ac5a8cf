// An application with its own device that sorts by a call: no graph, only a command buffer, buffers and a number.

#include "application.hpp"
#include "expected.hpp"

namespace {

constexpr std::uint32_t max_count = 1 << 16;

void check(const weir::Context& context, const weir::Buffer& memory, std::size_t offset, const Values& expected) {
    const weir::BufferView view{memory.handle(), offset, expected.size() * 4};
    require(require(context.download<std::uint32_t>(view, expected.size())) == expected, "the result is correct");
}

} // namespace

int main() {
    const Application application;
    const weir::Context context = require(weir::Context::adopt(application.adopted()));

    // [create]
    weir::Call sort = require(weir::sort_call<std::uint32_t, std::uint32_t>(context, {.max_count = max_count}));
    weir::Call sum = require(weir::reduce_call<std::uint32_t>(context, {.max_count = max_count}));
    // [/create]

    const std::uint32_t count = 10'000;
    const Values distances = random_values(count);
    Values ids(count);
    std::iota(ids.begin(), ids.end(), 0U);
    const std::uint64_t bytes = count * sizeof(std::uint32_t), id_offset = 1 << 16, total_offset = 1 << 17;
    const weir::Buffer memory = require(context.create_buffer(total_offset + 4));
    const VkBuffer buffer = memory.handle();
    require(context.upload(weir::BufferView{buffer, 0, bytes}, distances));
    require(context.upload(weir::BufferView{buffer, id_offset, bytes}, ids));

    submit(application, [&](VkCommandBuffer commands) {
        // [record]
        const weir::BufferView keys{buffer, 0, bytes}, values{buffer, id_offset, bytes};
        require(sort.record(commands, count, {keys, values}));
        require(sum.record(commands, 100, {keys, {buffer, total_offset, 4}})); // adds up the 100 smallest
        // [/record]
    });

    const Values order = sorted_order(distances), sorted = taken(distances, order);
    check(context, memory, 0, sorted);
    check(context, memory, id_offset, order);
    check(context, memory, total_offset, {std::accumulate(sorted.begin(), sorted.begin() + 100, 0U)});
    std::printf("sorted %u keys and added up the 100 smallest\n", count);
    return 0;
}
