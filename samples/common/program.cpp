#include "common/program.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#if defined(_WIN32)
#include <fcntl.h>
#include <io.h>
#endif

#include <weir/weir.hpp>

#include "common/propagate.hpp"

namespace samples {

int run_program(const char* name, const std::function<weir::Result<>()>& work) {
#ifdef SIGPIPE
    std::signal(SIGPIPE, SIG_IGN); // report a closed pipe as a write error
#endif
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN); // report a file above the process's size limit as a write error
#endif
#if defined(_WIN32)
    _setmode(_fileno(stdout), _O_BINARY); // do not write carriage returns
#endif
    const auto fail = [name](const char* why) {
        std::fprintf(stderr, "%s: %s\n", name, why);
        return 1;
    };
    try {
        if (const auto done = work(); !done) {
            return fail(done.error().message.c_str());
        }
    } catch (const std::bad_alloc&) {
        return fail("not enough memory");
    } catch (const std::exception& error) {
        return fail(error.what());
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        return fail("cannot write to standard output");
    }
    return 0;
}

weir::Result<> list_devices() {
    const auto devices = weir::Context::list_devices();
    SAMPLES_PROPAGATE(devices);
    for (const auto& device : *devices) {
        std::printf("%u: %s, %s, %s%s%s\n", device.index, device.name.c_str(), weir::to_string(device.kind),
                    device.driver.c_str(), device.unusable.empty() ? "" : "; not usable: ", device.unusable.c_str());
    }
    return {};
}

} // namespace samples
