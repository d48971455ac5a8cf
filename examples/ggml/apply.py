#!/usr/bin/env python3
"""apply.py GGML: changes ggml's Vulkan back end to compute argsort, top-k and cumsum by Weir.

Inserts lines into src/ggml-vulkan of a source tree of ggml, which then includes the files of this folder and needs an
installed Weir (CMAKE_PREFIX_PATH). Changes nothing and fails if a place is not found, or is found twice.
"""

import pathlib
import sys

here = pathlib.Path(__file__).resolve().parent
record = "    if (ggml_vk_weir_record(ctx, subctx, dst)) { return; }"

# File, start of the line that opens a function or struct (empty: the whole file), start of the line in it after which
# the text is inserted (empty: the opening line itself), text. A "-" before the opening line inserts before it.
CHANGES = [
    ("ggml-vulkan.cpp", "", '#include "ggml-vulkan-shaders.hpp"', '#include "weir_ggml.hpp"'),
    ("ggml-vulkan.cpp", "struct vk_device_struct {", "", "    std::shared_ptr<weir_ggml::Device> weir;"),
    ("ggml-vulkan.cpp", "    ~vk_device_struct() {", "", "        weir.reset();"),
    ("ggml-vulkan.cpp", "struct ggml_backend_vk_context {", "    vk_device device;",
     "    std::unique_ptr<weir_ggml::Recorder> weir;"),
    ("ggml-vulkan.cpp", "-static vk_device ggml_vk_get_device(size_t", "", '#include "ggml_vulkan.hpp"'),
    ("ggml-vulkan.cpp", "static vk_device ggml_vk_get_device(size_t",
     "        device->compute_queue = ggml_vk_create_queue(",
     "        ggml_vk_weir_adopt(device, device_features2, device_extensions);"),
    ("ggml-vulkan.cpp", "static void ggml_vk_argsort(", "", record),
    ("ggml-vulkan.cpp", "static void ggml_vk_topk(", "", record),
    ("ggml-vulkan.cpp", "static void ggml_vk_cumsum(", "", record),
    ("ggml-vulkan.cpp", "static void ggml_vk_graph_cleanup(", "", "    if (ctx->weir) { ctx->weir->completed(); }"),
    ("ggml-vulkan.cpp", "static bool ggml_backend_vk_device_supports_op(",
     "    const vk_device& device = ggml_vk_get_device(",
     "    if (ggml_vk_weir_supports(device, op)) { return true; }"),
    ("CMakeLists.txt", "", "    target_link_libraries(ggml-vulkan PRIVATE Vulkan::Vulkan)",
     "    find_package(weir 0.1 REQUIRED COMPONENTS c)\n"
     f'    target_sources(ggml-vulkan PRIVATE "{here}/weir_ggml.cpp")\n'
     f'    target_include_directories(ggml-vulkan PRIVATE "{here}")\n'
     "    target_link_libraries(ggml-vulkan PRIVATE weir::c)"),
]


def only(lines, start, end, first, last, file):
    """Returns the number of the only line in [first, last) that begins and ends with these texts."""
    found = [i for i in range(first, last) if lines[i].startswith(start) and lines[i].endswith(end)]
    if len(found) != 1:
        sys.exit(f"apply.py: {file}: {len(found)} lines begin with '{start}'; 1 is required")
    return found[0]


def insert(lines, file, opening, after, text):
    """Inserts the text of one change."""
    first, end, before = 0, len(lines), opening.startswith("-")
    opening = opening.lstrip("-")
    if opening:
        first = only(lines, opening, "{", 0, len(lines), file)
        indent = opening[: len(opening) - len(opening.lstrip())]
        end = next(i for i in range(first, len(lines)) if lines[i].rstrip(";") == indent + "}")
    at = only(lines, after, "", first, end, file) if after else first
    return lines[: at + (not before)] + text.split("\n") + lines[at + (not before) :]


def main():
    """Reads all files, applies all changes, and only then writes."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]) / "src" / "ggml-vulkan"
    texts = {}
    for file, opening, after, text in CHANGES:
        if file not in texts:
            texts[file] = (folder / file).read_text(encoding="utf-8").split("\n")
            if any("weir" in line for line in texts[file]):
                sys.exit(f"apply.py: {file} is changed already")
        texts[file] = insert(texts[file], file, opening, after, text)
    for file, lines in texts.items():
        (folder / file).write_text("\n".join(lines), encoding="utf-8")


main()
