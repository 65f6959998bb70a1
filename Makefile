# Everything runs in .venv, which the first target creates. `make help` lists the targets.

PY ?= python3
BIN := .venv/bin
PLAYOUTS ?= 20
CUTS ?= 300
KILLS ?= 100
LEADERS ?= 12
SECONDS ?= 60
SEED ?= 1
# One worker more than there are cores: those with a browser or a server wait now and then.
PARALLEL ?= -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --dist loadgroup

# Hundreds of tests start the program: it is compiled once.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo serve test taps lint format schemas site bench load hall mutants chaos powercut failover clean

help: ## List the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

$(BIN)/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PY) -m venv .venv
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[dev]'
	touch $@

demo: $(BIN)/installed ## Referee a short game before your eyes
	$(BIN)/referee demo

serve: $(BIN)/installed ## Serve a sample table on this computer
	$(BIN)/referee --store memory: serve --sample

test: $(BIN)/installed ## Run all tests and print how many clauses are proven
	$(BIN)/python -m pytest $(PARALLEL)

taps: $(BIN)/installed ## Referee a whole game of each kind by taps, in a real browser
	REFEREE_TAPS=100000 $(BIN)/python -m pytest -n 0 --timeout 7200 -rP tests/pages/test_games.py

lint: $(BIN)/installed ## Check style, types, layers and pinned versions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	! grep -nE '://|^-' constraints.txt

format: $(BIN)/installed ## Put the code into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: $(BIN)/installed ## Write the JSON Schemas anew from the models
	$(BIN)/python -m schemas.build

site: $(BIN)/installed ## Build the documentation as a site, for a browser or `referee serve`
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[site]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the documentation: open site/index.html, or /docs of a service started here"

examples: $(BIN)/installed ## Write the examples of every clause anew from the cases
	$(BIN)/python -m tests.examples

bench: $(BIN)/installed ## Measure the engines and the store beside their peers
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[dev,bench]'
	$(BIN)/python -m tests.bench

load: $(BIN)/installed ## Hold a service on this computer to its budgets, and kill it under load
	$(BIN)/python -m tests.load --seconds $(SECONDS) --kills $(KILLS)

hall: $(BIN)/installed ## Run an event of 24 players in a browser, and a hall full of phones
	$(BIN)/python -m tests.pages.hall_run 24 6
	$(BIN)/python -m tests.load.phones 100 200

mutants: $(BIN)/installed ## Bend every rule and every effect and see who notices
	$(BIN)/python -m tests.mutants --write $(GAMES)

chaos: $(BIN)/installed ## Test for much longer: more random games, crashes and mangled input
	REFEREE_CHAOS=200 REFEREE_SEED=$(SEED) REFEREE_PLAYOUTS=$(PLAYOUTS) \
		$(BIN)/python -m pytest $(PARALLEL) --timeout 7200

powercut: $(BIN)/installed ## Cut the power while the store writes, many times (Linux)
	$(BIN)/python -m tests.powercut --cuts $(CUTS) --seed $(SEED)

failover: $(BIN)/installed ## Kill leaders of PostgreSQL under Patroni, and restore to a point in time (Debian)
	$(BIN)/python -m tests.failover --kills $(LEADERS)

clean: ## Remove what the other targets have made
	rm -rf .venv .mypy_cache .ruff_cache .import_linter_cache .hypothesis build *.egg-info
