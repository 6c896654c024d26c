# The whole manual: make setup, make run, make test, make check; make coverage, make sentences, make refusals, make load, make simulate, make install-check, make browser; make oracle where T18XX names the public engine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.made
COMPILED := $(VENV)/.compiled

.PHONY: setup run test suite coverage check quick-checks types sentences refusals load simulate install-check browser oracle format hooks lock clean

setup: $(STAMP)

$(STAMP): requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; try make PYTHON=python3.11 ...") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

run: setup
	$(BIN)/stationmaster run

# Four at a time on two cores: some wait for servers and processes, and each costs eight seconds to start. They start processes of ours by the dozen: where compiled
# modules are not kept, each would compile all of them again.
PYTEST := pytest -n 4 --dist worksteal
suite coverage: export PYTHONDONTWRITEBYTECODE =
# What the quick checks find is reported first; mypy, which uses one core for 20 seconds without its cache, runs beside the tests.
test: setup quick-checks
	+$(MAKE) --no-print-directory -j 2 types suite

suite: $(COMPILED)
	$(BIN)/python -m $(PYTEST)

# Once for a clone: else each process of its first run compiles all modules and tests, which is two thirds of its start.
$(COMPILED): $(STAMP)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -p no:syrupy --collect-only >/dev/null || true
	touch $@

# Run what `test` runs and measure which lines and branches it reaches; the floors are in tests/coverage_floors.py.
QUIET := -W 'ignore:Module already imported so cannot be rewritten' -W 'ignore:Unable to activate pytest branch coverage'
coverage: $(COMPILED) check
	$(BIN)/python -m slipcover --branch --source engine,bot/service --json --out .coverage.json -m $(PYTEST) $(QUIET)
	$(BIN)/python -m tests.coverage_floors .coverage.json

check: quick-checks types

quick-checks: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile
	$(BIN)/python -m tests.sentences --lint

types: setup
	$(BIN)/mypy

# Every sentence that people can read, with its place. SENTENCES='--lint bot/mail' lists those of a kind we do not write.
sentences: setup
	@$(BIN)/python -m tests.sentences $(SENTENCES)

# An example of every refusal, as the tests meet them (ten minutes): tests/sentences/refusals.txt, for a reader to review.
refusals: setup
	rm -f tests/sentences/refusals.txt
	$(BIN)/python -m pytest -q -p tests.sentences.refusals tests/engine tests/contract tests/bot tests/mail tests/discord tests/web

# Many tables at the tests' Discord: how soon presses are acknowledged and words and pictures follow, how late the loop is.
# LOAD='--tables 50 --seconds 30 --rate 2 --starts 10' is a smaller one, with '--viewers 200' pages follow the first table.
load: setup
	$(BIN)/python -m tests.load $(LOAD)

# The bot on a simulated clock, network and disk: each of its awaits fails once in each way. A failure prints the command
# that replays it; points.txt lists the points. SIMULATE='--seeds 1-5 --scenes lobby --cases 100' chooses; the default is all.
simulate: setup
	$(BIN)/python -m tests.simulation $(SIMULATE)

# What the Dockerfile does, outside it: everything from the registry into a folder of its own.
install-check:
	rm -rf .install && PYTHON=$(PYTHON) scripts/install .install
	STATIONMASTER_DATABASE=.install/games.sqlite .install/bin/stationmaster migrate
	STATIONMASTER_DATABASE=.install/games.sqlite STATIONMASTER_PICTURES=.install/pictures .install/bin/stationmaster doctor

# Debian's Chromium and what drives it, for the tests of pages in a real browser; without them these tests skip.
browser: setup
	test -x /usr/bin/chromium || { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-browser.lock

oracle: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/oracle

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

hooks: setup
	$(BIN)/pre-commit install

# For every Python we promise, not only the one that is here.
lock: setup
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --group dev pyproject.toml -o requirements-dev.lock
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url -c requirements-dev.lock --group pyproject.toml:browser -o requirements-browser.lock

clean:
	rm -rf $(VENV) .install .coverage.json .mutants.json.gz .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
