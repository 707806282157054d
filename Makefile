# Each target does its own set-up: a machine needs Python 3.11+ with pip and venv, git and make.
PYTHON ?= python3
UV := .venv/bin/uv
READY := .venv/.ready

.PHONY: run test check lint long bench docs

# The app on the sample runs.
run: $(READY)
	.venv/bin/stopview examples/runs

# Everything that must hold before a change lands.
test: lint
	.venv/bin/pytest -q -n auto

lint: $(READY)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache

$(READY): pyproject.toml uv.lock
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	test -x $(UV) || .venv/bin/python -m pip install --quiet uv==0.13.9
	$(UV) sync --quiet --frozen --inexact
	touch $(READY)

# Everything that is made from the code: the stop codes, the schemas, the pictures.
docs: $(READY)
	.venv/bin/stopview codes --registry . --markdown > docs/stop-codes.md
	.venv/bin/python scripts/make_schemas.py
	.venv/bin/python scripts/make_pictures.py

# The long profile: thousands of examples, hundreds of races, a soak. Run before a release.
long: $(READY)
	STOPVIEW_PROFILE=long .venv/bin/pytest -q -n auto

# Speed, each number beside a floor measured in the same run. ARGS="--data DIR" keeps the runs.
bench: $(READY)
	.venv/bin/python -m benchmarks $(ARGS)
