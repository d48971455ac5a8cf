#pragma once

#include "ply_header.hpp"

namespace weir::splats {

/// Opens a PLY file with an element `chunk`. Precondition: its element vertex has a property packed_position.
Result<SplatSource> open_compressed_ply(Bytes bytes, const PlyHeader& header);

} // namespace weir::splats
