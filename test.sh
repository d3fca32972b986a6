#!/usr/bin/env bash
# All checks of the repository; needs Go and nothing else, but with CI=true a browser, which it installs if there is none.
#
#	./test.sh              everything; the linter only with CI=true or LINT=1, since it is built first
#	./test.sh STEP...      some of it: format vet build test nested noasm race lint
set -euo pipefail
cd "$(dirname "$0")"
export GOFLAGS="${GOFLAGS:--buildvcs=false}" # a checkout of another user would not build

golangci_lint=v2.15.0
# Their tests run under the race detector: they share memory between goroutines.
concurrent=(./extsort ./lsh)

format() {
	local wrong
	wrong=$(gofmt -l .)
	[[ -z $wrong ]] || { echo "not formatted with gofmt:" $wrong; return 1; }
}

vet() { go vet ./...; }

build() { go build ./...; }

# Two slow cores that others share take longer than the ten minutes that go test gives a package.
test_() { go test -timeout 20m ./...; }

# The browser that text/browser compares with. On a system whose chromium is no package of its own, such as Ubuntu, Google
# Chrome does as well, if it is there.
browser() {
	local name as_root=()
	[[ -z ${LSHCLUST_BROWSER:-} ]] || return 0
	for name in chromium google-chrome-stable google-chrome; do
		! command -v "$name" >/dev/null || return 0
	done
	((UID == 0)) || as_root=(sudo)
	"${as_root[@]}" apt-get update -q
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium
}

# Modules of their own, such as generators of assembly, keep their dependencies out of ours.
nested() {
	local mod
	[[ ${CI:-} != true ]] || browser
	while IFS= read -r mod; do
		echo "module in $(dirname "$mod")"
		(cd "$(dirname "$mod")" && go vet ./... && go test -timeout 20m ./...)
	done < <(find . -mindepth 2 -name go.mod -not -path '*/testdata/*')
}

noasm() {
	go build -tags noasm ./...
	go test -tags noasm ./minhash
}

race() {
	if ! command -v gcc >/dev/null || [[ $(go env CGO_ENABLED) != 1 ]]; then
		echo "left out: the race detector needs gcc"
		return
	fi
	go test -race -short "${concurrent[@]}"
	go test -race -short -run '^TestSameBytes$' ./pipeline
}

# The linter is built from the Go module proxy, under a name that says which one it is.
lint() {
	local tool=$PWD/bin/golangci-lint-$golangci_lint
	if [[ ! -x $tool ]]; then
		echo "building golangci-lint $golangci_lint"
		GOBIN=$PWD/bin go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$golangci_lint"
		mv bin/golangci-lint "$tool"
	fi
	"$tool" config verify
	"$tool" run ./...
}

wanted=("$@")
if ((${#wanted[@]} == 0)); then
	wanted=(format vet build test nested noasm race)
	[[ ${CI:-} != true && ${LINT:-} != 1 ]] || wanted+=(lint)
fi
for step in "${wanted[@]}"; do
	case $step in
	test) run=test_ ;;
	format | vet | build | nested | noasm | race | lint) run=$step ;;
	*) echo "no step $step: see the head of test.sh" >&2; exit 2 ;;
	esac
	began=$SECONDS
	echo "== $step"
	$run
	echo "== $step: passed in $((SECONDS - began)) s"
done
