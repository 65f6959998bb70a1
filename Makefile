# Everything runs in .venv, which tools/set-up makes with no more than a target needs.
# `make help` lists the targets. Another Python: make demo PY=python3.12

BIN := .venv/bin
PLAYOUTS ?= 20
CUTS ?= 300
KILLS ?= 100
LEADERS ?= 12
SECONDS ?= 60
SEED ?= 1
MINUTES ?= 1
LOOKING ?= 3
COMMITS = $$(git rev-list --count HEAD 2>/dev/null || echo 0)
# One worker more than there are cores: those with a browser or a server wait now and then.
PARALLEL ?= -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --dist loadgroup --max-worker-restart 2

# Hundreds of tests start the program: it is compiled once.
export PYTHONDONTWRITEBYTECODE :=
export PY

.DEFAULT_GOAL := help
# Of all that stands here, nothing is a file.
.PHONY: $(shell sed -nE 's/^([a-z]+):.*/\1/p' Makefile)

# What a target needs in .venv: demo, serve, everything or dev.
ready = @tools/set-up $(1) $@
# The packages of one more extra.
with = @$(BIN)/python -m uv pip install -q --python $(BIN)/python -c constraints.txt -r pyproject.toml --extra $(1)

help: ## List the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

demo: ## Watch a short game being refereed
	$(call ready,demo)
	@$(BIN)/referee demo

serve: ## Start a sample table for your browser
	$(call ready,serve)
	@$(BIN)/referee --store memory: serve --sample

everything: ## Install all extras: the shell, the service, tournaments, more exports, keys
	$(call ready,everything)

test: ## Run the tests and print how many clauses are proven
	$(call ready,dev)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory tests/js/node_modules; fi
	$(BIN)/python -m pytest $(PARALLEL) -m "not deep and not dear"

# Crash tests want a real disk: elsewhere temporary folders are in memory.
deep: ## Run all long and dear tests that `make test` leaves out
	$(call ready,dev)
	TMPDIR=$${TMPDIR:-/tmp} $(BIN)/python -m pytest $(PARALLEL) -m "deep or dear"

share: ## Run a quarter of the dear tests and a sixteenth of the long ones: every commit has the next
	$(call ready,dev)
	REFEREE_SHARE=$(COMMITS) $(MAKE) --no-print-directory deep

weigh: ## Find anew which tests take most of the time, and leave them to `make check`
	$(call ready,dev)
	REFEREE_WEIGH=1 $(BIN)/python -m pytest $(PARALLEL) -m "not deep"

js: tests/js/node_modules ## Test, type-check and lint the scripts of the pages
	cd tests/js && npm run --silent test && npm run --silent types && npm run --silent lint

tests/js/node_modules: tests/js/package-lock.json
	cd tests/js && npm ci --silent --no-audit --no-fund && touch node_modules

quick: ## Run the fast tests of every part (about a minute)
	$(call ready,dev)
	$(BIN)/python -m pytest $(PARALLEL) @tests/quick.txt

check: share lint bent bends pythons wheels release container ## Everything beside `make test` that a change must pass

lint: ## Check style, types and layers
	$(call ready,dev)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

wheels: ## Check that all that is pinned can be had, for every system and Python
	$(call ready,dev)
	$(BIN)/python -m tools.wheels

pythons: ## Run the fast tests on the oldest and the newest Python of this computer, in another order each commit
	$(call ready,dev)
	REFEREE_SHUFFLE=$(COMMITS) $(BIN)/python -m tools.pythons

bent: ## Bend every rule of the games, and a sample of the effects of one: every commit has the next one
	$(call ready,dev)
	$(BIN)/python -m tests.mutants --minutes $(MINUTES) --seed $(COMMITS)

bends: ## Bend a sample of the program, area by area: every commit has the next one
	$(call ready,dev)
	$(BIN)/python -m tests.mutants.program any --minutes $(MINUTES) --learning $(MINUTES) --seed $(COMMITS)

release: ## Build what is released into dist/, and try it in empty environments
	$(call ready,dev)
	$(call with,release)
	$(BIN)/python -m tools.release

container: ## Build the image and run it, alone and by its compose file, where podman or docker is there
	$(call ready,dev)
	@$(BIN)/python -m tools.container

pins: ## Write constraints.txt and requirements.lock anew, with the newest versions
	$(call ready,dev)
	$(BIN)/python -m tools.pins --upgrade

compare: ## Record how other programs pair our rounds, as far as they can be had here
	$(call ready,dev)
	$(call with,compare)
	$(BIN)/python -m tests.tournament.compare

taps: ## Referee a whole game of each kind by taps, in a real browser; print taps, waits and weight
	$(call ready,dev)
	$(BIN)/python -m pytest -n 0 --timeout 7200 -rP tests/pages/test_games.py tests/pages/test_random_taps.py \
		tests/pages/test_set_up.py tests/pages/test_weight.py

sight: ## Measure how well the referee sees, on drawn tables (set LOOKING to 240 minutes for figures to trust)
	$(call ready,dev)
	$(BIN)/python -m tools.measure.sight --minutes $(LOOKING)

format: ## Put the code into the house style
	$(call ready,dev)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: ## Write the JSON Schemas anew from the models
	$(call ready,dev)
	$(BIN)/python -m schemas.build

quotes: ## Write into the documentation what the program says today, and read the difference
	$(call ready,dev)
	REFEREE_REWRITE=1 $(BIN)/python -m pytest -q -n 0 tests/cli/test_pages.py tests/cli/test_reference.py \
		tests/cli/test_transcripts.py tests/service/test_page.py tests/words \
		tests/service/test_permissions.py::test_the_page_has_the_table_of_the_code \
		tests/test_structure.py::test_the_document_says_how_large_every_room_is tests/kernel/test_by_name.py \
		tests/service/test_same_answers.py::test_the_document_shows_the_requests_that_are_asked_here || true
	git diff --stat

site: ## Build the documentation as a site, for a browser or `referee serve`
	$(call ready,dev)
	$(call with,site)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the documentation: open site/index.html, or /docs of a service started here"

examples: ## Write the examples of every clause anew from the cases
	$(call ready,dev)
	$(BIN)/python -m tests.examples

bench: ## Measure the engines and the store beside their peers
	$(call ready,dev)
	$(call with,compare)
	$(BIN)/python -m tools.measure.bench

load: ## Hold a service on this computer to its budgets, and kill it under load
	$(call ready,dev)
	$(BIN)/python -m tools.measure.load --seconds $(SECONDS) --kills $(KILLS)

hall: ## Run an event of 24 players in a browser, one of 256 and a weekend by phones, and a hall full of phones
	$(call ready,dev)
	$(BIN)/python -m tools.measure.hall 24 6
	$(BIN)/python -m tools.measure.load.phones 100 200
	$(BIN)/python -m tools.measure.load.event
	$(BIN)/python -m tools.measure.load.event weekend

mutants: ## Bend every rule and every effect and see who notices
	$(call ready,dev)
	$(BIN)/python -m tests.mutants --list $(GAMES)

chaos: ## Test for much longer: more random games, crashes and mangled input
	$(call ready,dev)
	REFEREE_CHAOS=200 REFEREE_SEED=$(SEED) REFEREE_PLAYOUTS=$(PLAYOUTS) \
		$(BIN)/python -m pytest $(PARALLEL) --timeout 7200

powercut: ## Cut the power while the store writes, many times (Linux)
	$(call ready,dev)
	$(BIN)/python -m tools.measure.powercut --cuts $(CUTS) --seed $(SEED)

failover: ## Kill leaders of PostgreSQL under Patroni, and restore to a point in time (Debian)
	$(call ready,dev)
	$(BIN)/python -m tools.measure.failover --kills $(LEADERS)

clean: ## Remove what the other targets have made
	rm -rf .venv .bends .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist site *.egg-info tests/js/node_modules
