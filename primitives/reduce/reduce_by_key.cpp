#include <weir/primitives/reduce_by_key.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/scan/scan_pass.hpp"

namespace weir {

namespace {

using detail::ReduceByKeyRequest;

constexpr const char* name = "reduce by key";

bool check(Graph& graph, const ReduceByKeyRequest& request) {
    const std::uint64_t n = request.count.max;
    if (!check_room(graph, name, {"the input of keys", request.keys, request.key_capacity}, n, request.key_words) ||
        !check_room(graph, name, {"the input of values", request.values, request.value_capacity}, n,
                    request.element.words()) ||
        !check_room(graph, name, {"the count", request.run_count, request.run_count.capacity}, 1, 1)) {
        return false;
    }
    const BufferId written[] = {request.output_keys, request.output_values, request.run_count};
    const BufferId only_read[] = {request.keys, request.values, buffer_of(request.count)};
    return check_apart(graph, name, written, only_read);
}

} // namespace

void detail::add_reduce_by_key(Graph& graph, const ReduceByKeyRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const auto refuse = [&](ErrorCode code, const std::string& why) { graph.fail({code, concat(name, ": ", why)}); };
    ScanPass scan;
    scan.name = name;
    scan.words = request.element.words();
    scan.count = request.count;
    scan.items = {read(request.values), write(request.output_values)};
    scan.other = write(request.output_keys);
    scan.total = write(request.run_count);
    scan.initial = request.initial;
    scan.segments = {.kind = Segments::Kind::keys,
                     .buffer = request.keys,
                     .capacity = request.key_capacity,
                     .key_words = request.key_words};
    scan.run_room = request.room;
    scan.tuning = request.tuning;

    if (const Monoid* monoid = std::get_if<Monoid>(request.op)) {
        scan.exact = monoid->exact;
        const auto words = monoid_words(*monoid, graph.capabilities());
        if (!words) {
            graph.fail(words.error());
        } else if (*words != scan.words) {
            refuse(ErrorCode::invalid_argument, concat("values have ", scan.words, " words, the struct of monoid '",
                                                       monoid->name, "' has ", *words));
        } else {
            add_scan_pass(graph, scan,
                          [&](const ScanKernel& kernel) { return custom_scan_kernel(*monoid, nullptr, true, kernel); });
        }
        return;
    }
    const auto built_in = built_in_operator(graph.capabilities(), request.element, std::get<Operator>(*request.op));
    if (!built_in) {
        refuse(built_in.error().code, built_in.error().message);
        return;
    }
    scan.op = built_in->op;
    scan.exact = built_in->exact;
    add_scan_pass(graph, scan, [&](const ScanKernel& kernel) {
        return kernel.is_common() ? ShaderSource::packed(*built_in->kernels->reduce_by_key, name)
                                  : built_in_scan_kernel(*built_in->kernels, true, kernel);
    });
}

} // namespace weir
