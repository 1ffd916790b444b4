# `make demo` shows what inarow does, `make test` checks all of it; each sets everything up by itself.
MAKEFLAGS += --jobs=2  # style and types are checked while the C++ tests compile
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
CORE := CMakeLists.txt $(shell find core benchmarks -name '*.?pp')

.PHONY: help demo test lint core-tests sanitize sanitize-engine fuzz speed costs parity brute-force soak soak-engine soak-wins sprt screenshots stub wheel clean

help:
	@echo "make demo      the players meet on a few boards, with a cross table"
	@echo "make test      every check: style, types, imports, C++ tests, Python tests"
	@echo "make sanitize  the C++ tests under ASan+UBSan and under TSan"
	@echo "make sanitize-engine  the engine with four threads under TSan, for SANITIZE_SECONDS=600"
	@echo "make fuzz      fuzz the core's position and the text parsers, FUZZ_SECONDS=60 each"
	@echo "make speed     how fast the core and the Python board are"
	@echo "make costs     how each operation's time grows, written to docs/costs.md"
	@echo "make parity    Python and core counted against each other, as deep as a minute a shape goes"
	@echo "make brute-force  the solvers against trying everything: all boards of at most 12 cells, random positions"
	@echo "make soak      kill a tournament again and again: nothing may be lost, played twice or left over"
	@echo "make soak-wins the engine against itself: every forced win that it reports is confirmed by the rules alone"
	@echo "make soak-engine  SOAK_GAMES=2000 games of the engine at 20 ms a move on random boards: no crash, nothing illegal, in time"
	@echo "make sprt      is this engine better than the last release's? BASE=COMMIT, BOARD=\"6 7 4\" GRAVITY=1, TIME=0.1 or NODES=20000,"
	@echo "               ELO0=0 ELO1=10, WORKERS=1, OPENINGS=FILE"
	@echo "make screenshots  the pictures of the page in docs/pictures, anew"
	@echo "make wheel     build wheel and sdist, install each into an empty environment and try it"
	@echo "make stub      write src/inarow/_core.pyi anew after a change of the bindings"

# The virtual environment with the package in it; made anew when what is compiled or installed changes.
$(READY): pyproject.toml constraints.txt tools/setup tools/need $(CORE)
	@PYTHON="$(PYTHON)" tools/setup
	@touch $@

demo: $(READY)
	@$(BIN)/inarow demo

# Without chromium, TypeScript, a JDK or bubblewrap the tests that need it say that they are skipped; everything else is still checked.
test: lint core-tests
	@tools/need chromium -- chromium --version || true
	@tools/need node-typescript -- tsc --version || true
	@tools/need default-jdk-headless -- javac -version || true
	@tools/need bubblewrap -- bwrap --version || true
	$(BIN)/python -m pytest -q -n auto -m calculation
	$(BIN)/python -m pytest -q -n 2 -m page
	$(BIN)/python -m pytest -q -m "not calculation and not page"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

core-tests: $(READY)
	@tools/cpp package core_tests && build/package/core_tests || test $$? -eq 77

sanitize: $(READY)
	@tools/cpp sanitize-address core_tests -DINAROW_SANITIZE=address,undefined && build/sanitize-address/core_tests
	@tools/cpp sanitize-thread core_tests -DINAROW_SANITIZE=thread && build/sanitize-thread/core_tests

SANITIZE_SECONDS ?= 600
sanitize-engine: $(READY)
	@tools/cpp sanitize-thread engine_threads -DINAROW_SANITIZE=thread
	build/sanitize-thread/engine_threads $(SANITIZE_SECONDS)

FUZZ_SECONDS ?= 60
fuzz: $(READY)
	@tools/need clang-19 libclang-rt-19-dev -- clang++-19 --version
	@mkdir -p build/fuzz/corpus build/fuzz/gomocup_corpus  # what the fuzzer finds; the committed corpus stays as it is
	@CXX=clang++-19 tools/cpp fuzz fuzz_position -DINAROW_FUZZ=ON -DINAROW_DEVELOPMENT=OFF -DINAROW_SANITIZE=address,undefined
	build/fuzz/fuzz_position -max_total_time=$(FUZZ_SECONDS) -len_control=0 -max_len=600
	$(BIN)/pip install -q -c constraints.txt -e '.[fuzz]' --no-build-isolation
	$(BIN)/python tests/fuzz/fuzz_notation.py -max_total_time=$(FUZZ_SECONDS) build/fuzz/corpus tests/fuzz/corpus
	$(BIN)/python tests/fuzz/fuzz_gomocup.py -max_total_time=$(FUZZ_SECONDS) build/fuzz/gomocup_corpus tests/fuzz/gomocup_corpus

speed: $(READY)
	@tools/cpp package make_unmake
	@$(BIN)/python benchmarks/speed.py build/package/make_unmake

costs: $(READY)
	@$(BIN)/pip install -q -c constraints.txt -e '.[reports]' --no-build-isolation
	@tools/cpp package growth
	@$(BIN)/python -m benchmarks.growth build/package/growth

parity: $(READY)
	@$(BIN)/python -m tests.parity.deep

brute-force: $(READY)
	@tools/cpp package brute_force
	@build/package/brute_force

soak: $(READY)
	@$(BIN)/python -m tests.soak.kills --kills 30 --games 200
	@$(BIN)/python -m tests.soak.kills --kills 30 --games 200 --freeze
	@$(BIN)/python -m tests.soak.kills --kills 5 --games 400 --cluster local --longest 12

soak-wins: $(READY)
	@tools/cpp package wins
	@$(BIN)/python -m tests.soak.wins --workers 2

SOAK_GAMES ?= 2000
soak-engine: $(READY)
	@$(BIN)/python -m tests.soak.engine --games $(SOAK_GAMES)

# The engine of the working tree against that of another commit, each under an installation of its own.
BASE ?=
BOARD ?= 15 15 5
GRAVITY ?=
TIME ?= 0.1
NODES ?=
ELO0 ?= 0
ELO1 ?= 10
WORKERS ?= 1
OPENINGS ?= balanced
sprt: $(READY)
	@base=$$(tools/base $(BASE)) && $(BIN)/inarow sprt engine "under:$$base:engine" --board $(BOARD) $(if $(GRAVITY),--gravity) \
	  $(if $(NODES),--nodes $(NODES),--time $(TIME)) --elo0 $(ELO0) --elo1 $(ELO1) --workers $(WORKERS) --openings $(OPENINGS)

screenshots: $(READY)
	@tools/need chromium -- chromium --version
	INAROW_SCREENSHOTS=docs/pictures $(BIN)/python -m pytest -q tests/browser/test_screenshots.py

stub: $(READY)
	@$(BIN)/python -m nanobind.stubgen -q -m inarow._core -o src/inarow/_core.pyi

wheel: $(READY)
	@tools/check-wheel

clean:
	rm -rf .venv build dist
