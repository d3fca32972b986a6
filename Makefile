# Short names for commands of test.sh and go.
SHELL := /bin/bash -o pipefail
FUZZTIME ?= 30s

LAB := torture quality bench-peers bench-serve bench-latency fuzz-keep

.PHONY: build wheels test lint bench demo fuzz malformed $(LAB)

build:
	CGO_ENABLED=0 go build -trimpath -o lshclust ./cmd/lshclust

# Builds the wheels of all platforms, which `pip install` takes, with hatchling in a virtual environment.
WHEELS ?= python/dist
wheels:
	python3 -m venv $(WHEELS)/.env
	$(WHEELS)/.env/bin/python -m pip install --quiet --disable-pip-version-check hatchling==1.33.0
	PYTHON=$(abspath $(WHEELS))/.env/bin/python python/build.sh $(WHEELS)

test:
	./test.sh

lint:
	./test.sh lint

bench:
	go test -run '^$$' -bench . -benchmem ./...

demo:
	go run ./cmd/lshclust demo

# Runs every fuzz target in turn, because go test takes only one at a time. Without -fuzzminimizetime it spends most of the
# time making inputs shorter; fuzz-keep chooses short ones afterwards.
fuzz:
	@go test -list '^Fuzz' ./... \
	| awk '/^Fuzz/ { name[++n] = $$1 } /^ok/ { for (i = 1; i <= n; i++) print $$2, name[i]; n = 0 }' \
	| while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x "$$package" </dev/null || exit 1; \
	done

# Sends REQUESTS malformed requests to a server, beside those of schemathesis, which is installed to a temporary folder. It
# prints the answers by status.
REQUESTS ?= 10000
malformed:
	cd serve/contract && CI=true go test -count=1 -v -timeout 30m -run '^(TestSchemathesis|TestMalformed)$$' . -requests $(REQUESTS)

# Experiments: lab/Makefile.
$(LAB): build
	@$(MAKE) -f lab/Makefile $@
