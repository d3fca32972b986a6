# Short names for what test.sh and go do.
SHELL := /bin/bash -o pipefail
FUZZTIME ?= 30s

.PHONY: build test lint bench demo fuzz fuzz-keep torture torture-memory

build:
	CGO_ENABLED=0 go build -trimpath -o lshclust ./cmd/lshclust

test:
	./test.sh

lint:
	./test.sh lint

bench:
	go test -run '^$$' -bench . -benchmem ./...

demo:
	go run ./cmd/lshclust demo

# Every fuzz target in turn; go test itself takes one at a time. Without -fuzzminimizetime it spends most of the time on
# making inputs shorter; fuzz-keep chooses short ones afterwards.
fuzz:
	@go test -list '^Fuzz' ./... \
	| awk '/^Fuzz/ { name[++n] = $$1 } /^ok/ { for (i = 1; i <= n; i++) print $$2, name[i]; n = 0 }' \
	| while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x "$$package" </dev/null || exit 1; \
	done

# Keeps in testdata/fuzz what fuzzing found: of the inputs in the cache of go those that reach code the seeds do not.
fuzz-keep:
	./fuzz-keep.sh

# Tries to break every promise, as often as the documents say; TORTURE="-only flips -seed 2" and the like are flags of
# internal/torture. The test of that package is a small share of it.
torture: build
	go run ./internal/torture -binary ./lshclust $(TORTURE)

# Memory by stage of inputs that are made to take much, with two limits.
torture-memory: build
	go run ./internal/torture -binary ./lshclust -only memory $(TORTURE)
