#!/usr/bin/env bash
# Compares the sample svg, which draws on the CPU, with librsvg, resvg and Skia.
#
#   compare.sh scenes RESULT   writes the mean differences of all pairs over scenes of Debian's packages to RESULT.md and RESULT.csv,
#                              and the worst five scenes to RESULT.png
#   compare.sh times           prints one-thread times of four scenes, to append to RESULT.md
#   compare.sh suite FOLDER    prints which drawings in FOLDER equal the .png next to them, to append to RESULT.md
#
# Unpacks programs and scenes into build/references. Installs nothing. These files must not be added to the tree. Needs Node.js 20 with
# npm, and Debian's package archive.
#
# All renderers draw the same documents over white. scenes.mjs removes text, images and filters, which weir::paths does not draw, and
# sets the size of the document. CanvasKit cannot read SVG: Skia draws the simplified document of resvg's toString() (canvaskit.mjs).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=../../../cmake/packages.sh
source "$root/cmake/packages.sh"
here="$root/benchmarks/peers/svg"
references="$build/references"

[[ $# -ge 1 && $1 =~ ^(scenes|times|suite)$ ]] || die "usage: compare.sh scenes RESULT | times | suite FOLDER"
what=$1
shift

provide_scenes() {
    local package
    mkdir -p "$references/packages"
    for package in openclipart-svg librsvg2-tests librsvg2-bin inkscape; do
        [[ -d $references/packages/$package ]] && continue
        (cd "$references" && apt-get -q download "$package" && dpkg -x "$package"_*.deb "packages/$package.new" &&
            mv -T "packages/$package.new" "packages/$package" && rm "$package"_*.deb)
    done
}
provide_peers() {
    cmp -s "$here/package.json" "$references/package.json" && return
    cp "$here/package.json" "$references/package.json.new"
    (cd "$references" && mkdir -p npm && cp "$here/package.json" npm/ && cd npm && npm install --no-audit --no-fund --no-package-lock)
    rm -rf "$references/node_modules"
    mv "$references/npm/node_modules" "$references/"
    mv "$references/package.json.new" "$references/package.json"
}

[[ -x $build/bin/svg ]] || "$root/run" svg --help >/dev/null
mkdir -p "$references"
provide_peers >&2
if [[ $what != suite ]]; then
    provide_scenes >&2
    set -- "$references/packages" "$@"
fi
rsvg="$references/packages/librsvg2-bin/usr/bin/rsvg-convert"
if [[ $what != suite ]]; then
    [[ $(ldd "$rsvg") != *"not found"* ]] || die "rsvg-convert cannot find libraries on which librsvg2-bin depends"
    export RSVG_CONVERT=$rsvg
fi
export WEIR_REFERENCES=$references WEIR_SVG=$build/bin/svg
exec node "$here/compare.mjs" "$what" "$@"
