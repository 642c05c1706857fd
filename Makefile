# `make run` opens the app, `make test` passes the tests. Both set up .venv and whatever else they need first.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
export OMP_NUM_THREADS ?= 1

.PHONY: run test lint format check bench pictures browser

run: .venv/ready
	$(BIN)/python -m app $(ARGS)

test: .venv/ready .venv/browser
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

lint: .venv/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright

format: .venv/ready
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

check: lint test

bench: .venv/ready .venv/browser
	$(BIN)/python -m benchmarks $(ARGS)

pictures: .venv/ready .venv/browser
	$(BIN)/python -m docs.screenshots

browser: .venv/browser

.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; try make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --requirement requirements.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@

# Debian's Chromium where apt-get may install it, Playwright's own elsewhere.
.venv/browser: .venv/ready
	@command -v "$${CHROMIUM:-chromium}" \
	|| { [ "$$(id -u)" = 0 ] && apt-get update && apt-get install --yes --no-install-recommends chromium; } \
	|| $(BIN)/python -m playwright install chromium
	@touch $@
