#!/usr/bin/env bash
# Builds wheels into a folder, each with the static command of a platform, and prints their sizes and those of the
# commands. Usage: build.sh FOLDER [PLATFORM...], where PLATFORM is GOOS/GOARCH; all platforms unless some are named,
# and `host` is this one. It needs Go, and a Python with hatchling: PYTHON names it, python3 unless told otherwise.
# BUILDFLAGS replaces -trimpath and the tag. COMMANDS names a folder with commands that goreleaser built, which are taken
# instead. It fails if a command is larger than LIMIT bytes.
set -euo pipefail
(($# > 0)) || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")"

# The command is static, so that it runs on every Linux, with any C library. Go 1.26 needs macOS 12.
declare -A tags=(
	[linux/amd64]=manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64
	[linux/arm64]=manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64
	[darwin/amd64]=macosx_12_0_x86_64
	[darwin/arm64]=macosx_12_0_arm64
	[windows/amd64]=win_amd64
	[windows/arm64]=win_arm64
)
platforms=("$@")
(($# > 0)) || platforms=(linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
limit=${LIMIT:-34500000} # docs/performance.md says what the command consists of

for platform in "${platforms[@]}"; do
	[[ $platform != host ]] || platform=$(go env GOOS)/$(go env GOARCH)
	[[ -n ${tags[$platform]:-} ]] || { echo "build.sh: no platform $platform: ${!tags[*]}" >&2; exit 2; }
	binary=$scratch/$platform/lshclust
	[[ $platform != windows/* ]] || binary=$binary.exe
	if [[ -n ${COMMANDS:-} ]]; then
		mkdir -p "${binary%/*}"
		cp "$COMMANDS/lshclust_${platform/\//_}"_*/"${binary##*/}" "$binary"
	else
		GOOS=${platform%/*} GOARCH=${platform#*/} CGO_ENABLED=0 \
			go build ${BUILDFLAGS--trimpath -tags nethttpomithttp2} -ldflags "-s -w" -o "$binary" ../cmd/lshclust
	fi
	size=$(wc -c <"$binary")
	((size <= limit)) || { echo "build.sh: the command for $platform has $size bytes, more than $limit" >&2; exit 1; }
	mkdir -p "$scratch/wheel"
	LSHCLUST_WHEEL_BINARY=$binary LSHCLUST_WHEEL_PLATFORM=${tags[$platform]} \
		"${PYTHON:-python3}" -m hatchling build -t wheel -d "$scratch/wheel" >"$scratch/log" 2>&1 ||
		{ cat "$scratch/log" >&2; exit 1; }
	wheel=$(ls "$scratch/wheel")
	printf '%-14s command %9d bytes, wheel %9d bytes: %s\n' \
		"$platform" "$size" "$(wc -c <"$scratch/wheel/$wheel")" "$wheel"
	mv "$scratch/wheel/$wheel" "$folder/"
done
