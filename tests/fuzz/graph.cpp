#include <deque>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "tests/fuzz/targets.hpp"

namespace weir::fuzz {

namespace {

using Ref = BufferRef<std::uint32_t>;

/// Reads numbers from bytes. Returns zeros after the end.
class Feed {
public:
    explicit Feed(Bytes bytes) : bytes_(bytes) {}
    [[nodiscard]] bool is_empty() const { return at_ >= bytes_.size(); }

    std::uint8_t byte() { return is_empty() ? std::uint8_t{0} : bytes_[at_++]; }
    bool flag() { return byte() % 2 == 1; }
    std::uint32_t below(std::uint32_t end) { return byte() % end; }
    /// Returns a small number, or any number.
    std::uint32_t number() {
        const std::uint32_t kind = byte();
        if (kind < 160) {
            return kind;
        }
        std::uint32_t all = 0;
        for (std::uint32_t i = 0; i < kind % 4 + 1; ++i) {
            all = all << 8U | byte();
        }
        return all;
    }
    template <class T>
    const T& of(const std::deque<T>& items) {
        return items[byte() % items.size()];
    }

private:
    Bytes bytes_;
    std::size_t at_ = 0;
};

/// Handles that calls of two graphs have returned. Each is passed to either graph.
struct Handles {
    std::deque<Ref> buffers{Ref{}};
    std::deque<ImageId> images{ImageId{}};
    std::deque<Count> counts{Count{}, Count(1000)};
    std::deque<Switch> switches{Switch{}};
    std::deque<HostData> data{HostData{}};
};

Access any_access(Feed& feed) {
    return static_cast<Access>(feed.below(static_cast<std::uint32_t>(Access::any) + 1));
}

std::string any_name(Feed& feed) {
    return std::string(feed.below(4), 'n');
}

ImageInfo any_image(Feed& feed) {
    constexpr VkFormat formats[] = {VK_FORMAT_R32_UINT,  VK_FORMAT_R8G8B8A8_UNORM,      VK_FORMAT_D32_SFLOAT,
                                    VK_FORMAT_UNDEFINED, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_D24_UNORM_S8_UINT};
    return {.format = formats[feed.below(std::size(formats))],
            .extent = {feed.number(), feed.number(), feed.below(3)},
            .mips = feed.below(16),
            .layers = feed.below(8),
            .samples = feed.flag() ? VK_SAMPLE_COUNT_1_BIT : VK_SAMPLE_COUNT_4_BIT};
}

ImageRegion any_region(Feed& feed) {
    return {.mip = feed.below(8), .layer = feed.below(8), .layers = feed.below(4)};
}

Dispatch any_dispatch(Feed& feed, const Handles& handles) {
    switch (feed.below(3)) {
    case 0: return Dispatch::groups(feed.number(), feed.number(), feed.number());
    case 1: return Dispatch::elements(feed.of(handles.counts), feed.number(), feed.number());
    default: return Dispatch::indirect(feed.of(handles.buffers), feed.number());
    }
}

void add_pass(Feed& feed, Graph& graph, const Handles& handles) {
    Pass pass;
    pass.name = any_name(feed);
    pass.shader = ShaderSource::glsl("");
    for (std::uint32_t i = feed.below(5); i > 0; --i) {
        if (feed.flag()) {
            pass.bindings.push_back({feed.of(handles.images), any_access(feed)});
        } else {
            pass.bindings.push_back({feed.of(handles.buffers).id, any_access(feed)});
        }
    }
    for (std::uint32_t i = feed.below(3); i > 0; --i) {
        pass.uses.push_back({feed.of(handles.buffers).id, any_access(feed)});
        pass.push.emplace_back(feed.of(handles.counts));
        pass.push.emplace_back(feed.of(handles.data));
        pass.constants.push_back(feed.number());
    }
    pass.dispatch = any_dispatch(feed, handles);
    pass.subgroup_size = feed.below(65);
    graph.add_pass(std::move(pass));
}

void add_primitive(Feed& feed, Graph& graph, Handles& handles) {
    const Ref a = feed.of(handles.buffers), b = feed.of(handles.buffers);
    const Segments segments = feed.flag()   ? Segments::of_length(feed.number())
                              : feed.flag() ? Segments::at_offsets(b)
                              : feed.flag() ? Segments::of_keys(b)
                                            : Segments::at_flags(b);
    Ref made;
    switch (feed.below(18)) {
    case 0: made = scan(graph, a, {.output = b, .segments = segments}); break;
    case 1: made = scan(graph, a, {.kind = ScanKind::exclusive, .tuning = {.workgroup = feed.number()}}); break;
    case 2: made = reduce(graph, a); break;
    case 3: made = select_if(graph, a, Predicate::compare(Comparison::less, feed.number()), {.output = b}).items; break;
    case 4: made = partition(graph, a, {Predicate::compare(Comparison::less, 5U)})[feed.below(2)].items; break;
    case 5: made = unique(graph, a).items; break;
    case 6: made = run_length_encode(graph, a, {.output_lengths = b}).values; break;
    case 7: made = expand(graph, a, {.capacity = feed.number()}).sources; break;
    case 8:
        made = radix_sort(graph, a, {.values = b, .first_bit = feed.below(40), .end_bit = feed.below(40)}).keys;
        break;
    case 9: made = segmented_sort(graph, a, segments, {.output_keys = b}).keys; break;
    case 10: made = top_k(graph, a, feed.number()).keys; break;
    case 11: made = merge(graph, a, b).keys; break;
    case 12: made = set_union(graph, a, b).keys; break;
    case 13: made = lower_bound(graph, a, b); break;
    case 14: made = histogram(graph, a, Bins::digit(feed.below(40))); break;
    case 15: made = gather(graph, a, b); break;
    case 16: made = reduce_by_key(graph, a, b).values; break;
    default: made = merge_sort(graph, a, "a < b").keys; break;
    }
    handles.buffers.push_back(made);
    handles.counts.push_back(made.count);
}

void add_image_work(Feed& feed, Graph& graph, Handles& handles) {
    const ImageId image = feed.of(handles.images), other = feed.of(handles.images);
    const BufferId buffer = feed.of(handles.buffers);
    switch (feed.below(6)) {
    case 0: graph.add_copy(any_name(feed), image, buffer, any_region(feed)); break;
    case 1: graph.add_copy(any_name(feed), buffer, image, any_region(feed)); break;
    case 2: graph.add_copy(any_name(feed), image, other, any_region(feed), any_region(feed)); break;
    case 3: graph.add_blit(any_name(feed), image, other, VK_FILTER_LINEAR, any_region(feed), any_region(feed)); break;
    case 4: graph.add_clear(any_name(feed), image, {}, any_region(feed)); break;
    default:
        handles.images.push_back(graph.part(
            image, {.mip = feed.below(8), .mips = feed.below(4), .layer = feed.below(8), .layers = feed.below(4)}));
        break;
    }
}

void add_resource(Feed& feed, Graph& graph, Handles& handles) {
    const std::uint32_t capacity = feed.number();
    switch (feed.below(9)) {
    case 0: handles.buffers.push_back(graph.import_buffer<std::uint32_t>(any_name(feed), capacity)); break;
    case 1:
        handles.buffers.push_back(
            graph.transient_buffer<std::uint32_t>(any_name(feed), capacity, feed.of(handles.counts)));
        break;
    case 2: handles.buffers.push_back(graph.state_buffer<std::uint32_t>(any_name(feed), capacity)); break;
    case 3: {
        const auto both = graph.history_buffer<std::uint32_t>(any_name(feed), capacity);
        handles.buffers.push_back(both.current);
        handles.buffers.push_back(both.previous);
        break;
    }
    case 4: handles.images.push_back(graph.transient_image(any_name(feed), any_image(feed))); break;
    case 5: handles.images.push_back(graph.import_image(any_name(feed), any_image(feed), any_access(feed))); break;
    case 6: handles.counts.push_back(graph.parameter(any_name(feed), capacity)); break;
    case 7: handles.counts.push_back(graph.count_in(feed.of(handles.buffers), feed.number(), capacity)); break;
    default:
        handles.switches.push_back(graph.add_switch(any_name(feed), feed.flag()));
        handles.data.push_back(graph.host_data(any_name(feed), feed.number()));
        break;
    }
}

void call(Feed& feed, Graph& graph, Graph& other, Handles& handles) {
    switch (feed.below(10)) {
    case 0:
    case 1: add_resource(feed, graph, handles); break;
    case 2: add_pass(feed, graph, handles); break;
    case 3: add_primitive(feed, graph, handles); break;
    case 4: add_image_work(feed, graph, handles); break;
    case 5: graph.add_fill(any_name(feed), feed.of(handles.buffers), feed.number()); break;
    case 6: graph.add_copy(any_name(feed), feed.of(handles.buffers), feed.of(handles.buffers), feed.number()); break;
    case 7: graph.export_buffer(feed.of(handles.buffers), any_access(feed), {.per_frame = feed.flag()}); break;
    case 8: graph.add_update(any_name(feed), feed.of(handles.data), feed.of(handles.buffers)); break;
    default:
        (void)graph.add_graph(other, {{feed.of(handles.buffers).id, feed.of(handles.buffers).id}}, any_name(feed));
        break;
    }
}

Capabilities any_device(Feed& feed) {
    Capabilities device;
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 4U << feed.below(6);
    device.max_workgroup_invocations = 256U << feed.below(3);
    device.max_workgroup_subgroups = device.max_workgroup_invocations / device.subgroup_size;
    device.max_workgroup_memory = 16384U << feed.below(2);
    device.max_workgroup_count_x = device.max_workgroup_count_y = device.max_workgroup_count_z = 65535;
    device.max_storage_range = feed.flag() ? 1U << 27 : ~0U;
    device.float64 = feed.flag();
    device.timeline_semaphores = feed.flag();
    if (device.timeline_semaphores) {
        device.queue_families = {0, feed.below(2), 1};
    }
    return device;
}

} // namespace

void graph(Bytes bytes) {
    Feed feed(bytes);
    const Capabilities device = any_device(feed);
    Graph graph(device), other(device);
    Handles handles;
    for (int calls = 0; calls < 40 && !feed.is_empty(); ++calls) {
        const std::uint32_t scope = feed.byte();
        if (scope < 10) {
            const auto on = graph.only_if(feed.of(handles.switches));
            call(feed, graph, other, handles);
        } else if (scope < 16) {
            const auto off = graph.unless(feed.of(handles.switches));
            call(feed, graph, other, handles);
        } else if (scope < 24) {
            const auto on = graph.only_if(feed.of(handles.counts));
            call(feed, graph, other, handles);
        } else if (scope < 40) {
            const auto on = graph.on_queue(static_cast<QueueKind>(feed.below(3)));
            call(feed, graph, other, handles);
        } else if (scope < 60) {
            call(feed, other, graph, handles);
        } else {
            call(feed, graph, other, handles);
        }
    }
    for (const Graph* each : {&graph, &other}) {
        if (const auto plan = make_plan(each->description())) {
            (void)plan->text();
        }
    }
}

} // namespace weir::fuzz
