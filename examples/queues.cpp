// A sort on the compute queue concurrent with a scan on the main queue.

#include <cstdio>
#include <vector>

#include <weir/weir.hpp>

int main() {
    auto gpu = weir::check(weir::Context::create());

    // [queues]
    weir::Graph graph(gpu);
    auto samples = graph.import_buffer<std::uint32_t>("samples", 6);
    weir::BufferRef<std::uint32_t> sorted;
    {
        auto on_compute = graph.on_queue(weir::QueueKind::compute); // applies to passes added during its lifetime
        sorted = weir::radix_sort(graph, samples).keys;
    }
    auto sums = weir::scan(graph, samples); // on the main queue, concurrently
    graph.export_buffer(sorted);
    graph.export_buffer(sums);

    auto program = weir::check(weir::compile(gpu, graph));
    // [/queues]

    const std::vector<std::uint32_t> values = {5, 1, 4, 1, 3, 9};
    auto memory = weir::check(gpu.create_buffer(24));
    const auto ran = gpu.upload(memory, values)
                         .and_then([&] { return program.bind(samples, memory); })
                         .and_then([&] { return program.submit(); })
                         .and_then([&] { return program.wait(); });

    // [critical_path]
    const weir::Profile profile = weir::check(program.profile());
    std::vector<double> times(program.description().passes.size());
    for (const weir::PassTime& time : profile.passes) {
        times[time.pass] = time.end_us - time.begin_us;
    }
    const double us = program.plan().critical_path(times); // not more than the sum of the times
    // [/critical_path]

    const auto first = ran.and_then([&] { return gpu.download<std::uint32_t>(program.view(sorted.id), 6); });
    const auto second = gpu.download<std::uint32_t>(program.view(sums.id), 6);
    for (const auto& numbers : {first.value(), second.value()}) {
        for (const std::uint32_t number : numbers) {
            std::printf("%u\n", number); // 1 1 3 4 5 9, then 5 6 10 11 14 23
        }
    }
    return us > 0 ? 0 : 1;
}
