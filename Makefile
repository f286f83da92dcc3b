# make demo    a simulated session, from nothing
# make check   style, types, import contracts, rules of the house and the fast tests: at most 1 min on two cores
# make test    what lint checks, and all tests but the slow ones: about 14 min
# make coverage  coverage of rig by the tests of core, boards, records, rules and session
# make slow    pages in a browser, the wheel, failing system calls, the inspectors of NWB
# make pages   every page, schema, picture and firmware file that a program writes; ONLY=vocabulary some of them
# make site    the pages as a site with search, in build/site/html; it also runs the notebooks
# make day     a whole day of a laboratory, in real time: six minutes, of which it waits five
#
# All set up .venv by themselves; test, slow and day also install what tests look for. Continuous integration runs test,
# slow and day. PYTHON names the Python to start from (3.11 or newer).

PYTHON ?= python3
export PYTHON
# Each process of a test would compile the whole package again, and each worker the asserts of all tests.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
SETUP := sh scripts/setup.sh
PYTEST := $(BIN)/python -m pytest
# One worker more than processors: some tests wait in real time.
PARALLEL := -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --maxprocesses 8 --dist worksteal
# The folders of `make check`: each test takes milliseconds.
FAST := $(addprefix tests/,config core boards devices table_files live scripts system terminal session/spec session/curriculum) \
        $(sort $(wildcard tests/rules/test_rule_*.py))
# The tests of `make coverage` (`rig check` is half of session/check/check.py).
JUDGED := $(addprefix tests/,core boards screen camera diagnostics records rules session cli/check/test_check.py)
# What they cover of rig, in percent.
COVERED := 56
DAY := tests/docs/test_a_day.py
CACHES := .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

.PHONY: demo check test coverage slow day lint types style imports house pages site run-env dev-env test-tools bench soak determinism campaign wheel release-check clean

demo: run-env
	@$(BIN)/rig demo
	@echo '  . .venv/bin/activate   first, in each new terminal: then the command is rig'

check: lint
	$(PYTEST) $(PARALLEL) -m "not campaign and not slow" $(FAST)

test: test-tools lint
	$(PYTEST) $(PARALLEL) -m "not campaign and not slow"
	@sh scripts/test_tools.sh missing

# Apart from `make test`: the tracer slows these tests by half. It judges core, wire and session, then all of rig.
coverage: dev-env test-tools
	$(BIN)/python -m coverage erase
	$(BIN)/python -m coverage run -m pytest $(PARALLEL) -m "not campaign and not slow" $(JUDGED)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --include='rig/core/*,rig/boards/wire/*,rig/session/*' --fail-under=95
	$(BIN)/python -m coverage report --format=total --fail-under=$(COVERED)

slow: dev-env test-tools
	$(PYTEST) $(PARALLEL) --ignore=$(DAY) -m "slow and not campaign"

day: dev-env test-tools
	$(PYTEST) -m "slow and not campaign" $(DAY)

lint: dev-env
	@$(MAKE) --no-print-directory --jobs=2 types style imports house

# For each system: mypy reads only the side of `if sys.platform` that is its own.
types:
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(BIN)/mypy --platform darwin --cache-dir .mypy_cache/darwin

style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

imports:
	$(BIN)/lint-imports

house:
	$(BIN)/python -m scripts.house

pages: dev-env
	$(BIN)/python -m scripts.pages $(ONLY)

site: dev-env
	$(BIN)/python -m scripts.website

bench: dev-env
	$(BIN)/python -m benchmarks

soak: dev-env test-tools
	$(BIN)/python -m benchmarks.screen_soak

determinism: dev-env
	$(BIN)/python scripts/determinism.py

# The long forms of tests, and 1,000 examples instead of 25 for each property.
campaign: dev-env
	$(PYTEST) -m campaign $(PARALLEL)
	$(PYTEST) -m "hypothesis and not campaign" --hypothesis-profile=long $(PARALLEL)

wheel: dev-env
	$(BIN)/python -m build --wheel --no-isolation

# The wheel on every Python, without a checkout: demonstration, self-test, a session on a board that it serves, and the
# commands of the README and the tutorials. No board may be plugged in.
release-check: dev-env
	$(BIN)/python -m scripts.release_check

run-env:
	@$(SETUP) run

dev-env:
	@$(SETUP) dev

test-tools:
	@sh scripts/test_tools.sh

clean:
	rm -rf .venv dist build htmlcov .coverage .coverage.* $(CACHES)
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
