"""An explanation on the terminal."""

from clir_cli.analysis.explanation import Explanation, FirstStage, QueryWord, Reading
from clir_cli.cli import console
from clir_cli.report.explanation import words as say


def show(explanation: Explanation) -> None:
    """Print all of it."""
    text = explanation.shows_text
    console.say(f"Topic {explanation.topic}{f': {explanation.query}' if text else ''}", style="head")
    title = f": {explanation.title}" if explanation.title else ""
    console.say(f"Document {explanation.document}{title} ({say.say_grade(explanation)})", style="head")
    if not text:
        console.say(say.NUMBERS)
    console.say(say.say_first(explanation.first))
    if explanation.reranked is not None:
        console.say(say.say_reranked(explanation.reranked, explanation.first))
    else:
        console.say(say.NO_MODEL.format(pair=explanation.pair))
    _show_query(explanation.first)
    _show_split(explanation.first)
    if explanation.reranked is None:
        return
    reading = explanation.reranked.reading
    _head("Scores by passage")
    rows = [
        [str(number), f"{passage.first}-{passage.last}", str(passage.links), f"{passage.score:.4f}"]
        for number, passage in enumerate(reading.passages, 1)
    ]
    mean = ["mean", "", str(sum(passage.links for passage in reading.passages)), f"{reading.score:.4f}"]
    console.show_table(["passage", "words", "links", "score"], [*rows, mean], right=["links", "score"])
    if sentence := say.say_no_links(explanation.reranked):
        console.say(sentence)
        return
    _show_links(reading)
    _show_without(reading)


def _head(text: str) -> None:
    console.say()
    console.say(text, style="head")


def _show_query(first: FirstStage) -> None:
    if not first.words:
        if first.remark:
            console.say(first.remark)
        return
    _head("The query as it was asked")
    console.say(f"*: in the document; {say.say_weight(first)}.")
    console.show_table(
        ["query word", "times", "weight", "translations"],
        [[word.word, str(word.times), f"{word.weight:.3f}", _translations(word)] for word in first.words],
        right=["times", "weight"],
    )
    if first.passed_over:
        console.say(f"Not asked (stop words, numbers): {', '.join(first.passed_over)}")


def _translations(word: QueryWord) -> str:
    if not word.translations:
        return "none in the table"
    return ", ".join(f"{one.word}{'*' * bool(one.times)} {one.weight:.3f}" for one in word.translations)


def _show_split(first: FirstStage) -> None:
    if not first.words:
        return
    _head("The first-stage score by word")
    if not first.is_split:
        console.say(first.remark)
        return
    rows = [
        [word.word, one.word, f"{one.weight:.3f}", str(one.times), str(one.documents), f"{one.score:.4f}"]
        for word in first.words
        for one in word.held
    ]
    if not rows:
        console.say(say.NO_TERM)
        return
    console.show_table(
        ["query word", "document word", "weight", "times", "df", "score"],
        [*rows, ["sum", "", "", "", "", f"{first.sum:.4f}"]],
        right=["weight", "times", "df", "score"],
    )


def _show_links(reading: Reading) -> None:
    _head("Links that M^tr carries")
    console.show_table(
        ["query word", "document word", "p", "times", "passages"],
        [
            [link.query_word, link.document_word, f"{link.p:.4f}", str(link.times), ", ".join(map(str, link.passages))]
            for link in reading.links
        ],
        right=["p", "times"],
    )


def _show_without(reading: Reading) -> None:
    _head("The score without the links of a word")
    console.show_table(
        ["left out", "links", "score", "change"],
        [
            [one.word or "all of them", str(one.links), f"{one.score:.4f}", f"{one.score - reading.score:+.4f}"]
            for one in reading.without
        ],
        right=["links", "score", "change"],
    )
