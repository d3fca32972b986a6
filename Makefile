# Short names for commands of test.sh and go.
SHELL := /bin/bash -o pipefail
FUZZTIME ?= 30s

.PHONY: build wheels test lint bench demo fuzz fuzz-keep torture torture-memory quality bench-peers bench-embeddings bench-serve bench-latency malformed

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

# Copies inputs that fuzzing found to testdata/fuzz: those that reach code that the seeds do not reach.
fuzz-keep:
	./fuzz-keep.sh

# Tries to break every promise, as often as the documents say. TORTURE passes flags to internal/torture, for example
# TORTURE="-only flips -seed 2". The test of that package is a small share of this.
torture: build
	go run ./internal/torture -binary ./lshclust $(TORTURE)

# Measures memory by stage on inputs that are designed to need much, with two limits.
torture-memory: build
	go run ./internal/torture -binary ./lshclust -only memory $(TORTURE)

# Measures related pages against all golds, with five seeds, and prints the tables of docs/quality.md. It needs the shared
# test data; quality.sh says where it looks for them. CLUSTER passes flags of lshclust cluster.
quality:
	@./quality.sh $(CLUSTER)

# Measures lshclust beside other programs that find near-duplicates: lab/bench/README.md. Nothing in BENCH needs to be kept.
BENCH ?= $(or $(TMPDIR),/tmp)/lshclust-bench
PEERS ?= gaoya rensa datasketch
DOCUMENTS ?= 97215
ROUNDS ?= 3
bench-peers: build
	mkdir -p $(BENCH)
	cd lab && go build -trimpath -o $(BENCH)/lab . && go build -trimpath -tags noasm -o $(BENCH)/lab-noasm .
	lab/bench/peers/setup.sh $(BENCH)/peers $(sort $(PEERS) rensa)
	$(BENCH)/lab bench corpus -data "$${LSHCLUST_DATA:-../shared/data}" -documents $(DOCUMENTS) -corpus $(BENCH)/corpus
	$(BENCH)/lab bench contest -corpus $(BENCH)/corpus -rounds $(ROUNDS) -lshclust ./lshclust -scripts lab/bench/peers \
		-peers $(BENCH)/peers -scratch $(BENCH) -json $(BENCH)/contest.json lshclust lshclust-256MiB $(PEERS)
	$(BENCH)/lab bench signatures -corpus $(BENCH)/corpus -scripts lab/bench/peers -peers $(BENCH)/peers \
		-noasm $(BENCH)/lab-noasm -json $(BENCH)/signatures.json

# Compares related pages with sentence embeddings: lab/bench/README.md. EMBEDDED_RUN is a run of the directory set, which is
# made if it is not there.
MODELS ?= minilm
SENTENCES ?= false
GOLDS ?= gold.tsv gold-cncf.tsv gold-selfhosted.tsv
DIRECTORY ?= $(or $(LSHCLUST_DATA),../shared/data)/directory
EMBEDDED_RUN ?= $(BENCH)/directory
bench-embeddings: build
	mkdir -p $(BENCH)
	cd lab && go build -trimpath -o $(BENCH)/lab .
	lab/bench/embed/setup.sh $(BENCH)/embeddings $(MODELS)
	test -e $(EMBEDDED_RUN)/run.json || ./lshclust cluster -q -o $(EMBEDDED_RUN) $(DIRECTORY)/pages.jsonl.gz
	$(BENCH)/lab bench embeddings -lshclust ./lshclust -run $(EMBEDDED_RUN) $(GOLDS:%=-gold $(DIRECTORY)/%) -scripts lab/bench/embed -sentences=$(SENTENCES) \
		-peers $(BENCH)/embeddings -scratch $(BENCH) -json $(BENCH)/embeddings.json $(MODELS)

# Serves RUN and asks it RATE questions a second for SECONDS. WORDS find the pages that are asked about.
RATE ?= 1000
SECONDS ?= 60
WORDS ?= index table page
bench-serve: build
	mkdir -p $(BENCH)
	cd lab && go build -trimpath -o $(BENCH)/lab .
	./lshclust serve --log none --listen 127.0.0.1:8099 $(RUN) & server=$$!; trap "kill $$server" EXIT; \
		until curl -sf http://127.0.0.1:8099/readyz >/dev/null; do kill -0 $$server || exit 1; sleep 0.1; done; \
		$(BENCH)/lab load -server http://127.0.0.1:8099 -rate $(RATE) -seconds $(SECONDS) -words "$(WORDS)" && grep VmHWM /proc/$$server/status

# Measures how long serve takes to open RUN and to answer, with none of it in the memory of the machine and with it.
EACH ?= 200
bench-latency: build
	mkdir -p $(BENCH)
	cd lab && go build -trimpath -o $(BENCH)/lab .
	$(BENCH)/lab latency -lshclust ./lshclust -run $(RUN) -each $(EACH)

# Sends REQUESTS malformed requests to a server, beside those of schemathesis, which is installed to a temporary folder. It
# prints the answers by status.
REQUESTS ?= 10000
malformed:
	cd serve/contract && CI=true go test -count=1 -v -timeout 30m -run '^(TestSchemathesis|TestMalformed)$$' . -requests $(REQUESTS)

