#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/strips.hpp>
#include <weir/weir.hpp>

namespace weir::paths {

/// The buffers of a scene. A buffer that a pending frame uses does not change: an update writes into a copy of it. Each
/// copy is brought up to date by writing the records that have changed since it was written last.
class StoredScene {
public:
    /// Uploads a scene to device memory and waits.
    [[nodiscard]] static Result<StoredScene> create(const Context& gpu, const Scene& scene);
    /// Writes what has changed to mapped memory. Does not wait. After an error nothing has changed.
    [[nodiscard]] Result<> update(const Context& gpu, const Scene& scene);
    /// Returns the current buffers. A frame must hold them until it is complete.
    [[nodiscard]] std::vector<std::shared_ptr<Buffer>> buffers() const;
    /// Returns the shape for which a graph must be compiled.
    [[nodiscard]] const SceneShape& shape() const { return shape_; }
    /// Returns Scene::effects.
    [[nodiscard]] const std::vector<EffectRecord>& effects() const { return effects_; }

private:
    /// A buffer with the records of a scene.
    struct Copy {
        std::shared_ptr<Buffer> buffer;
        std::size_t bytes = 0; ///< size of the records
        SceneState state;      ///< scene of the records
    };
    /// Copies of the records of one type.
    struct Records {
        std::vector<Copy> copies;
        std::size_t current = 0; ///< index of the current copy
    };
    [[nodiscard]] static Result<std::size_t> writable_copy(const Context& gpu, Records& records, std::size_t bytes);
    static void write(const Scene& scene, std::span<const std::byte> bytes, Copy& copy);
    static void free_old_copies(Records& records, std::size_t bytes);

    std::vector<Records> records_; ///< in the order of contents_of
    SceneShape shape_;
    std::vector<EffectRecord> effects_;
};

/// Binds the current buffers of a scene.
Result<> bind_scene(Program& program, const SceneBuffers& imports, std::span<const std::shared_ptr<Buffer>> buffers);

} // namespace weir::paths
