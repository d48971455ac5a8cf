#pragma once

#include <cstdint>
#include <vector>

#include "graph/program/program_impl.hpp"

namespace weir {

/// Records the passes of one execution, or a part of them, into a command buffer. Reads the program and changes only
/// its own scratch space, so several recorders of a program may record at the same time.
class Program::Impl::Recorder {
public:
    /// Reserves the scratch space that the passes of the program need.
    explicit Recorder(const Impl& program);

    /// Records a part of a batch. With `times`, writes a timestamp before the first pass and after each pass, from
    /// `slot` on. Errors: a command pass whose function threw.
    Result<> record(VkCommandBuffer commands, const RecordingPart& part, const Timestamps* times, std::uint32_t& slot);

private:
    /// Records the clearing of states and the barriers of imports that arrive with another access than declared.
    void record_start(VkCommandBuffer commands, std::uint32_t batch);
    /// Records the passes [first, last) of a group. Barriers precede its first pass, releases follow its last one.
    Result<> record_group(VkCommandBuffer commands, const PlanGroup& group, std::size_t first, std::size_t last,
                          const Timestamps* times, std::uint32_t& slot);
    void record_acquisitions(VkCommandBuffer commands, const PlanGroup& group);
    void record_releases(VkCommandBuffer commands, const PlanGroup& group);
    Result<> record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index);
    void record_image_work(VkCommandBuffer commands, const PlanGroup& group, const GraphDescription::PassNode& node,
                           const GraphDescription::ImageWork& work) const;
    void record_dispatch(VkCommandBuffer commands, std::uint32_t index);
    void push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
    void bind_sets(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline);
    void add_image_barrier(const ImageBarrier& planned);
    void add_handover(const OwnershipTransfer& handover, const Scope& source, const Scope& destination);
    /// Records `barriers` and the collected image and buffer barriers, and clears the collected ones.
    void record_barriers(VkCommandBuffer commands, const std::vector<VkMemoryBarrier2>& barriers);

    const Impl& program_;
    DescriptorBinding bound_;                             ///< in the current command buffer
    std::vector<std::uint32_t> push_;                     ///< words of one pass
    std::vector<VkDescriptorSet> sets_;                   ///< sets of one pass
    std::vector<VkImageMemoryBarrier2> image_barriers_;   ///< barriers of one group
    std::vector<VkBufferMemoryBarrier2> buffer_barriers_; ///< barriers of one group
};

} // namespace weir
