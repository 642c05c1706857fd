"""Upload limits: the most bytes of an uploaded file, by its kind, and the most characters of a sentence.

`maxUploadSize` in `app/.streamlit/config.toml` bounds each of them; `app/server/uploads.py` bounds what one visitor and
all visitors upload together.
"""

MODEL_BYTES = 64 * 2**20  # a model's zip, and all its files unpacked
ATTENTION_BYTES = 20_000_000  # an attention file of another program
TEXT_BYTES = 5_000_000  # a text to translate
SENTENCE_CHARACTERS = 2000  # a sentence in a link or a field, or a line of a text to translate
