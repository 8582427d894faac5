# Two commands: `make run` serves a playable battle, `make test` checks everything. Both set up what they need.
# UV=0 uses pip alone. PYTHON names the interpreter (3.11 or newer).

PYTHON ?= python3
UV ?= 1
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000

# A slow mirror is waited for.
export UV_HTTP_TIMEOUT ?= 120
export PIP_DEFAULT_TIMEOUT ?= 60

.PHONY: run test check pytest bench pictures lock browser database clean help

help:
	@echo "make run     set up, then serve a playable battle on http://127.0.0.1:$(PORT)"
	@echo "make test    set up, then run every check and every test"
	@echo "make check   style, types and imports only"
	@echo "make bench   the figures of docs/benchmarks.md"
	@echo "make pictures  the pictures of docs/pictures, from a battle of programs"
	@echo "make lock    renew requirements.lock from pyproject.toml"
	@echo "make clean   remove the virtual environment and the caches"

run: $(VENV)/.run
	$(BIN)/fieldpost serve --demo --port $(PORT)

test: $(VENV)/.test browser database check pytest

check: $(VENV)/.test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Browser tests apart: the driver keeps an event loop running in its process, where others start their own.
pytest: $(VENV)/.test
	$(BIN)/pytest -n 2 -m "not browser"
	$(BIN)/pytest -n 2 -m browser

bench: $(VENV)/.test
	$(call install,-e '.[bench]')
	$(BIN)/python -m bench

pictures: $(VENV)/.test browser
	$(BIN)/python -m tests.browser.make_pictures

lock: $(VENV)/.python
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile --universal --python-version 3.11 --all-extras --no-emit-index-url --no-header --no-annotate -q \
	  -o requirements.lock pyproject.toml

# The lock holds every extra; it is used as constraints, so that `run` installs what it needs and no more.
ifeq ($(UV),1)
install = $(BIN)/uv pip install -q --python $(BIN)/python -c requirements.lock $(1)
else
install = $(BIN)/python -m pip install -q -c requirements.lock $(1)
endif

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Fieldpost needs Python 3.11 or newer: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
ifeq ($(UV),1)
	$(BIN)/python -m pip install -q uv
endif
	@touch $@

$(VENV)/.run: $(VENV)/.python pyproject.toml requirements.lock
	$(call install,-e .)
	@touch $@

$(VENV)/.test: $(VENV)/.python pyproject.toml requirements.lock
	$(call install,-e '.[test]')
	@touch $@ $(VENV)/.run

# Chromium and PostgreSQL for the tests: Debian's packages, where apt can be had and they are not there yet.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  sh .ci/debian chromium

database:
	@command -v pg_config >/dev/null && [ -x "$$(pg_config --bindir)/initdb" ] || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  sh .ci/debian postgresql

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist
