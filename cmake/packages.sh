# Lists and installs packages of the distribution. Sourced with $root set, by ./run, cmake/lint.sh, tests and others.
# shellcheck shell=bash

build="$root/build"
log="$build/setup.log"

# Packages for the library, samples and benchmarks.
packages=(
    g++ cmake ninja-build pkg-config
    libvulkan-dev libvulkan-volk-dev libshaderc-dev glslc spirv-tools
    libspdlog-dev libexpected-dev libcli11-dev nlohmann-json3-dev libfccp-dev
    libpugixml-dev libjpeg-dev libpng-dev zlib1g-dev libglfw3-dev libimgui-dev
    libfontconfig-dev libfreetype-dev libfribidi-dev libharfbuzz-dev # optional: weir::text
    mesa-vulkan-drivers
    libjemalloc2 # optional: find_allocator
    libgif-dev libwebp-dev # optional: images of SVG files in these formats; .sog files of splats
    libzstd-dev # optional: .spz files of version 4
)
# Packages for the tests.
test_packages=(
    libgtest-dev libgmock-dev librapidcheck-dev
    vulkan-validationlayers
    git xvfb xdotool netpbm # for tests/scripts/ci.sh and the windows of the samples
    fonts-dejavu-core # for tests of weir::text
    spin python3-z3 # for the models in tests/models
    doxygen doxygen-awesome-css # for tests/scripts/docs.sh
)
# Packages to build and test the Python package (docs/python.md).
python_packages=(python3-dev python3-numpy python3-cffi python3-pip python3-setuptools python3-wheel python3-venv)
test_packages+=("${python_packages[@]}")
# Packages to build and try Debian packages (docs/building.md), to compare versions and measure coverage for releases
# (docs/releases.md), and to compile headers with Clang.
package_packages=(dpkg-dev lintian debootstrap abigail-tools gcovr clang)
# Libraries of other projects, for the examples with another host (docs/hosts.md); 70 MB to download.
host_packages=(
    libsdl2-dev libplacebo-dev libavformat-dev libavcodec-dev libavutil-dev
    qt6-base-dev qt6-base-private-dev
)
# MinGW-w64 and Wine, for the tests of Weir for Windows; 1.1 GB to download.
windows_packages=(
    g++-mingw-w64-x86-64-posix mingw-w64-x86-64-dev googletest
    wine64 wine64-tools libwine-dev
    xvfb mesa-vulkan-drivers
)

say() { printf 'weir: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Sets `allocator` to arguments of `env` that load jemalloc. SPIRV-Tools and LLVM allocate often: with jemalloc, shaders take a third
# less time to compile, and drivers on the CPU take a fourth less to compile pipelines.
find_allocator() {
    allocator=()
    local library
    library=$(PATH=$PATH:/sbin ldconfig -p 2>/dev/null | sed -n '/libjemalloc\.so\.2 /{s/.*=> //p;q}' || true)
    if [[ $library ]] && ! grep -qs -e -fsanitize "$build/CMakeCache.txt"; then
        allocator=("LD_PRELOAD=$library" MALLOC_CONF=dirty_decay_ms:-1,muzzy_decay_ms:-1)
    fi
}

# Appends its input to the log. On a terminal, shows the progress of Ninja, such as [n/430].
log_output() {
    if [[ ! -t 2 ]]; then
        cat >>"$log"
        return
    fi
    local line
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        [[ $line =~ ^\[[0-9]+/[0-9]+\] ]] && printf '\r%s ' "${BASH_REMATCH[0]}" >&2
    done 3>>"$log"
    printf '\r\e[K' >&2
}

# step WHAT COMMAND...: prints WHAT and runs the command with its output in the log. Shows the end of the log if the command fails.
step() {
    local what=$1 status=0
    shift
    say "$what"
    printf '\n== %s: %s\n' "$what" "$*" >>"$log"
    "$@" 2>&1 </dev/null | log_output || status=${PIPESTATUS[0]}
    ((status)) || return 0
    tail -n 40 "$log" >&2
    say "failed: $what (full log: $log)"
    return $status
}

has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# Prints the packages among the arguments that are not installed.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status}:${Package}\n' "$@" 2>/dev/null || true)
    local package
    for package in "$@"; do
        [[ $'\n'$installed$'\n' == *$'\n'"installed:$package"$'\n'* ]] || printf '%s\n' "$package"
    done
}

# Installs the packages among the arguments that are missing.
install_packages() {
    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die "please install, as root: apt-get install ${missing[*]}"
        apt=(sudo "${apt[@]}")
    fi
    step "reading the package lists" "${apt[@]}" update || return
    step "installing ${missing[*]}" "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# The address of the Debian archive that this machine's own apt sources name. Empty elsewhere than on Debian.
archive_uri() {
    has_apt || return 0
    local codename
    codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n "s/^Debian $codename main //p" | head -n 1
}

# archive_get SUITE PACKAGE FOLDER: unpacks a package from a suite of the machine's Debian archive into FOLDER.
# apt works on a private source list and private folders: the system's sources and packages stay as they are. apt prefers the installed
# version of a package to an older one, so the list of installed packages is private and empty.
archive_get() {
    local suite=$1 package=$2 folder=$3 state="$build/apt/$1" uri
    rm -rf "$state"
    uri=$(archive_uri)
    [[ $uri ]] || { echo "this machine's apt sources name no Debian archive"; return 1; }
    mkdir -p "$state"/{sources,lists/partial,cache/archives/partial,preferences,packages} "$folder"
    : >"$state/status"
    cat >"$state/sources/archive.sources" <<END
Types: deb
URIs: $uri
Suites: $suite
Components: main
Architectures: $(dpkg --print-architecture)
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
    local apt=(
        apt-get -q
        -o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$state/sources"
        -o "Dir::Etc::Preferences=/dev/null" -o "Dir::Etc::PreferencesParts=$state/preferences"
        -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache"
        -o "APT::Sandbox::User=root" -o "Acquire::Languages=none"
    )
    "${apt[@]}" update -o APT::Update::Error-Mode=any &&
        (cd "$state/packages" && "${apt[@]}" -t "$suite" download "$package") &&
        dpkg -x "$state/packages/${package}"_*.deb "$folder" && rm -rf "$state"
}
