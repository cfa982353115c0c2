# make play               play; options for `cosmic-net play` go in ARGS: make play ARGS="--help"
# make test | lint        what has to pass; `make format` mends the formatting and what ruff can mend
# make bench | soak       measurements, and the long runs
# make lock               regenerate the lock files (needs uv: `python3 -m pip install uv`)
# make wheelhouse         all that is needed to install the program without internet, in the folder wheelhouse
#
# Everything runs in .venv, made on first use from the lock files with nothing but Python's venv and pip,
# and made anew when a lock file changes.

# The first Python that is new enough; `make PYTHON=/path/to/python …` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && exit; done; echo python3)
UV ?= uv

VENV := .venv
BIN  := $(VENV)/bin
PY   := $(BIN)/python

# Stamps: the dependencies of the program, those of the tests too, and the checkout itself installed.
RUNTIME := $(VENV)/.runtime
DEV     := $(VENV)/.dev
PROJECT := $(VENV)/.project

PIP_INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help play test quick lint format bench soak lock wheelhouse clean

help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' Makefile

play: $(RUNTIME) $(PROJECT)
	@$(BIN)/cosmic-net play $(ARGS)

test: $(DEV) $(PROJECT)
	@$(PY) -X dev -m pytest -n 2 --dist loadgroup $(ARGS)

quick: $(DEV) $(PROJECT)
	@$(PY) -X dev -m pytest -n 2 --ignore tests/net --ignore tests/host --ignore tests/client --ignore tests/terminal $(ARGS)

lint: $(DEV) $(PROJECT)
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy

format: $(DEV)
	@$(PY) -m ruff check --fix-only .
	@$(PY) -m ruff format .

bench: $(DEV) $(PROJECT)
	@$(PY) -m tests.bench $(ARGS)

soak: $(DEV) $(PROJECT)
	@$(PY) -X dev -m pytest -m soak --timeout 0 $(ARGS)

# Keeps the versions that are locked; `make lock UPGRADE=1` takes the newest.
# The result is one set of pins for every platform and Python from 3.11 on, with hashes and no addresses.
LOCK := compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-index-url --no-emit-find-links $(if $(UPGRADE),--upgrade)
lock:
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: python3 -m pip install uv (or make lock UV=/path/to/uv)" >&2; exit 1; }
	$(UV) pip $(LOCK) --group build --output-file requirements.lock pyproject.toml
	$(UV) pip $(LOCK) --group dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	@! grep -n '://' requirements.lock requirements-dev.lock

wheelhouse: $(RUNTIME)
	@$(PY) -m tests.support.wheelhouse wheelhouse

clean:
	rm -rf $(VENV) wheelhouse build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

define NEW_VENV
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	echo "cosmic-net needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." >&2; \
	echo "Install one, or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
@echo "Setting up $(VENV) ($(PYTHON)); this takes a moment, once ..."
@$(PYTHON) -m venv --clear $(VENV) || { \
	echo "Python could not make a virtual environment (on Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; }
endef

# What is installed for the tests includes what the program needs.
$(RUNTIME): requirements.lock
	$(NEW_VENV)
	@$(PIP_INSTALL) --require-hashes -r requirements.lock
	@touch $@

$(DEV): requirements.lock requirements-dev.lock
	$(NEW_VENV)
	@$(PIP_INSTALL) --require-hashes -r requirements-dev.lock
	@touch $(RUNTIME) $@

# hatchling comes from the lock files, so this step fetches nothing.
$(PROJECT): pyproject.toml | $(RUNTIME)
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
