#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <weir/graph/arguments.hpp>

#include "tests/graph/graph_contents.hpp"
#include "tests/graph/subresources.hpp"

namespace weir::tests {

/// Makes a random graph of up to `most` passes, not counting passes that compute dispatch arguments. Every read is
/// defined. Half of the graphs have images and command passes.
class GraphMaker : private GraphContents {
public:
    GraphMaker(Random& random, SomeGraph& graph, std::size_t most = 40, bool can_have_images = true,
               bool can_transfer = true)
        : GraphContents(random, graph, can_transfer), most_(most), with_images_(can_have_images && chance(2)) {}

    void make() {
        local_ = chance(2);
        make_buffers();
        if (with_images_) {
            make_images();
        }
        const auto passes = random_.uniform<std::size_t>(1, most_);
        for (std::size_t i = 0; i < passes; ++i) {
            const std::string name = "pass " + std::to_string(i);
            progress_ = static_cast<double>(i) / static_cast<double>(passes);
            change_scopes();
            change_queue();
            if (nests_ && chance(10)) {
                add_inner();
            }
            const auto kind = queue_ == QueueKind::transfer ? random_.uniform(0, 4) : random_.uniform(0, 9);
            if (kind == 0) {
                const WordRef buffer = pick();
                if (only_read_.contains(buffer.id.index)) {
                    continue;
                }
                set_written(buffer);
                graph_.add_fill(name, buffer, 0);
            } else if (kind == 1 || (queue_ == QueueKind::transfer && !with_images_)) {
                make_copy(name);
            } else if (with_images_ && kind < 5) {
                if (chance(4)) {
                    make_image_work(name);
                } else {
                    make_command_pass(name);
                }
            } else {
                make_pass(name);
            }
        }
        while (!scopes_.empty()) {
            scopes_.pop_back();
        }
        gpu_scopes_ = 0;
        for (const WordRef& late : late_) { // all reads of it have been added before this
            use_queue(some_queue(false));
            graph_.add_pass(pass("late writer", {write(late)}));
            set_written(late);
        }
        for (const auto& [current, previous] : histories_) {
            if (!readable(current)) {
                use_queue(some_queue(can_transfer_));
                graph_.add_fill("writes a history", current, 1);
            }
        }
        use_queue(QueueKind::main);
        for (const ImageId& current : image_histories_) {
            if (!readable(current)) {
                graph_.add_command_pass(command_pass("writes a history", {{current, Access::transfer_write}}));
                set_written(current);
            }
        }
        for (const ImageId& late : late_images_) {
            const bool can_draw = can_do(QueueKind::main, Access::color_write);
            graph_.add_command_pass(
                command_pass("late draw", {{late, can_draw ? Access::color_write : Access::transfer_write}}));
        }
        for (const WordRef& buffer : exportable_) {
            if (readable(buffer) && !undefined_.contains(buffer.id.index) && chance(3)) {
                const Accesses leaves = any_accesses(is_for_buffers);
                set_leaving_queue(buffer, leaves);
                graph_.export_buffer(buffer, leaves,
                                     {.per_frame = is_transient(buffer) && !has_part(buffer) && chance(3)});
            }
        }
        std::map<std::uint32_t, Accesses> leaving; // the same for all parts of an image, because they may overlap
        for (const ImageId& image : images_) {
            const std::uint32_t whole = whole_of(graph_.description(), image.index);
            const bool is_import = imported_.contains(whole);
            const Accesses leaves = leaving.emplace(whole, any_accesses(is_for_images)).first->second;
            if (!is_state(image) && readable(image) && !undefined_.contains(whole) && chance(3) &&
                (is_import || !leaves.contains(Access::present))) {
                set_leaving_queue({whole, image.graph}, leaves);
                const bool has_parts = image.index != whole || parted_.contains(whole);
                graph_.export_image(image, leaves, {.per_frame = !is_import && !has_parts && chance(3)});
            }
        }
        on_queue_.reset();
    }

private:
    [[nodiscard]] bool is_transient(ResourceId resource) const {
        return graph_.description().resources[resource.index].lifetime == GraphDescription::Lifetime::transient;
    }
    [[nodiscard]] bool is_state(ResourceId resource) const {
        return graph_.description().resources[resource.index].lifetime == GraphDescription::Lifetime::state;
    }
    [[nodiscard]] bool has_part(ResourceId resource) const { // also one of an inner graph
        const auto& resources = graph_.description().resources;
        return std::any_of(resources.begin(), resources.end(),
                           [&](const auto& node) { return node.part_of == resource.index; });
    }
    /// Returns a random element. In half of the graphs it is near the current position, so that most resources are not
    /// alive for long.
    template <class T>
    const T& near(const std::vector<T>& all) {
        const std::size_t last = all.size() - 1, reach = 2;
        const auto middle = static_cast<std::size_t>(progress_ * static_cast<double>(all.size()));
        return all[local_ ? random_.uniform(middle - std::min(middle, reach), std::min(middle + reach, last))
                          : random_.uniform<std::size_t>(0, last)];
    }
    WordRef pick() { return near(buffers_); }

    WordRef make_import(const std::string& name) {
        const Accesses arrives = any_accesses(is_for_buffers);
        const WordRef made = graph_.import(name, arrives);
        set_arriving_queues(made, arrives);
        return made;
    }
    std::uint32_t size() { return 4U << random_.uniform(0, 20); }
    /// Allows some transients, and images without contents, to be read before they are written.
    void maybe_allow_undefined(ResourceId resource) {
        if (chance(10)) {
            graph_.allow_undefined(resource);
            undefined_.insert(resource.index);
            set_written(resource);
        }
    }
    void make_buffers() {
        const auto count = random_.uniform<std::size_t>(1, most_ * 3 / 4);
        const bool has_histories = chance(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "buffer " + std::to_string(i);
            if (has_histories && chance(6)) {
                histories_.push_back(graph_.history_buffer<std::uint32_t>(name, 64));
                buffers_.push_back(histories_.back().current);
                buffers_.push_back(histories_.back().previous);
                set_written(buffers_.back());
                only_read_.insert(buffers_.back().id.index);
                continue;
            }
            switch (random_.uniform(0, 9)) {
            case 0:
                buffers_.push_back(graph_.state(name));
                set_written(buffers_.back());
                break;
            case 1:
                late_.push_back(graph_.transient(name, size()));
                exportable_.push_back(late_.back());
                break;
            case 2:
            case 3:
            case 4:
                buffers_.push_back(make_import(name));
                set_written(buffers_.back());
                exportable_.push_back(buffers_.back());
                break;
            default:
                buffers_.push_back(graph_.transient(name, size()));
                exportable_.push_back(buffers_.back());
                maybe_allow_undefined(buffers_.back());
                break;
            }
        }
        if (buffers_.empty()) {
            buffers_.push_back(make_import("one at least"));
            set_written(buffers_.back());
        }
        for (std::size_t i = 0; i < count && chance(2); ++i) {
            make_buffer_part();
        }
    }

    /// Adds some quarters of a buffer as a part.
    void make_buffer_part() {
        const WordRef whole = one_of(buffers_);
        const std::uint32_t first = random_.uniform(0U, quarters - 1), count = random_.uniform(1U, quarters - first);
        const bool is_part = whole_of(graph_.description(), whole.id.index) != whole.id.index;
        if (is_history(whole) || is_part || whole.capacity < 16) {
            return;
        }
        const std::uint32_t quarter = whole.capacity / quarters;
        buffers_.push_back(graph_.part(whole, first * quarter, count * quarter));
        parted_.insert(whole.id.index);
        if (undefined_.contains(whole.id.index)) {
            undefined_.insert(buffers_.back().id.index);
        }
    }
    [[nodiscard]] bool is_history(const WordRef& buffer) const {
        const auto& node = graph_.description().resources[buffer.id.index];
        return node.previous != ResourceId::none || node.current != ResourceId::none;
    }

    /// Opens a scope for a switch that an earlier scope has used, and closes one first that contradicts it.
    void open_branch() {
        const Switch which = one_of(switches_);
        const bool on = chance(3);
        const auto& open = graph_.description().open;
        const auto contradicts = [&](const GraphDescription::OpenCondition& scope) {
            return values_of({scope.condition}).contains({which.index, !on});
        };
        while (std::any_of(open.begin(), open.end(), contradicts)) {
            scopes_.pop_back();
        }
        scopes_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(on ? graph_.only_if(which) : graph_.unless(which))));
    }

    /// Adds passes that write and read a transient of their own, which may share memory with those of other branches.
    void make_scratch() {
        const WordRef made = graph_.transient("scratch", size()), to = pick();
        if (only_read_.contains(to.id.index)) {
            return;
        }
        if (queue_ == QueueKind::transfer || chance(2)) {
            graph_.add_fill("fill scratch", made, 0);
        } else {
            graph_.add_pass(pass("write scratch", {write(made)}));
        }
        if (queue_ == QueueKind::transfer || chance(2)) {
            graph_.add_copy("copy scratch", made, to, 16);
        } else {
            graph_.add_pass(pass("read scratch", {read(made), write(to)}));
        }
        set_written(to);
    }

    /// Opens and closes scopes, in a third of the graphs. In a third of these, some are exclusive.
    void change_scopes() {
        if (!scoped_) {
            return;
        }
        if (!scopes_.empty() && chance(3)) {
            scopes_.pop_back();
            gpu_scopes_ = std::min(gpu_scopes_, scopes_.size());
        }
        // In a scope of a count on the GPU, a branch could read that count although it never runs with its writers.
        if (branches_ && !switches_.empty() && gpu_scopes_ == 0 && chance(3)) {
            open_branch();
            for (int scratch = random_.uniform(0, 3); scratch > 0; --scratch) {
                make_scratch();
            }
            return;
        }
        if (!chance(5)) {
            return;
        }
        const WordRef counted = pick();
        if (with_images_ || chance(2)) { // command passes cannot depend on a count on the GPU
            const Switch on = graph_.add_switch("switch");
            switches_.push_back(on);
            scopes_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(graph_.only_if(on))));
        } else if (readable(counted.id)) {
            const Count count = graph_.count_in(counted, random_.uniform(0U, 1U), 100);
            use_queue(QueueKind::main); // for the pass that checks the count
            scopes_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(graph_.only_if(count))));
            gpu_scopes_ = scopes_.size();
            counted_.insert(whole_of(graph_.description(), counted.id.index));
        }
    }

    /// Imports an image with `info`, or a larger one of which it returns a part with `info`.
    ImageId make_connected(ImageInfo info) {
        if (chance(2)) {
            return graph_.import_image("connected", info);
        }
        const ImagePart part{.mip = 1, .mips = info.mips, .layer = 1, .layers = info.layers};
        info.extent = {info.extent.width * 2, info.extent.height * 2, 1};
        ++info.mips;
        ++info.layers;
        return graph_.part(graph_.import_image("connected", info), part);
    }

    /// Checks if a scope may depend on the buffer. A late writer in the scope could not run before a pass that writes
    /// the count and reads what the late writer writes.
    [[nodiscard]] bool is_count_of_scope(const WordRef& buffer) const {
        return gpu_scopes_ > 0 && counted_.contains(whole_of(graph_.description(), buffer.id.index));
    }

    /// Adds a small random graph as a node. Its buffer imports are connected to buffers that have been written, or to
    /// new imports.
    void add_inner() {
        use_queue(with_images_ || queue_ == QueueKind::transfer ? QueueKind::main : queue_); // images: it may draw
        SomeGraph inner(graph_.capabilities());
        GraphMaker maker(random_, inner, 6, with_images_, can_transfer_ && gpu_scopes_ == 0);
        maker.make();
        std::vector<Connection> connections;
        std::set<std::uint32_t> taken;
        const auto& resources = inner.description().resources;
        for (std::uint32_t i = 0; i < resources.size(); ++i) {
            if (resources[i].lifetime != GraphDescription::Lifetime::import) {
                continue;
            }
            const ResourceId import{i, inner.description().identity.get()};
            if (resources[i].part_of != ResourceId::none) {
                continue;
            }
            if (resources[i].image) {
                connections.push_back({import, make_connected(*resources[i].image)});
                continue;
            }
            WordRef to = pick();
            const bool is_part = whole_of(graph_.description(), to.id.index) != to.id.index;
            const bool has_parts =
                std::any_of(resources.begin(), resources.end(), [&](const auto& part) { return part.part_of == i; });
            if (is_part || (has_parts && is_history(to)) || !readable(to.id) || !readable_concurrently(to.id) ||
                only_read_.contains(to.id.index) || is_count_of_scope(to) || to.capacity < 64 ||
                !taken.insert(to.id.index).second) {
                to = make_import("connected");
            }
            connections.push_back({import, to.id});
        }
        const Subgraph made = graph_.add_graph(inner, connections, "inner");
        std::set<std::uint32_t> late; // only one pass may write them
        for (const WordRef& buffer : maker.late_) {
            late.insert(buffer.id.index);
        }
        for (const WordRef& buffer : maker.exportable_) {
            const WordRef out = made.buffer(buffer);
            if (!late.contains(buffer.id.index) && resources[buffer.id.index].exported && !readable(out)) {
                set_written_concurrently(out); // inner passes may have written it concurrently
                buffers_.push_back(out);
                exportable_.push_back(out);
            }
        }
    }

    void make_images() {
        const auto count = random_.uniform<std::size_t>(1, most_ / 2);
        const bool has_histories = chance(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "image " + std::to_string(i);
            ImageInfo info = some_image();
            info.extent = {1U << random_.uniform(0, 10), 1U << random_.uniform(0, 10), 1};
            info.layers = random_.uniform(1U, 3U);
            const auto most_mips =
                static_cast<std::uint32_t>(std::bit_width(std::max(info.extent.width, info.extent.height)));
            info.mips = chance(2) ? random_.uniform(1U, std::min(most_mips, 4U)) : 1;
            if (has_histories && chance(6)) {
                const HistoryImage history = graph_.history_image(name, info);
                image_histories_.push_back(history.current);
                images_.push_back(history.current);
                images_.push_back(history.previous);
                set_written(history.previous);
                only_read_.insert(history.previous.index);
                continue;
            }
            if (chance(8)) {
                late_images_.push_back(graph_.image(name, info));
            } else if (chance(3)) {
                const Accesses arrives = any_accesses(is_for_images);
                images_.push_back(graph_.import_image(name, info, arrives));
                imported_.insert(images_.back().index);
                set_arriving_queues(images_.back(), arrives);
                if (arrives != Access::none) {
                    set_written(images_.back());
                } else {
                    maybe_allow_undefined(images_.back());
                }
            } else {
                images_.push_back(graph_.image(name, info));
                maybe_allow_undefined(images_.back());
            }
            if (!images_.empty() && !is_state(images_.back()) && info.mips * info.layers > 1 && chance(2)) {
                make_parts(images_.back());
            }
        }
        if (images_.empty()) {
            images_.push_back(graph_.image("one image at least"));
        }
    }

    /// Adds parts of an image, and parts of these parts.
    void make_parts(ImageId image) {
        for (int parts = random_.uniform(1, 4); parts > 0; --parts) {
            const ImageId of = chance(4) ? images_.back() : image;
            const ImageInfo info = *graph_.description().resources[of.index].image;
            ImagePart part{.mip = random_.uniform(0U, info.mips - 1), .layer = random_.uniform(0U, info.layers - 1)};
            if (chance(2)) {
                part.mips = random_.uniform(1U, info.mips - part.mip);
            }
            if (chance(2)) {
                part.layers = random_.uniform(1U, info.layers - part.layer);
            }
            images_.push_back(graph_.part(of, part));
            parted_.insert(whole_of(graph_.description(), of.index));
        }
    }

    void make_copy(const std::string& name) {
        const WordRef from = pick(), to = pick();
        if (readable(from) && !have_common(graph_.description(), from.id.index, to.id.index) &&
            !only_read_.contains(to.id.index)) {
            graph_.add_copy(name, from, to, 16);
            set_written(to);
        }
    }

    void make_pass(const std::string& name) {
        Pass made = pass(name, {});
        std::set<std::uint32_t> touched, writes, concurrent;
        for (auto uses = random_.uniform(0, 5); uses > 0; --uses) {
            if (!late_.empty() && chance(8)) {
                made.bindings.push_back(read(one_of(late_)));
                continue;
            }
            if (!late_images_.empty() && chance(8)) {
                made.bindings.push_back(sampled(one_of(late_images_)));
                continue;
            }
            const bool is_image = with_images_ && chance(2);
            const ImageId image = is_image ? near(images_) : ImageId{};
            const ResourceId resource = is_image ? ResourceId(image) : ResourceId(pick().id);
            const bool is_only_read = only_read_.contains(resource.index);
            const int kind = is_only_read ? 0 : readable(resource) ? random_.uniform(0, 3) : 2;
            if (kind >= 2 ? meets(touched, resource) : meets(writes, resource)) {
                continue;
            }
            touched.insert(resource.index);
            if (kind >= 2) {
                writes.insert(resource.index);
            }
            made.bindings.push_back(kind == 0 && is_image    ? sampled(image)
                                    : kind == 0 && chance(4) ? uniform(BufferId{resource})
                                    : kind < 2               ? read(resource)
                                    : kind == 2              ? write(resource)
                                                             : read_write(resource));
            if (kind >= 2 && chance(4) && (kind == 2 || readable_concurrently(resource))) {
                made.bindings.back().concurrent = true;
                concurrent.insert(resource.index);
            }
        }
        while (!made.bindings.empty() && chance(4)) { // these are reached through sets of the application
            made.uses.push_back({made.bindings.back().resource, made.bindings.back().access, std::nullopt,
                                 made.bindings.back().concurrent});
            made.bindings.pop_back();
        }
        const WordRef counted = pick();
        if (readable(counted.id) && chance(4)) {
            made.dispatch = Dispatch::elements(graph_.count_in(counted, random_.uniform(0U, 1U), 100), 64);
        } else if (readable(counted.id) && !meets(writes, counted) && chance(8)) {
            made.dispatch = Dispatch::indirect(counted);
        } else if (readable(counted.id) && chance(8)) {
            made.dispatch = written_dispatch(graph_.count_in(counted, random_.uniform(0U, 1U), 100));
        }
        graph_.add_pass(std::move(made));
        set_all_written(writes, concurrent);
    }

    /// Returns an indirect dispatch whose arguments write_arguments writes, in one or two passes, after those of up to
    /// four draws.
    Dispatch written_dispatch(const Count& count) {
        std::vector<IndirectCommand> commands(random_.uniform<std::size_t>(0, 4), DrawArguments{.vertices = count});
        const auto word = static_cast<std::uint32_t>(4 * commands.size());
        commands.emplace_back(Dispatch::elements(count, 64));
        return Dispatch::indirect(write_arguments(graph_, commands), word);
    }

    /// Adds a clear, or a copy between a buffer and a layer of an image.
    void make_image_work(const std::string& name) {
        const ImageId image = near(images_);
        const WordRef buffer = pick();
        const ImageInfo info = *graph_.description().resources[image.index].image;
        const ImageRegion region{.mip = random_.uniform(0U, info.mips - 1),
                                 .layer = random_.uniform(0U, info.layers - 1)};
        const bool fits = image_bytes(info, region) <= std::uint64_t{buffer.capacity} * 4;
        const auto is_free = [&](ResourceId resource) { return !only_read_.contains(resource.index); };
        if (fits && chance(2) && readable(image) && is_free(buffer.id)) {
            graph_.add_copy(name, image, buffer, region);
            set_written(buffer);
        } else if (fits && readable(buffer.id) && is_free(image)) {
            graph_.add_copy(name, buffer, image, region);
            set_written(image, region);
        } else if (queue_ != QueueKind::transfer && is_free(image)) {
            graph_.add_clear(name, image, {}, region);
            set_written(image, region);
        }
    }

    void make_command_pass(const std::string& name) {
        std::vector<Use> uses;
        std::set<std::uint32_t> touched, written, raw_images, concurrent;
        for (auto count = random_.uniform(0, 5); count > 0; --count) {
            const bool is_image = chance(2);
            const ResourceId resource = is_image ? ResourceId(near(images_)) : ResourceId(pick().id);
            const Access access = any_access(is_image ? is_for_images : is_for_buffers);
            const UseScope raw = one_of(raw_uses(is_image));
            const bool is_raw = chance(5) && can_do(queue_, raw);
            const bool reads_it = is_raw ? raw.reads : reads(access), writes_it = is_raw ? raw.writes : writes(access);
            if ((!is_raw && (!is_for_commands(access) || !can_do(queue_, access))) ||
                (reads_it && !readable(resource)) || (writes_it && only_read_.contains(resource.index)) ||
                (writes_it || (is_raw && is_image) ? meets(touched, resource)
                                                   : meets(written, resource) || meets(raw_images, resource))) {
                continue;
            }
            touched.insert(resource.index);
            if (writes_it) {
                written.insert(resource.index);
            }
            if (is_raw && is_image) { // its layout must be that of all uses of the pass
                raw_images.insert(resource.index);
            }
            uses.push_back({resource, access, is_raw ? std::optional(raw) : std::nullopt});
            if (writes_it && chance(4) && (!reads_it || readable_concurrently(resource))) {
                uses.back().concurrent = true;
                concurrent.insert(resource.index);
            }
        }
        CommandPass made = command_pass(name, std::move(uses));
        made.keep = chance(8);
        graph_.add_command_pass(std::move(made));
        set_all_written(written, concurrent);
    }
    void set_all_written(const std::set<std::uint32_t>& written, const std::set<std::uint32_t>& concurrent) {
        for (const std::uint32_t index : written) {
            const ResourceId resource{index, graph_.description().identity.get()};
            if (concurrent.contains(index)) {
                set_written_concurrently(resource);
            } else {
                set_written(resource);
            }
        }
    }

    std::size_t most_;
    bool with_images_ = false, local_ = false;
    bool scoped_ = chance(3);
    bool branches_ = scoped_ && chance(3);
    bool nests_ = most_ > 6 && chance(4);
    std::vector<std::unique_ptr<OnlyIf>> scopes_; ///< open scopes
    std::vector<Switch> switches_;                ///< of scopes so far
    double progress_ = 0;                         ///< fraction of passes that have been added; the position for near()
    std::vector<WordRef> buffers_;
    std::vector<WordRef> late_; ///< transients whose only writer is added last
    std::vector<WordRef> exportable_;
    std::vector<History<std::uint32_t>> histories_;
    std::vector<ImageId> images_, late_images_;
    std::vector<ImageId> image_histories_; ///< their current images
    std::set<std::uint32_t> imported_;     ///< images
    std::set<std::uint32_t> parted_;       ///< images and buffers that have parts
    std::set<std::uint32_t> only_read_;    ///< previous buffers and images of histories
    std::set<std::uint32_t> counted_;      ///< buffers with counts of scopes
    std::set<std::uint32_t> undefined_;    ///< may be read before they are written
};

} // namespace weir::tests
