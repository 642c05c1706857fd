"""One pair on screen: where a model's attention agrees with the links drawn between its words, and where not."""

from collections.abc import Iterable
from html import escape

import streamlit as st

from regard.app.figures.measures import rate
from regard.app.screens.alignment.error_rate import sums
from regard.app.theme import percent
from regard.app.wording import counted
from regard.model.word_alignment.alignment_error_rate import Link
from regard.model.word_alignment.from_attention import Compared
from regard.model.words import told_apart


def verdict(compared: Compared, who: str) -> None:
    """Show the error of the pair in a sentence, and its sums; `who` drew the links."""
    counts = compared.agreement
    of_sure = f"{counts.proposed_and_sure} of {counted(counts.sure, 'sure link')} found"
    of_mine = f"{counts.proposed_and_possible} of {counted(counts.proposed, 'proposed link')} drawn by {who}"
    st.markdown(
        f"**Alignment error rate {rate(counts.error_rate)}**: {of_sure}, {of_mine}; {percent(compared.mass)} of the "
        f"{compared.what} of linked words lies on their links."
    )
    with st.container(horizontal=True, gap="large", key="sums"):
        for formula in sums(counts):
            st.latex(formula, width="content")


def differences(compared: Compared, languages: tuple[str, str], who: str) -> None:
    """List the missed and the wrong links, in words."""
    missed = [
        f"{_word(compared, link[1], languages)} – {_source(compared, [link], languages)}" for link in compared.missed
    ]
    wrong = [_looked(compared, link, languages, who) for link in compared.wrong]
    with st.container(horizontal=True, gap="large", key="differences"):
        _list(f"Missed, sure links that the {compared.what} does not propose: {len(missed)}", missed)
        _list(f"Wrong, proposed links that {who} did not draw: {len(wrong)}", wrong)
    if compared.silent:
        most = "weight" if compared.what == "attention" else "of the posterior"
        silent = ", ".join(_word(compared, row, languages) for row in compared.silent)
        st.html(f'<p class="about">No link proposed, most {most} on the end of the sentence: {silent}</p>')


def _looked(compared: Compared, link: Link, languages: tuple[str, str], who: str) -> str:
    drawn = sorted(other for other in compared.gold.sure | compared.gold.possible if other[1] == link[1])
    instead = _source(compared, drawn, languages) if drawn else "nothing"
    word, looked = _word(compared, link[1], languages), _source(compared, [link], languages)
    verb = "looks at" if compared.what == "attention" else "has its greatest posterior at"
    return f"{word} {verb} {looked}; {who} linked it to {instead}"


def _list(title: str, lines: list[str]) -> None:
    items = "".join(f"<li>{line}</li>" for line in lines)
    st.html(f'<div class="links-told"><p>{title}</p><ul>{items}</ul></div>')


def _word(compared: Compared, row: int, languages: tuple[str, str]) -> str:
    return _marked(told_apart(compared.target)[row], languages[1], "target")


def _source(compared: Compared, links: Iterable[Link], languages: tuple[str, str]) -> str:
    words = told_apart(compared.source)
    return " ".join(_marked(words[column], languages[0], "source") for column, _ in links)


def _marked(word: str, language: str, side: str) -> str:
    return f'<span class="{side}-word" lang="{escape(language)}">{escape(word)}</span>'
