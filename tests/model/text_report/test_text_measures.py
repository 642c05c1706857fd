"""Files of a translated text have a line for each sentence, and nothing that a spreadsheet would compute."""

import csv
import json

from regard.model.text_report.sentence_measures import SentenceMeasures
from regard.model.text_report.text_measures import json_lines, pharaoh, tsv

ROWS = (
    SentenceMeasures(1, "=1+1", 'a "b"', "", "end", mean_probability=0.5, repeated=("a", "b"), links=((0, 0), (2, 1))),
    SentenceMeasures(2, "", "", "", "end"),
)


def test_tsv_has_names_and_a_line_for_each_sentence_and_no_formula() -> None:
    first, second = csv.DictReader(tsv(ROWS), delimiter="\t", quoting=csv.QUOTE_NONE)
    assert (first["number"], first["source"], first["translation"]) == ("1", "'=1+1", 'a "b"')
    assert (first["mean_probability"], first["repeated"], second["mean_probability"]) == ("0.5", "a, b", "")


def test_a_tab_or_a_line_feed_in_a_sentence_leaves_the_table_whole() -> None:
    (row,) = csv.DictReader(tsv([SentenceMeasures(1, "a\tb\nc\r=1", "d", "", "end")]), delimiter="\t")
    assert (row["source"], row["translation"]) == ("a b c =1", "d")


def test_json_lines_and_pharaoh_say_the_same_again() -> None:
    again = [json.loads(line) for line in json_lines(ROWS)]
    assert [one["source"] for one in again] == ["=1+1", ""]
    assert again[0]["links"] == [[0, 0], [2, 1]]
    assert [*pharaoh(ROWS)] == ["0-0 2-1\n", "\n"]
