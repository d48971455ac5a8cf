// Weir on the Vulkan device that FFmpeg creates. FFmpeg decodes the frames of a video and uploads them into images of
// its pool. Weir counts their luma; it waits for the semaphores of the frames and signals them.
//
//     ffmpeg VIDEO [DEVICE]
//
// Compares all counts with those of the CPU. FFmpeg also downloads each frame again, for a second comparison.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_vulkan.h>
}
#include <weir/weir.hpp>

namespace {

void require(bool worked, const char* what) {
    if (!worked) {
        std::printf("failed: %s\n", what);
        std::exit(1);
    }
}

/// Decodes the first video stream of a file.
struct Video {
    explicit Video(const char* name) {
        require(avformat_open_input(&file, name, nullptr, nullptr) >= 0, "opening the video");
        require(avformat_find_stream_info(file, nullptr) >= 0, "reading the video");
        const AVCodec* codec = nullptr;
        stream = av_find_best_stream(file, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
        require(stream >= 0, "finding a video stream");
        decoder = avcodec_alloc_context3(codec);
        avcodec_parameters_to_context(decoder, file->streams[stream]->codecpar);
        require(avcodec_open2(decoder, codec, nullptr) >= 0, "opening the decoder");
    }
    ~Video() {
        av_packet_free(&packet);
        avcodec_free_context(&decoder);
        avformat_close_input(&file);
    }
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    /// Returns false if the video has no more frames.
    bool next(AVFrame* frame) {
        int status = 0;
        while ((status = avcodec_receive_frame(decoder, frame)) == AVERROR(EAGAIN)) {
            const bool is_over = av_read_frame(file, packet) < 0;
            if (is_over || packet->stream_index == stream) {
                avcodec_send_packet(decoder, is_over ? nullptr : packet);
            }
            av_packet_unref(packet);
        }
        require(status >= 0 || status == AVERROR_EOF, "decoding");
        return status >= 0;
    }

    AVFormatContext* file = nullptr;
    AVCodecContext* decoder = nullptr;
    AVPacket* packet = av_packet_alloc();
    int stream = -1;
};

/// Returns the pixel format without the mark for the range of its values, which formats of Vulkan frames do not have.
AVPixelFormat without_range(int format) {
    switch (format) {
    case AV_PIX_FMT_YUVJ420P: return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: return AV_PIX_FMT_YUV444P;
    default: return static_cast<AVPixelFormat>(format);
    }
}

/// Returns a pool of images of FFmpeg.
AVBufferRef* make_pool(AVBufferRef* device, const AVFrame& frame) {
    AVBufferRef* pool = av_hwframe_ctx_alloc(device);
    auto* frames = reinterpret_cast<AVHWFramesContext*>(pool->data);
    frames->format = AV_PIX_FMT_VULKAN;
    frames->sw_format = without_range(frame.format);
    frames->width = frame.width;
    frames->height = frame.height;
    const VkFormat* format = av_vkfmt_from_pixfmt(frames->sw_format);
    require(format != nullptr && *format == VK_FORMAT_R8_UNORM, "finding a plane of luma with 8 bits");
    require(av_hwframe_ctx_init(pool) >= 0, "creating a pool of images");
    return pool;
}

weir::Context adopt(AVBufferRef* device) {
    // [adopt]
    const auto& host = *static_cast<AVVulkanDeviceContext*>(reinterpret_cast<AVHWDeviceContext*>(device->data)->hwctx);
    weir::AdoptedDevice adopted;
    adopted.get_instance_proc_addr = host.get_proc_addr;
    adopted.instance = host.inst;
    adopted.api_version = VK_API_VERSION_1_2; // FFmpeg 5.1 requests this version
    adopted.physical_device = host.phys_dev;
    adopted.device = host.act_dev;
    adopted.queue_family = static_cast<std::uint32_t>(host.queue_family_comp_index);
    const auto get_device_proc =
        reinterpret_cast<PFN_vkGetDeviceProcAddr>(host.get_proc_addr(host.inst, "vkGetDeviceProcAddr"));
    const auto get_queue = reinterpret_cast<PFN_vkGetDeviceQueue>(get_device_proc(host.act_dev, "vkGetDeviceQueue"));
    get_queue(host.act_dev, adopted.queue_family, 0, &adopted.queue);
    adopted.enabled_features = &host.device_features;
    adopted.enabled_extensions = {host.enabled_dev_extensions,
                                  static_cast<std::size_t>(host.nb_enabled_dev_extensions)};
    return weir::check(weir::Context::adopt(adopted));
    // [/adopt]
}

/// Counts the bytes of the luma of a frame.
class Counter {
public:
    Counter(weir::Context context, const AVFrame& frame)
        : gpu_(std::move(context)), counts_(weir::check(gpu_.create_buffer(1024, weir::MemoryKind::download))) {
        const auto width = static_cast<std::uint32_t>(frame.width), height = static_cast<std::uint32_t>(frame.height);
        require(width * height % 4 == 0, "counting whole words");
        // [graph]
        weir::Graph graph(gpu_);
        luma_ = graph.import_image("luma", {.format = VK_FORMAT_R8_UNORM, .extent = {width, height, 1}},
                                   weir::Access::transfer_write); // the state after an upload by FFmpeg
        auto bytes = graph.transient_buffer<std::uint32_t>("bytes", width * height / 4);
        auto counts = graph.import_buffer<std::uint32_t>("counts", 256, {}, weir::Access::none);
        graph.add_copy("read", luma_, bytes);
        weir::histogram(graph, bytes, weir::Bins::bytes(), {.output = counts});
        graph.export_buffer(counts, weir::Access::host_read);
        program_ = weir::check(weir::compile(gpu_, graph));
        weir::check(program_->bind(counts, counts_));
        // [/graph]
    }

    std::array<std::uint32_t, 256> count(AVVkFrame& frame) {
        require(frame.layout[0] == weir::layout_of(weir::Access::transfer_write), "knowing the layout of the image");
        // [frame]
        weir::check(program_->bind(luma_, {frame.img[0], VK_NULL_HANDLE})); // no shader needs a view
        VkSemaphoreSubmitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
        wait.semaphore = frame.sem[0];
        wait.value = frame.sem_value[0];
        wait.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        VkSemaphoreSubmitInfo signal = wait;
        signal.value = frame.sem_value[0] + 1;
        weir::check(program_->submit({.waits = {&wait, 1}, .signaled = {&signal, 1}}));
        frame.sem_value[0] = signal.value;
        frame.layout[0] = weir::layout_of(weir::Access::transfer_read); // layout of its last use
        frame.access[0] = VK_ACCESS_TRANSFER_READ_BIT;
        // [/frame]
        weir::check(program_->wait());
        std::array<std::uint32_t, 256> found{};
        std::copy_n(reinterpret_cast<const std::uint32_t*>(counts_.mapped()), found.size(), found.begin());
        return found;
    }

private:
    weir::Context gpu_;
    weir::Buffer counts_; ///< mapped
    weir::ImageId luma_;
    std::optional<weir::Program> program_;
};

std::array<std::uint32_t, 256> expected(const AVFrame& frame) {
    std::array<std::uint32_t, 256> counts{};
    for (int y = 0; y < frame.height; ++y) {
        for (int x = 0; x < frame.width; ++x) {
            ++counts[frame.data[0][y * frame.linesize[0] + x]];
        }
    }
    return counts;
}

} // namespace

int main(int argc, char** argv) {
    require(argc > 1, "reading the arguments: VIDEO [DEVICE]");
    Video video(argv[1]);
    AVBufferRef* device = nullptr;
    require(av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VULKAN, argc > 2 ? argv[2] : nullptr, nullptr, 0) >= 0,
            "creating a device");
    AVBufferRef* pool = nullptr;
    std::optional<Counter> counter;
    AVFrame *decoded = av_frame_alloc(), *uploaded = av_frame_alloc(), *downloaded = av_frame_alloc();
    for (int number = 0; video.next(decoded); ++number) {
        if (!counter) {
            pool = make_pool(device, *decoded);
            counter.emplace(adopt(device), *decoded);
        }
        decoded->format = without_range(decoded->format);
        require(av_hwframe_get_buffer(pool, uploaded, 0) >= 0, "taking an image of the pool");
        require(av_hwframe_transfer_data(uploaded, decoded, 0) >= 0, "uploading");
        const auto counts = counter->count(*reinterpret_cast<AVVkFrame*>(uploaded->data[0]));
        require(counts == expected(*decoded), "the counts equal those of the CPU");
        require(av_hwframe_transfer_data(downloaded, uploaded, 0) >= 0, "downloading");
        require(counts == expected(*downloaded), "the downloaded frame is unchanged");
        std::size_t median = 0;
        const int texels = decoded->width * decoded->height;
        for (std::uint32_t below = counts[0]; below * 2 < static_cast<std::uint32_t>(texels); below += counts[median]) {
            ++median;
        }
        std::printf("frame %d: %d texels, median of luma %zu\n", number, texels, median);
        av_frame_unref(uploaded);
        av_frame_unref(downloaded);
    }
    require(counter.has_value(), "finding frames");
    counter.reset(); // must be destroyed before the device
    av_frame_free(&decoded);
    av_frame_free(&uploaded);
    av_frame_free(&downloaded);
    av_buffer_unref(&pool);
    av_buffer_unref(&device);
    return 0;
}
