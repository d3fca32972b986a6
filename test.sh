#!/usr/bin/env bash
# Runs all checks of the repository. Needs only Go, and with CI=true a browser, npm, nginx and Apache, which it installs if
# they are not there, and Java and Python, for which it installs packages in temporary folders.
#
#	./test.sh              everything; dead and lint only with CI=true or LINT=1, because they build their tools first, and
#	                       wheel and spark only with CI=true, because they install packages of Python
#	./test.sh STEP...      some steps: format vet build test nested noasm race wheel spark dead lint
set -euo pipefail
cd "$(dirname "$0")"
export GOFLAGS="${GOFLAGS:--buildvcs=false}" # without it, a checkout of another user does not build

golangci_lint=v2.15.0
deadcode=v0.51.0
# Packages that share memory between goroutines. Their tests also run under the race detector.
concurrent=(./extsort ./lsh ./serve ./serve/api)

format() {
	local wrong
	wrong=$(gofmt -l .)
	[[ -z $wrong ]] || { echo "not formatted with gofmt:" $wrong; return 1; }
}

vet() { go vet ./...; }

build() { go build ./...; }

# On two slow, shared cores a package takes longer than the ten minutes that go test allows.
test_() { go test -timeout 20m ./...; }

# Installs the browser that text/browser compares with, unless there is one. On systems without a package chromium, such as
# Ubuntu, Google Chrome will do if it is installed.
browser() {
	local name
	[[ -z ${LSHCLUST_BROWSER:-} ]] || return 0
	for name in chromium google-chrome-stable google-chrome; do
		! command -v "$name" >/dev/null || return 0
	done
	installed chromium
}

# Installs Python with virtual environments, for the programs that bench compares with and for the wheel, unless there is
# one.
python() {
	python3 -c 'import ensurepip, venv' 2>/dev/null || installed python3 python3-venv
}

# Installs the web servers in which rules/servers tries its rules, unless they are there.
servers() {
	[[ -x /usr/sbin/nginx && -x /usr/sbin/apache2 ]] || installed nginx-light apache2
}

# Installs curl, with which the README asks a server, unless it is there.
curl() { type -P curl >/dev/null || installed curl ca-certificates; }

# Installs npm, with which serve/browser installs axe-core, unless it is there.
node() { command -v npm >/dev/null || installed npm; }

# Installs packages of the system.
installed() {
	local as_root=()
	((UID == 0)) || as_root=(sudo)
	"${as_root[@]}" apt-get update -q
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

# Nested modules, such as the generator of assembly, keep their dependencies out of the main module.
nested() {
	local mod
	if [[ ${CI:-} == true ]]; then
		browser
		python
		servers
		curl
		node
	fi
	while IFS= read -r mod; do
		echo "module in $(dirname "$mod")"
		(cd "$(dirname "$mod")" && go vet ./... && go test -timeout 20m ./...)
	done < <(find . -mindepth 2 -name go.mod -not -path '*/testdata/*')
}

# Tests the Python package: the wheel of this platform in a fresh virtual environment.
wheel() {
	python
	python/test.sh
}

# Tests the Python package on clusters of Spark, which need Java.
spark() {
	python
	command -v java >/dev/null || installed openjdk-17-jre-headless
	python/spark-test.sh
}

noasm() {
	go build -tags noasm ./...
	go test -tags noasm ./minhash
}

race() {
	if ! command -v gcc >/dev/null || [[ $(go env CGO_ENABLED) != 1 ]]; then
		echo "skipped: the race detector needs gcc"
		return
	fi
	go test -race -short "${concurrent[@]}"
	go test -race -short -run '^TestSameBytes$' ./pipeline
}

# Compares deadcode.txt, the functions that the command does not reach, with what deadcode finds.
dead() {
	diff <(grep -v '^#' deadcode.txt | grep . | LC_ALL=C sort) \
		<(go run "golang.org/x/tools/cmd/deadcode@$deadcode" ./cmd/lshclust |
			sed -E 's/^([^:]*):[0-9]+:[0-9]+: unreachable func: /\1 /' | LC_ALL=C sort) || {
		echo "deadcode.txt (<) differs from what the command does not reach (>)"
		return 1
	}
}

# Builds the linter from source, under a name that holds its version, and runs it.
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
	[[ ${CI:-} != true ]] || wanted+=(wheel spark)
	[[ ${CI:-} != true && ${LINT:-} != 1 ]] || wanted+=(dead lint)
fi
for step in "${wanted[@]}"; do
	case $step in
	test) run=test_ ;;
	format | vet | build | nested | noasm | race | wheel | spark | lint | dead) run=$step ;;
	*) echo "unknown step $step: see the head of test.sh" >&2; exit 2 ;;
	esac
	began=$SECONDS
	echo "== $step"
	$run
	echo "== $step: passed in $((SECONDS - began)) s"
done
