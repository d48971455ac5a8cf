#!/usr/bin/env bash
# Tests archive_get of cmake/packages.sh with a small archive: it must take the version in the archive, regardless of the installed one.

name=archive
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../../cmake/packages.sh
source "$root/cmake/packages.sh"

has_apt || { skip archive "apt is not available"; exit 0; }
[[ -f /usr/share/keyrings/debian-archive-keyring.gpg ]] || { skip archive "the keys of Debian are not installed"; exit 0; }
build=$out
architecture=$(dpkg --print-architecture)
archive_uri() { echo "file:$out/archive"; }

# The archive has version 1 of the package.
mkdir -p package/DEBIAN package/usr/share/weir-trial archive/pool archive/dists/trial/main/binary-"$architecture" system
echo "version 1" >package/usr/share/weir-trial/version
printf '%s\n' "Package: weir-trial" "Version: 1" "Architecture: all" "Maintainer: Weir <weir@example.org>" "Description: for a test" >package/DEBIAN/control
dpkg-deb --root-owner-group --build package archive/pool/weir-trial_1_all.deb >dpkg-deb.log 2>&1
file=archive/pool/weir-trial_1_all.deb
index=main/binary-$architecture/Packages
{
    dpkg-deb -f "$file"
    printf '%s\n' "Filename: ${file#archive/}" "Size: $(stat -c %s "$file")" "SHA256: $(sha256sum <"$file" | cut -d ' ' -f 1)"
} >"archive/dists/trial/$index"
(
    cd archive/dists/trial || exit
    printf '%s\n' "Suite: trial" "Codename: trial" "Components: main" "Architectures: $architecture" "Date: $(LC_ALL=C date -Ru)" "SHA256:"
    printf ' %s %s %s\n' "$(sha256sum <"$index" | cut -d ' ' -f 1)" "$(stat -c %s "$index")" "$index"
) >Release && mv Release archive/dists/trial/

# The system has version 2, which is not in the archive. The archive is not signed.
printf '%s\n' "Package: weir-trial" "Status: install ok installed" "Version: 2" "Architecture: all" "Maintainer: Weir <weir@example.org>" \
    "Description: for a test" "" >system/status
cat >apt.conf <<END
Dir::State::status "$out/system/status";
Acquire::AllowInsecureRepositories "true";
APT::Get::AllowUnauthenticated "true";
END
export APT_CONFIG=$out/apt.conf
[[ $(apt-cache policy weir-trial) == *"Installed: 2"* ]]
result archive_system_has_another_version $? "$(apt-cache policy weir-trial)"

archive_get trial weir-trial unpacked >get.log 2>&1
result archive_get_with_another_version_installed $? "$(cat get.log)"
[[ $(cat unpacked/usr/share/weir-trial/version) == "version 1" ]]
result archive_get_unpacks_the_version_of_the_archive $?
[[ ! -e $out/apt/trial ]]
result archive_get_leaves_no_lists $? "$(find "$out/apt")"
