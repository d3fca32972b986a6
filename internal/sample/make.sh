#!/usr/bin/env bash
# Makes pages.jsonl.zst anew: takes Debian's package postgresql-doc-15 and packs the pages that make.go picks.
# Needs apt-get, dpkg, zstd and Go. Equal package and equal zstd give equal bytes;
# the version in sample.go is that of the package the committed file was made from.
set -euo pipefail
cd "$(dirname "$0")"

package=postgresql-doc-15
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

here=$PWD
(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package")
dpkg -x "$work"/"$package"_*.deb "$work/root"
go run make.go "$work/root/usr/share/doc/$package/html" >"$work/pages.jsonl"
zstd -q -19 --single-thread --force "$work/pages.jsonl" -o "$here/pages.jsonl.zst"

dpkg-deb -W --showformat='${Package} ${Version}: ' "$work"/"$package"_*.deb
echo "$(wc -l <"$work/pages.jsonl") pages, $(wc -c <"$work/pages.jsonl") bytes, $(wc -c <pages.jsonl.zst) packed"
