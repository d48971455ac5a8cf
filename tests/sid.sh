#!/usr/bin/env bash
# tests/sid.sh COMMAND...   runs a command in a system of Debian's suite sid: the newest Mesa and validation layers, and Godot, which need a
#                           newer C library than Debian 12 has. Programs built on Debian 12 run there unchanged.
# The first call makes the system in build/sid, from the archive of this machine's apt sources (1.1 GB, with debootstrap: ./run deps
# --packages). Later calls install packages that were added to the list. Delete the folder to make it again with newer packages. Changes
# nothing outside; needs root and mounts.
# The command runs in the current folder with the current environment. /tmp and this tree are the same there.
# Exits with status 3 and prints the reason if the system is not available.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
system="$build/sid"
sid_packages=(
    mesa-vulkan-drivers vulkan-validationlayers libvulkan1 libstdc++6 libjemalloc2
    libfontconfig1 libfreetype6 libfribidi0 libharfbuzz0b
    libjpeg62-turbo libpng16-16t64 libwebp7 libgif7 libzstd1 libpugixml1v5 libshaderc1 # libraries of Weir's tests and samples
    godot xvfb xauth fonts-dejavu-core netpbm
    libglfw3 # examples/ogre
)

unavailable() { say "$1"; exit 3; }

# Runs a command in the system. Its mounts end with it.
inside() {
    # shellcheck disable=SC2016
    unshare --mount --fork bash -c '
        system=$1 root=$2 folder=$3
        shift 3
        mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev" && mount --bind /tmp "$system/tmp" &&
            mkdir -p "$system$root" && mount --rbind "$root" "$system$root" &&
            exec chroot "$system" sh -c '\''cd "$0" && exec "$@"'\'' "$folder" "$@"' - "$system" "$root" "$@"
}

make_system() {
    local uri
    uri=$(archive_uri)
    [[ $uri ]] || { echo "this machine's apt sources name no Debian archive"; return 1; }
    rm -rf --one-file-system "$system" && mkdir -p "$build/debootstrap" &&
        debootstrap --variant=minbase --cache-dir="$build/debootstrap" sid "$system" "$uri" &&
        cp /etc/resolv.conf /etc/hosts "$system/etc/" &&
        { apt-config dump | grep -iE '^Acquire::(.*Proxy|Check-Valid-Until)' >"$system/etc/apt/apt.conf.d/90archive" || true; } &&
        install_in_system
}
# Installs the packages that the system does not have.
install_in_system() {
    inside / env DEBIAN_FRONTEND=noninteractive sh -c \
        'apt-get -q update && apt-get -q -y install --no-install-recommends --no-upgrade "$@" && apt-get clean' - "${sid_packages[@]}" &&
        echo "${sid_packages[*]}" >"$system/.complete"
}
is_complete() { [[ $(cat "$system/.complete" 2>/dev/null) == "${sid_packages[*]}" ]]; }

(($#)) || die "usage: tests/sid.sh COMMAND..."
mkdir -p "$build"
((EUID == 0)) || unavailable "a system of Debian sid needs root"
unshare --mount true 2>/dev/null || unavailable "a system of Debian sid needs mounts, which are not allowed here"
if ! is_complete; then
    [[ -f $system/.complete ]] || command -v debootstrap >/dev/null || unavailable "debootstrap is missing (./run deps --packages)"
    (
        flock 9
        if is_complete; then
            exit 0
        elif [[ -f $system/.complete ]]; then
            step "installing packages in $system" install_in_system
        else
            step "making a system of Debian sid in $system" make_system
        fi
    ) 9>"$build/.sid.lock" || unavailable "the system of Debian sid cannot be made or lacks packages; see $log"
fi
inside "$PWD" "$@"
