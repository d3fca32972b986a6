#!/usr/bin/env bash
# Makes pages.jsonl.zst and gold.tsv.zst of internal/sample anew: downloads Debian's package postgresql-doc-15 and compresses the pages that lab sample selects.
# Needs apt-get, dpkg, zstd and Go. The same package and the same zstd give the same bytes. sample.go names the version of the
# package from which the committed file was made.
set -euo pipefail
cd "$(dirname "$0")/.."

package=postgresql-doc-15
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

to=$PWD/../internal/sample
(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package")
dpkg -x "$work"/"$package"_*.deb "$work/root"
go run . sample pages "$work/root/usr/share/doc/$package/html" >"$work/pages.jsonl"
zstd -q -19 --single-thread --force "$work/pages.jsonl" -o "$to/pages.jsonl.zst"
go run . sample gold >"$work/gold.tsv" # of the new pages
zstd -q -19 --single-thread --force "$work/gold.tsv" -o "$to/gold.tsv.zst"

dpkg-deb -W --showformat='${Package} ${Version}: ' "$work"/"$package"_*.deb
echo "$(wc -l <"$work/pages.jsonl") pages, $(wc -c <"$work/pages.jsonl") bytes, $(wc -c <"$to/pages.jsonl.zst") compressed"
