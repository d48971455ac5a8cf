#include "paths/font.hpp"

#include <filesystem>
#include <memory>

#include "common/files.hpp"
#ifdef WEIR_BENCH_FREETYPE
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#endif

namespace weir::bench {

#ifdef WEIR_BENCH_FREETYPE

namespace {

/// Target of the callbacks of FreeType, which build an outline.
struct Pen {
    paths::Path path;
    float scale = 1;
    bool is_open = false;

    [[nodiscard]] paths::Point at(const FT_Vector* v) const {
        return {static_cast<float>(v->x) * scale, -static_cast<float>(v->y) * scale};
    }
    void close() {
        if (is_open) {
            path.close();
        }
        is_open = false;
    }
};

int move_to(const FT_Vector* to, void* user) {
    Pen& pen = *static_cast<Pen*>(user);
    pen.close();
    pen.path.move_to(pen.at(to));
    pen.is_open = true;
    return 0;
}

int line_to(const FT_Vector* to, void* user) {
    Pen& pen = *static_cast<Pen*>(user);
    pen.path.line_to(pen.at(to));
    return 0;
}

int quad_to(const FT_Vector* control, const FT_Vector* to, void* user) {
    Pen& pen = *static_cast<Pen*>(user);
    pen.path.quad_to(pen.at(control), pen.at(to));
    return 0;
}

int cubic_to(const FT_Vector* first, const FT_Vector* second, const FT_Vector* to, void* user) {
    Pen& pen = *static_cast<Pen*>(user);
    pen.path.cubic_to(pen.at(first), pen.at(second), pen.at(to));
    return 0;
}

} // namespace

Result<Font> read_font(const std::string& path) {
    FT_Library opened_library = nullptr;
    if (FT_Init_FreeType(&opened_library) != 0) {
        return tl::unexpected(Error{ErrorCode::unsupported, "FreeType cannot be initialized"});
    }
    const std::unique_ptr<FT_LibraryRec_, decltype(&FT_Done_FreeType)> library(opened_library, FT_Done_FreeType);
    FT_Face opened_face = nullptr;
    if (FT_New_Face(library.get(), path.c_str(), 0, &opened_face) != 0) {
        return samples::io_error(path, "FreeType cannot read it as a font");
    }
    const std::unique_ptr<FT_FaceRec_, decltype(&FT_Done_Face)> face(opened_face, FT_Done_Face);
    if (!FT_IS_SCALABLE(face.get())) {
        return samples::io_error(path, "the font has no outlines");
    }
    const float scale = 1 / static_cast<float>(face->units_per_EM);
    FT_Outline_Funcs functions{};
    functions.move_to = move_to;
    functions.line_to = line_to;
    functions.conic_to = quad_to;
    functions.cubic_to = cubic_to;
    Font font;
    for (char letter = ' '; letter <= '~'; ++letter) {
        Pen pen{.scale = scale};
        if (FT_Load_Char(face.get(), static_cast<FT_ULong>(letter), FT_LOAD_NO_SCALE) != 0 ||
            FT_Outline_Decompose(&face->glyph->outline, &functions, &pen) != 0) {
            return samples::io_error(path, std::string("the font has no outline of '") + letter + "'");
        }
        pen.close();
        font[letter] = {std::move(pen.path), static_cast<float>(face->glyph->advance.x) * scale};
    }
    return font;
}

#else

Result<Font> read_font(const std::string&) {
    return tl::unexpected(
        Error{ErrorCode::unsupported, "the benchmark was built without FreeType (Debian: libfreetype-dev)"});
}

#endif

std::string find_font() {
    namespace fs = std::filesystem;
    std::string found;
    std::error_code error;
    for (fs::recursive_directory_iterator file("/usr/share/fonts", error), end; !error && file != end;
         file.increment(error)) {
        if (file->path().filename() == "DejaVuSans.ttf") {
            return file->path().string();
        }
        const auto extension = file->path().extension();
        if ((extension == ".ttf" || extension == ".otf") && (found.empty() || file->path().string() < found)) {
            found = file->path().string();
        }
    }
    return found;
}

} // namespace weir::bench
