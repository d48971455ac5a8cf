#include "stored_scene.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "effects.hpp"

namespace weir::paths {

namespace {

/// Bytes [begin, end) of the records of one type.
using Range = std::pair<std::size_t, std::size_t>;

constexpr std::size_t no_size = ~std::size_t{0}; ///< size of a copy that was not written: every scene differs from it

bool is_of(std::span<const std::byte> bytes, const auto& records) {
    return bytes.data() == std::as_bytes(std::span(records)).data();
}

/// Returns true for contents of records of effects, which are the last four.
bool is_of_effects(std::size_t contents) {
    return contents >= 10;
}

/// Returns the parts of the records that may differ from the first `known` bytes of the state's scene.
std::vector<Range> changed_ranges(const Scene& scene, std::span<const std::byte> bytes, const SceneState& state,
                                  std::size_t known) {
    const bool is_later = scene.is_later_than(state);
    if (is_later && is_of(bytes, scene.draws())) {
        std::vector<Range> ranges;
        for (const DrawRange& draws : scene.changed_draws(state)) {
            ranges.emplace_back(draws.first * sizeof(DrawRecord), draws.end * sizeof(DrawRecord));
        }
        return ranges;
    }
    // A layer that ends changes records of earlier ones.
    const bool has_edits = (is_of(bytes, scene.layers()) || is_of(bytes, scene.effects()) ||
                            is_of(bytes, scene.effect_ops()) || is_of(bytes, scene.effect_passes())) &&
                           scene.has_changed_layers(state);
    const bool is_known = is_later || (is_of(bytes, scene.texels()) && scene.has_texels_of(state));
    if (!is_known || has_edits) {
        known = 0;
    }
    return known < bytes.size() ? std::vector<Range>{{known, bytes.size()}} : std::vector<Range>();
}

} // namespace

Result<StoredScene> StoredScene::create(const Context& gpu, const Scene& scene) {
    StoredScene stored;
    for (const SceneContents& contents : contents_of({}, scene)) {
        const std::span<const std::byte> bytes = contents.bytes;
        auto buffer = gpu.create_buffer(std::max<std::size_t>(128, bytes.size()));
        if (!buffer) {
            return tl::unexpected(buffer.error());
        }
        if (!bytes.empty()) {
            if (auto done = gpu.upload(*buffer, bytes); !done) {
                return tl::unexpected(done.error());
            }
        }
        stored.records_.push_back({{{std::make_shared<Buffer>(std::move(*buffer)), bytes.size(), scene.state()}}, 0});
    }
    stored.shape_ = shape_of(scene);
    stored.effects_ = scene.effects();
    return stored;
}

/// Returns the index of a mapped copy that no frame uses, with capacity for `bytes`.
Result<std::size_t> StoredScene::writable_copy(const Context& gpu, Records& records, std::size_t bytes) {
    const auto is_writable = [&](const Copy& copy) {
        return copy.buffer.use_count() == 1 && copy.buffer->mapped() != nullptr && copy.buffer->size() >= bytes;
    };
    std::vector<Copy>& copies = records.copies;
    if (is_writable(copies[records.current])) {
        return records.current;
    }
    const auto found = std::find_if(copies.begin(), copies.end(), is_writable);
    if (found != copies.end()) {
        return static_cast<std::size_t>(found - copies.begin());
    }
    auto buffer = gpu.create_buffer(std::max<std::size_t>(128, bytes), MemoryKind::upload);
    if (!buffer) {
        return tl::unexpected(buffer.error());
    }
    copies.push_back({std::make_shared<Buffer>(std::move(*buffer)), no_size, {}});
    return copies.size() - 1;
}

Result<> StoredScene::update(const Context& gpu, const Scene& scene) {
    const std::vector<SceneContents> contents = contents_of({}, scene);
    SceneShape shape = shape_;
    shape.color_slots = std::max(shape.color_slots, scene.color_slots());
    shape.mask_slots = std::max(shape.mask_slots, scene.mask_slots());
    shape.features |= scene.features();
    shape.effect_passes = scene.effect_passes();
    shape.effect_depth = depth_of(scene.effects());
    shape.images = scene.external_images();
    std::vector<std::optional<std::size_t>> written(records_.size()); // copies
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const std::size_t bytes = contents[i].bytes.size();
        const Copy& copy = records_[i].copies[records_[i].current];
        if (bytes == copy.bytes && changed_ranges(scene, contents[i].bytes, copy.state, bytes).empty()) {
            continue;
        }
        if (is_of_effects(i)) { // other effects have other passes, and need another program
            shape.bytes[i] = bytes;
        } else if (bytes > shape.bytes[i]) {
            shape.bytes[i] = bytes + bytes / 2; // with capacity for more records, so that the program lasts
        }
        auto copied = writable_copy(gpu, records_[i], shape.bytes[i]);
        if (!copied) {
            return tl::unexpected(copied.error());
        }
        written[i] = *copied;
    }
    for (std::size_t i = 0; i < records_.size(); ++i) {
        if (written[i]) {
            records_[i].current = *written[i];
            write(scene, contents[i].bytes, records_[i].copies[*written[i]]);
        }
        free_old_copies(records_[i], shape.bytes[i]);
    }
    shape_ = std::move(shape);
    effects_ = scene.effects();
    return {};
}

/// Brings a copy up to date.
void StoredScene::write(const Scene& scene, std::span<const std::byte> bytes, Copy& copy) {
    std::byte* to = copy.buffer->mapped();
    for (const auto& [begin, end] : changed_ranges(scene, bytes, copy.state, copy.bytes)) {
        std::memcpy(to + begin, bytes.data() + begin, end - begin);
    }
    if (is_of(bytes, scene.instances()) && bytes.size() != copy.bytes) {
        static_assert(no_draw == ~0U);
        std::memset(to + bytes.size(), 0xFF, copy.buffer->size() - bytes.size());
    }
    copy.bytes = bytes.size();
    copy.state = scene.state();
}

/// Frees copies that no update can use: those in device memory, and smaller ones.
void StoredScene::free_old_copies(Records& records, std::size_t bytes) {
    for (std::size_t i = records.copies.size(); i-- > 0;) {
        const Buffer& buffer = *records.copies[i].buffer;
        if (i != records.current && (buffer.mapped() == nullptr || buffer.size() < bytes)) {
            records.copies.erase(records.copies.begin() + static_cast<std::ptrdiff_t>(i));
            records.current -= i < records.current ? 1 : 0;
        }
    }
}

std::vector<std::shared_ptr<Buffer>> StoredScene::buffers() const {
    std::vector<std::shared_ptr<Buffer>> all;
    for (const Records& records : records_) {
        all.push_back(records.copies[records.current].buffer);
    }
    return all;
}

Result<> bind_scene(Program& program, const SceneBuffers& imports, std::span<const std::shared_ptr<Buffer>> buffers) {
    const std::vector<SceneContents> contents = contents_of(imports, {});
    for (std::size_t i = 0; i < contents.size(); ++i) {
        if (contents[i].import.valid()) {
            if (auto bound = program.bind(contents[i].import, *buffers[i]); !bound) {
                return bound;
            }
        }
    }
    return {};
}

} // namespace weir::paths
