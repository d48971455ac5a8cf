#include <algorithm>
#include <array>
#include <atomic>
#include <span>
#include <type_traits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/device/device.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/threads.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::buffer_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const OnOneDriver on_one_driver{"Buffer.RoundTripLarger*"};

std::vector<std::uint8_t> random_bytes(std::size_t count) {
    Random random;
    std::vector<std::uint8_t> bytes(count);
    std::generate(bytes.begin(), bytes.end(),
                  [&] { return static_cast<std::uint8_t>(random.uniform<std::uint32_t>(0, 255)); });
    return bytes;
}

BufferView range(const Buffer& buffer, VkDeviceSize offset, VkDeviceSize size) {
    return {buffer.handle(), offset, size};
}

TEST(Buffer, RoundTripsOfOddSizesAndOffsets) {
    constexpr std::size_t room = 300'000;
    const Buffer buffer = ok(test_context().create_buffer(room));
    for (const std::size_t size : {1U, 2U, 3U, 5U, 255U, 4096U, 65'535U, 65'536U, 65'537U, 200'001U}) {
        for (const std::size_t offset : {0U, 1U, 3U, 4U, 77'777U}) {
            const auto before = poisoned<std::uint8_t>(room);
            const auto bytes = random_bytes(size);
            ok(test_context().upload(buffer, before));
            ok(test_context().upload(range(buffer, offset, size), bytes));
            auto expected = before;
            std::copy(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(offset));
            ASSERT_EQ(contents<std::uint8_t>(buffer, room), expected) << size << " bytes at " << offset;
            ASSERT_EQ(contents<std::uint8_t>(range(buffer, offset, size), size), bytes);
        }
    }
}

struct Point {
    float x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

template <class Items>
concept can_be_copied = requires(const Context& context, Items& items) {
    context.upload(BufferView{}, items);
    context.download(items, BufferView{});
};

TEST(Buffer, CopiesContiguousRanges) {
    const Context& context = test_context();
    const Buffer buffer = ok(context.create_buffer(64));
    const std::array<Point, 3> points{{{1, 2}, {3, 4}, {5, 6}}};
    ok(context.upload(buffer, points));
    EXPECT_EQ(ok(context.download<Point>(buffer, 3)), std::vector<Point>(points.begin(), points.end()));
    const double number[] = {7.5};
    ok(context.upload(range(buffer, 8, 8), std::span(number)));
    std::array<double, 1> found{};
    ok(context.download(std::span(found), range(buffer, 8, 8)));
    EXPECT_EQ(found[0], 7.5);
    std::vector<Point> read(3);
    ok(context.download(read, buffer));
    EXPECT_EQ(read[2], points[2]);
    EXPECT_NE(read[1], points[1]);
    EXPECT_FALSE(can_be_copied<std::vector<std::string>>);
    EXPECT_FALSE(can_be_copied<std::vector<bool>>);
    EXPECT_FALSE(can_be_copied<std::uint32_t>);
}

TEST(Buffer, UnmappedMemoryOfHostIsAnError) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    int made = 0, destroyed = 0;
    adopted.memory.create_buffer = [&](const VkBufferCreateInfo&, MemoryKind, MemoryHooks::Allocation& out) {
        ++made;
        out.allocation = &made;
        return VK_SUCCESS;
    };
    adopted.memory.destroy_buffer = [&](const MemoryHooks::Allocation& one) {
        EXPECT_EQ(one.allocation, &made);
        ++destroyed;
    };
    const Context context = ok(Context::adopt(adopted));
    const int before = made;
    for (const MemoryKind kind : {MemoryKind::upload, MemoryKind::download}) {
        EXPECT_THAT(
            context.create_buffer(100, {.kind = kind, .name = "corners"}),
            FailsWith(ErrorCode::invalid_argument,
                      AllOf(HasSubstr("the application's memory functions did not map"), HasSubstr("'corners'"))));
    }
    EXPECT_EQ(made - before, 2);
    EXPECT_EQ(destroyed, 2);
}

TEST(Buffer, HasRequestedUsageAndFamilies) {
    const HostDevice host;
    VkBufferCreateInfo asked{};
    AdoptedDevice adopted = host.adopted();
    adopted.memory.create_buffer = [&](const VkBufferCreateInfo& info, MemoryKind kind, MemoryHooks::Allocation&) {
        EXPECT_EQ(kind, MemoryKind::upload);
        asked = info;
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    };
    adopted.memory.destroy_buffer = [](const MemoryHooks::Allocation&) {};
    const Context context = ok(Context::adopt(adopted));
    const std::uint32_t family = host.queue_family();
    const auto made = context.create_buffer(100, {.kind = MemoryKind::upload,
                                                  .usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                                  .queue_families = {family, family},
                                                  .name = "corners"});
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    EXPECT_EQ(asked.usage & usage, usage);
    EXPECT_EQ(asked.sharingMode, VK_SHARING_MODE_EXCLUSIVE); // one family needs no sharing
    ASSERT_THAT(made, FailsWith(ErrorCode::out_of_memory, HasSubstr("'corners'")));
    EXPECT_EQ(made.error().result, VK_ERROR_OUT_OF_DEVICE_MEMORY);

    const std::uint32_t families[] = {0, 1};
    const auto info = ContextAccess::device(context)->memory().buffer_info(100, 0, families);
    EXPECT_EQ(info.sharingMode, VK_SHARING_MODE_CONCURRENT);
    EXPECT_EQ(info.queueFamilyIndexCount, 2U);
    EXPECT_THAT(context.create_buffer(100, {.queue_families = {family, 1000}}),
                FailsWith(ErrorCode::invalid_argument, HasSubstr("1000")));
}

TEST(Buffer, AdditionalUsageIsUsable) {
    const Buffer buffer =
        ok(test_context().create_buffer(64, {.usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT, .name = "indices"}));
    ok(test_context().upload(buffer, std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(contents(buffer, 2)[1], 2U);
}

TEST(Buffer, RoundTripLargerThanAChunk) {
    constexpr std::size_t words = (std::size_t{64} << 20) / 4 * 2 + 12'345;
    std::vector<std::uint32_t> items(words);
    for (std::size_t i = 0; i < words; ++i) {
        items[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    const Buffer buffer = ok(test_context().create_buffer(words * 4));
    ok(test_context().upload(buffer, items));
    EXPECT_TRUE(contents(buffer, words) == items);
}

TEST(Buffer, EmptyCopiesSucceed) {
    const Buffer buffer = buffer_of(std::vector<std::uint32_t>{7});
    EXPECT_TRUE(test_context().upload(buffer, std::vector<std::uint32_t>{}));
    EXPECT_TRUE(test_context().upload(BufferView{}, std::vector<std::uint32_t>{}));
    EXPECT_TRUE(contents(BufferView{}, 0).empty());
    EXPECT_EQ(contents(buffer, 1)[0], 7U);
}

TEST(Buffer, CopiesOutOfBoundsNameBothSizes) {
    const Buffer buffer = ok(test_context().create_buffer(100));
    EXPECT_THAT(test_context().upload(buffer, std::vector<std::uint8_t>(101)),
                FailsWith(ErrorCode::invalid_argument, "upload of 101 bytes: the buffer view has only 100 bytes"));
    EXPECT_THAT(test_context().download<std::uint32_t>(buffer, 26),
                FailsWith(ErrorCode::invalid_argument, "download of 104 bytes: the buffer view has only 100 bytes"));
    EXPECT_THAT(test_context().upload(BufferView{}, std::vector<std::uint8_t>(1)),
                FailsWith(ErrorCode::invalid_argument, testing::_));
}

TEST(Buffer, SizeZeroOrAboveLimitIsAnError) {
    const std::uint64_t limit = test_context().capabilities().max_buffer_size;
    EXPECT_THAT(test_context().create_buffer(0), FailsWith(ErrorCode::invalid_argument, testing::_));
    EXPECT_THAT(test_context().create_buffer(limit + 1),
                FailsWith(ErrorCode::limit_exceeded,
                          AllOf(HasSubstr(std::to_string(limit)), HasSubstr(std::to_string(limit + 1)))));
}

TEST(Buffer, UploadAndDownloadKindsAreMapped) {
    const Buffer up = ok(test_context().create_buffer(64, MemoryKind::upload));
    const Buffer down = ok(test_context().create_buffer(64, MemoryKind::download));
    const Buffer device = ok(test_context().create_buffer(64));
    ASSERT_NE(up.mapped(), nullptr);
    ASSERT_NE(down.mapped(), nullptr);
    EXPECT_EQ(device.mapped(), nullptr);
    const auto bytes = random_bytes(64);
    std::memcpy(up.mapped(), bytes.data(), 64);
    EXPECT_EQ(contents<std::uint8_t>(up, 64), bytes);
    ok(test_context().upload(down, bytes));
    EXPECT_EQ(std::memcmp(down.mapped(), bytes.data(), 64), 0);
}

TEST(Buffer, MovesAndOutlivesItsContext) {
    Buffer buffer;
    EXPECT_EQ(buffer.handle(), VK_NULL_HANDLE);
    {
        const Context context = ok(Context::create(validated()));
        Buffer other = ok(context.create_buffer(16));
        const VkBuffer handle = other.handle();
        buffer = std::move(other);
        EXPECT_EQ(buffer.handle(), handle);
        EXPECT_EQ(buffer.size(), 16U);
        buffer = ok(context.create_buffer(32));
    }
    EXPECT_EQ(buffer.size(), 32U);
}

TEST(Submit, RecordingErrorIsReturnedAndNothingRuns) {
    const Buffer buffer = buffer_of(std::vector<std::uint32_t>{1});
    const Device& device = *ContextAccess::device(test_context());
    const auto done = test_context().submit([&](VkCommandBuffer commands) -> Result<> {
        device.vk().vkCmdFillBuffer(commands, buffer.handle(), 0, 4, 9);
        return tl::unexpected(Error{ErrorCode::io, "no"});
    });
    EXPECT_THAT(done, FailsWith(ErrorCode::io, "no"));
    EXPECT_EQ(contents(buffer, 1)[0], 1U);
}

TEST(Submit, SeveralThreads) {
    std::atomic<int> right = 0;
    in_threads(4, [&](std::uint32_t thread) {
        for (std::uint32_t i = 0; i < 20; ++i) {
            const std::vector<std::uint32_t> items(1000 + i, thread * 1000 + i);
            right += contents(buffer_of(items), items.size()) == items ? 1 : 0;
        }
    });
    EXPECT_EQ(right, 80);
}

} // namespace
} // namespace weir::tests::buffer_test
