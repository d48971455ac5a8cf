// An application that creates its own device, which Weir adopts. Records a scan and a sort into a command buffer of the
// application. Then a second context with a device of its own runs next to it.

#include "application.hpp"
#include "expected.hpp"

namespace {

constexpr std::uint32_t count = 100'000;

/// A graph that scans `input` and sorts it with values.
struct ScanAndSort {
    explicit ScanAndSort(const weir::Context& context) : graph(context) {
        input = graph.import_buffer<std::uint32_t>("input", count);
        values = graph.import_buffer<std::uint32_t>("values", count);
        sums = weir::scan(graph, input);
        sorted = weir::radix_sort(graph, input, {.values = values});
        graph.export_buffer(sums);
        graph.export_buffer(sorted.keys);
        graph.export_buffer(sorted.values);
    }
    void check(const weir::Context& context, const weir::Program& program, const Values& in) const {
        const Values order = sorted_order(in);
        const auto found = [&](weir::BufferId buffer) {
            return require(context.download<std::uint32_t>(program.view(buffer), count));
        };
        require(found(sums) == scanned(in), "the scan is correct");
        require(found(sorted.keys) == taken(in, order), "the sorted keys are correct");
        require(found(sorted.values) == order, "the sorted values are correct");
    }
    weir::Graph graph;
    weir::BufferRef<std::uint32_t> input, values, sums;
    weir::RadixSortResult<> sorted;
};

Values first(std::uint32_t n) {
    Values values(n);
    std::iota(values.begin(), values.end(), 0U);
    return values;
}

} // namespace

int main() {
    {
        const Application application;
        const auto dispatch = vkCmdDispatch;
        // [adopt]
        const weir::Context context = require(weir::Context::adopt(application.adopted()));
        // [/adopt]
        const ScanAndSort work(context);
        weir::Program program = require(weir::compile(context, work.graph));

        const Values in = random_values(count);
        const weir::Buffer input = require(context.create_buffer(count * 4));
        const weir::Buffer values = require(context.create_buffer(count * 4));
        require(context.upload(input, in));
        require(context.upload(values, first(count)));
        require(program.bind(work.input, input));
        require(program.bind(work.values, values));
        submit(application, [&](VkCommandBuffer commands) { require(program.record(commands)); });
        work.check(context, program, in);
        std::printf("device: %s, adopted\n", context.capabilities().device_name.c_str());

        weir::ContextOptions options;
        options.validation = true;
        options.on_validation = on_validation;
        options.pipeline_cache_directory = "none";
        const weir::Context second = require(weir::Context::create(options));
        const ScanAndSort more(second);
        weir::Program beside = require(weir::compile(second, more.graph));
        const weir::Buffer second_input = require(second.create_buffer(count * 4));
        const weir::Buffer second_values = require(second.create_buffer(count * 4));
        const Values other = taken(in, sorted_order(scanned(in)));
        require(second.upload(second_input, other));
        require(second.upload(second_values, first(count)));
        require(beside.bind(more.input, second_input));
        require(beside.bind(more.values, second_values));
        require(beside.run());
        more.check(second, beside, other);

        // The first context still works.
        submit(application, [&](VkCommandBuffer commands) { require(program.record(commands)); });
        work.check(context, program, in);
        require(vkCmdDispatch == dispatch, "the application's function pointers are unchanged");
    }
    require(validation_messages == 0, "the validation layer reports nothing");
    return 0;
}
