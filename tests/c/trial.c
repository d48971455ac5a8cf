#include "trial.h"

#include <stdio.h>
#include <string.h>

void fail(trial* t, const char* file, int line, const char* what) {
    if (t->failure[0] == '\0') {
        snprintf(t->failure, sizeof t->failure, "%s:%d: %s; the last error: %s", file, line, what, t->error.message);
    }
}

weir_buffer* uploaded(trial* t, const void* data, size_t bytes) {
    weir_buffer* buffer = NULL;
    if (weir_buffer_create(t->context, bytes, WEIR_MEMORY_DEVICE, &buffer, &t->error) != WEIR_SUCCESS ||
        weir_upload(t->context, weir_buffer_range(buffer), data, bytes, &t->error) != WEIR_SUCCESS) {
        fail(t, __FILE__, __LINE__, "the upload fails");
    }
    t->kept[t->kept_count++] = buffer;
    return buffer;
}

int downloaded(trial* t, const weir_program* program, weir_buffer_ref buffer, void* data, size_t bytes) {
    weir_buffer_view range;
    if (weir_program_view(program, buffer, &range, &t->error) != WEIR_SUCCESS ||
        weir_download(t->context, data, bytes, range, &t->error) != WEIR_SUCCESS) {
        fail(t, __FILE__, __LINE__, "the download fails");
        return 0;
    }
    return 1;
}

void free_kept(trial* t) {
    while (t->kept_count > 0) {
        weir_buffer_destroy(t->kept[--t->kept_count]);
    }
}
