#!/bin/sh
# finish.sh SECONDS PACKAGE...: repacks the packages of CPack with dpkg-deb. Removes the scripts that CPack adds to call ldconfig, because a
# trigger calls it. Strips the files that Debian strips. Sets all dates to SECONDS. Order and permissions do not depend on the folder and the umask.
set -eu
umask 022
SOURCE_DATE_EPOCH=$1
export SOURCE_DATE_EPOCH
shift
for package in "$@"; do
    folder=$package.unpacked
    rm -rf "$folder"
    dpkg-deb -R "$package" "$folder"
    rm -f "$folder/DEBIAN/postinst" "$folder/DEBIAN/postrm"
    chmod -R u=rwX,go=rX "$folder"
    find "$folder/usr" -name '*.a' -exec strip --strip-debug --enable-deterministic-archives --remove-section=.comment --remove-section=.note {} +
    find "$folder/usr" -type f '(' -name '*.so*' -o -path '*/bin/*' ')' -exec strip --strip-unneeded --remove-section=.comment --remove-section=.note {} +
    (cd "$folder" && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums)
    size=$(find "$folder/usr" -printf '%y %s\n' | awk '{ size += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print size }')
    sed -i "s/^Installed-Size: .*/Installed-Size: $size/" "$folder/DEBIAN/control"
    find "$folder" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group -Zxz -b "$folder" "$package" >/dev/null
    rm -rf "$folder"
done
