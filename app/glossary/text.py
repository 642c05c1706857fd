"""What is read and written: words, tokens and what stands for them."""

from app.glossary.definition import Definition

TEXT = {
    "word": Definition(
        "Word",
        "What a person reads as one. *Don't* is two words here, *do* and *n't*, and so is *t'aime*; a punctuation mark "
        "is one by itself. To the model a word is one token or several.",
        seen="translate",
    ),
    "token": Definition(
        "Token",
        "What the model reads and writes: a word or a piece of one, found by byte-pair encoding, which keeps together "
        "what often stands together. A token that begins a word after a blank starts with that blank.",
        source="Sennrich, Haddow and Birch (2016)",
        seen="translate",
        also="subword, piece",
    ),
    "vocabulary": Definition(
        "Vocabulary",
        "All tokens that the model knows, of both languages together. What is not among them is spelled byte by byte, "
        "so there is no unknown word.",
        seen="translate",
    ),
    "control": Definition(
        "Start and end of sentence",
        "`<s>` is fed to the decoder before there is any target token. `</s>` ends every source sentence, where the "
        "decoder may look at it, and a translation ends when the decoder produces it.",
        seen="translate",
        also="`<s>` and `</s>`, BOS and EOS",
    ),
    "source": Definition(
        "Source and target",
        "The sentence that is read, here in English, and the one that is written, here in French.",
        seen="translate",
        also="input and output sentence",
    ),
    "embedding": Definition(
        "Embedding",
        "The vector that stands for a token wherever it occurs: its row in a matrix that training sets. Encoder and "
        "decoder each have such a matrix.",
        shape="V D",
        seen="translate",
        also="word vector",
    ),
}
