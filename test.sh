#!/usr/bin/env bash
# Runs the tests. A change must pass the default, which needs Go and git and installs nothing.
#
#	./test.sh [FLAG...]          format, vet, build and test; flags go to go test: ./test.sh -count=1
#	./test.sh all [FLAG...]      also everything below, as the build machine does
#	./test.sh rest [FLAG...]     what all adds
#	./test.sh STEP... [FLAG...]  some steps
#
#	format vet build test        the default
#	long                         tests whose names begin with TestLong: repetitions, real data, many kills
#	nested                       the nested modules: screens, documents, browsers, web servers, the server's API, the lab
#	noasm race wheel spark       without assembly, with the race detector, the Python package, the same on Apache Spark
#	ports                        the run of the demo on machines with 32 bits and with the other byte order: the same bytes
#	dead lint vuln               functions that nothing reaches, golangci-lint, known vulnerabilities in what is reached
#
# A step that needs a program that is not there is left out and named; with CI=true, the program is installed.
set -euo pipefail
cd "$(dirname "$0")"
export GOFLAGS="${GOFLAGS:--buildvcs=false}" # without it, a checkout of another user does not build

golangci_lint=v2.15.0
deadcode=v0.51.0
govulncheck=v1.9.0
# Packages that share memory between goroutines. Their tests also run under the race detector.
concurrent=(./internal/extsort ./lsh ./internal/serve ./internal/serve/api)
defaults=(format vet build test)
rest=(long noasm race ports dead lint vuln)
waiting=(nested wheel spark) # of the rest, what waits much
left=() # what was left out, with the reason

format() {
	local wrong
	wrong=$(gofmt -l .)
	[[ -z $wrong ]] || { echo "not formatted with gofmt:" $wrong; return 1; }
}

vet() {
	[[ -d $(go env GOCACHE)/ff ]] || echo "the first time, this downloads modules and compiles all packages: some minutes"
	go vet ./...
}

build() { go build ./...; }

# Runs tests of this module and sums up what go test -v says. The step vet has vetted them. The limit only ends what hangs.
tests() { go test -v -vet=off -timeout 60m "$@" 2>&1 | summary; }

# Prints a line for each package, what packages that fail say, why tests were skipped, which took longest, and how many
# passed. Fails if a package failed or no test ran.
summary() {
	local line reason="no reason" said=() passed=0 failed=0 skipped=0 broken=0 left
	local -A why=()
	while IFS= read -r line; do
		case $line in
		"=== "* | "?  "*) continue ;;
		"--- PASS"*) ((++passed)) ;;
		"--- FAIL"*) ((++failed)) ;;
		"--- SKIP"*) ((++skipped)) ;;
		"ok  "*) said=() && echo "$line" && continue ;;
		FAIL$'\t'*) ((++broken)) && printf '%s\n' "${said[@]}" "$line" && said=() && continue ;;
		esac
		[[ ! $line =~ _test\.go:[0-9]+:\ (.*) ]] || reason=${BASH_REMATCH[1]}
		[[ ! $line =~ ^\ *---\ SKIP ]] || why[$reason]+=.
		[[ ! $line =~ ^---\ PASS:\ (.*)\ \((.*)s\) ]] || echo "${BASH_REMATCH[2]} s ${BASH_REMATCH[1]}" >&3
		said+=("$line")
	done 3>"$scratch/times"
	for line in "${!why[@]}"; do echo "skipped ${#why[$line]}: $line"; done
	((all == 0)) || { sort -rn -o "$scratch/times" "$scratch/times" && head "$scratch/times"; }
	echo "tests: $passed passed, $failed failed, $skipped skipped"
	left=$(left_out)
	((failed + broken == 0 && passed > 0)) || return 1
	((left == 0)) || echo "$passed tests passed, $left were left out: ./test.sh all runs them"
}

test_() { tests -skip '^TestLong' "${flags[@]}" ./...; }

# Only packages that have such tests are linked.
long() { tests -run '^TestLong' "${flags[@]}" $(long_tests -l | sed 's,/[^/]*$,,; s,^,./,' | sort -u); }

# Prints the number of tests that the default leaves out, unless all run.
left_out() {
	((all == 0)) || { echo 0; return; }
	long_tests -h | wc -l
}

# Finds the long tests of this module; those of the lab are run by hand.
long_tests() { git grep -E "$1" '^func TestLong' -- '*_test.go' ':!:lab'; }

# Nested modules keep the dependencies of their tests out of the main module. Of the lab, the tests that guard lshclust
# run here, and `make -f lab/Makefile test` runs all. Two modules are tested at a time, since many of their tests wait
# for browsers, servers and terminals.
nested() {
	has chromium-headless-shell || { [[ ${CI:-} != true ]] && has chromium google-chrome-stable google-chrome; } ||
		install "tests in a browser" chromium-headless-shell || true
	python "comparisons with other programs" || true
	[[ -x /usr/sbin/nginx && -x /usr/sbin/apache2 ]] || install "redirect rules in web servers" nginx-light apache2 || true
	has hugo || install "the server of Hugo" hugo || true
	has curl || install "commands of documents" curl ca-certificates || true
	has npm || install "accessibility of pages" npm || true
	git ls-files '*/go.mod' ':!:**/testdata/**' |
		xargs -P 2 -I {} ./test.sh --module {} "$scratch" ${flags[@]+"${flags[@]}"}
}

# Tests the nested module of a go.mod and then prints what it said.
module() {
	local folder=${1%/*} log=$2/${1//\//-} packages=(./...) failed=0
	[[ $folder != lab ]] || packages=(./browser ./moves ./pairs ./readings ./sample ./score ./evaluate ./servers ./torture)
	cd "$folder"
	{ go vet ./... && go test -vet=off -timeout 60m -skip '^TestLong' "${@:3}" "${packages[@]}"; } >"$log" 2>&1 || failed=1
	printf 'module in %s\n%s\n' "$folder" "$(<"$log")"
	return $failed
}

noasm() { go test -tags noasm -timeout 60m -skip '^TestLong' "${flags[@]}" ./minhash ./lsh ./internal/ascii ./shingles; }

race() {
	if ! has gcc; then
		leave "race: the race detector needs gcc"
		return
	fi
	local -x CGO_ENABLED=1
	go test -race -vet=off -timeout 60m -skip '^TestLong|Kernels|PairsLaw|Memory|Recall' "${flags[@]}" "${concurrent[@]}"
	go test -race -vet=off -timeout 60m -run '^TestSameBytes$' "${flags[@]}" ./internal/pipeline
}

# Tests the Python package: the wheel of this platform in a fresh virtual environment.
wheel() { ! python "the Python package" || python/test.sh; }

# Tests the Python package on clusters of Spark, which need Java.
spark() {
	python "the Python package on Spark" || return 0
	has java || install "the Python package on Spark" openjdk-17-jre-headless || return 0
	python/spark-test.sh
}

# Compares the tables of the demo's run on this machine with those on others, by default one with 32 bits and one with the
# other byte order: PORTS="arm s390x" ./test.sh ports. The run is always in one folder, because tables name their inputs.
ports() {
	local arch run=$scratch/port/run
	has qemu-s390x || install "other machines" qemu-user || return 0
	for arch in "$(go env GOHOSTARCH)" ${PORTS:-386 s390x}; do
		rm -rf "$scratch/port"
		mkdir "$scratch/port"
		CGO_ENABLED=0 GOARCH=$arch go build -o "$scratch/port/lshclust" ./cmd/lshclust
		case $arch in
		arm | s390x) "qemu-$arch" "$scratch/port/lshclust" demo -q -o "$run" ;;
		386) [[ $(go env GOHOSTARCH) == amd64 ]] || continue ;;& # runs on the machines of the same family
		*) "$scratch/port/lshclust" demo -q -o "$run" ;;
		esac >/dev/null
		(cd "$run" && find . -name '*.lsh' -o -name '*.parquet' | sort | xargs sha256sum) >"$scratch/tables-$arch"
		diff "$scratch/tables-$(go env GOHOSTARCH)" "$scratch/tables-$arch" || { echo "$arch gives other tables"; return 1; }
		echo "$arch: $(wc -l <"$scratch/tables-$arch") tables, the same bytes"
	done
}

# Compares .ci/deadcode.txt, the functions that the command does not reach, with what deadcode finds.
dead() {
	diff <(grep -v '^#' .ci/deadcode.txt | grep . | LC_ALL=C sort) \
		<(go run "golang.org/x/tools/cmd/deadcode@$deadcode" ./cmd/lshclust |
			sed -E 's/^([^:]*):[0-9]+:[0-9]+: unreachable func: /\1 /' | LC_ALL=C sort) || {
		echo ".ci/deadcode.txt (<) differs from what the command does not reach (>)"
		return 1
	}
}

# Builds the linter from source, for all clones of this user and under a name that holds its version, and runs it.
lint() {
	local tool
	tool=$(go env GOPATH)/bin/golangci-lint-$golangci_lint
	if [[ ! -x $tool ]]; then
		echo "building golangci-lint $golangci_lint"
		GOBIN=$scratch go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$golangci_lint"
		mkdir -p "${tool%/*}"
		mv "$scratch/golangci-lint" "$tool"
	fi
	"$tool" config verify -c .ci/golangci.yml
	"$tool" run -c .ci/golangci.yml ./...
}

# Compares what the command calls with the database of vulnerabilities, if this machine reaches it: a small package, which
# needs a second or two, must be answered soon.
vuln() {
	GOBIN=$scratch go install "golang.org/x/vuln/cmd/govulncheck@$govulncheck"
	timeout 20 "$scratch/govulncheck" ./internal/harmless >/dev/null 2>&1 || {
		leave "vuln: needs the database of vulnerabilities"
		return 0
	}
	"$scratch/govulncheck" ./cmd/lshclust
}

# Reports whether one of some programs is there.
has() {
	local name
	for name in "$@"; do
		! type -P "$name" >/dev/null || return 0
	done
	return 1
}

# Python with virtual environments, for what it names.
python() { python3 -c 'import ensurepip, venv' 2>/dev/null || install "$1" python3 python3-venv; }

# Installs packages of the system for what the first argument names, if this is the build machine. Otherwise what needs
# them is left out.
install() {
	local what=$1 as_root=()
	shift
	if [[ ${CI:-} != true ]]; then
		leave "$what: needs $*"
		return 1
	fi
	echo "installing $* for $what"
	((UID == 0)) || as_root=(sudo)
	(
		flock 9 # another step may install too
		"${as_root[@]}" apt-get update -q
		"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
	) 9>"$scratch/installing"
}

leave() {
	echo "left out: $1"
	left+=("$1")
}

[[ ${1:-} != --module ]] || { module "${@:2}"; exit; }
wanted=()
flags=()
all=0
for arg in "$@"; do
	case $arg in
	-*) flags+=("$arg") ;;
	all) all=1 wanted+=("${defaults[@]}" "${rest[@]}") ;;
	rest) all=1 wanted+=("${rest[@]}") ;;
	format | vet | build | test | long | nested | noasm | race | wheel | spark | ports | lint | dead | vuln) wanted+=("$arg") ;;
	*) echo "unknown step $arg: see the head of test.sh" >&2; exit 2 ;;
	esac
done
((${#wanted[@]} > 0)) || wanted=("${defaults[@]}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" ${memory:+"$memory"}' EXIT
# Tests write many small files, which take a fifth of the time where they need no disk.
if [[ -z ${TMPDIR:-} && -w /dev/shm ]] && (($(df --output=avail -k /dev/shm | tail -n 1) >= 4 << 20)); then
	memory=$(mktemp -d -p /dev/shm lshclust-test.XXXXXX)
	export TMPDIR=$memory
fi

run() {
	local step began
	for step in "$@"; do
		began=$SECONDS
		echo "== $step"
		case $step in
		test) test_ ;;
		*) $step ;;
		esac
		((all == 0)) || echo "== $step: $((SECONDS - began)) s"
	done
	((all == 0 || ${#left[@]} == 0)) || printf 'left out: %s\n' "${left[@]}"
}

((all == 1)) || { run "${wanted[@]}"; exit; }
# What waits for browsers, servers and clusters runs beside the others, and is printed after them.
run "${waiting[@]}" >"$scratch/waiting" 2>&1 &
waits=$!
run "${wanted[@]}" &
failed=0
wait $! || failed=1
wait "$waits" || failed=1
cat "$scratch/waiting"
((failed == 0)) || { echo "a step failed"; exit 1; }
echo "all steps passed: ${wanted[*]} ${waiting[*]}"
