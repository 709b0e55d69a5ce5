"""The sample at other sizes: bounded memory, honest lengths, and nothing half-written whatever happens."""

import gzip
import os
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from clir_cli.corpora.sample import generate_sample
from clir_cli.corpora.sample.concepts import build_world
from clir_cli.corpora.sample.languages import LANGUAGES
from clir_cli.corpora.sample.latimes import latimes_sgml
from clir_cli.corpora.sample.lexicon import build_lexicon
from clir_cli.corpora.sample.newswire import Newswire
from clir_cli.corpora.sample.stories import divide_concepts
from clir_cli.corpora.sample.writing import write_together
from clir_cli.errors import DataError

SMALL = {"seed": 3, "topics": 4, "documents": 60}


def test_memory_does_not_grow_with_the_collection(tmp_path: Path) -> None:
    world = build_world(3, 20)
    _, other = divide_concepts(world, 3, 4)
    english = LANGUAGES["eng"]
    newswire = Newswire(3, world, english, build_lexicon(3, english, world.kinds(), [], {}), other)
    assert len(list(newswire.stream([], 400, 400))) == 400  # the stock is written
    tracemalloc.start()
    with write_together(tmp_path) as write:
        documents = (document for document, _ in newswire.stream([], 3000, 400))
        write("documents.eng.sgml.gz", latimes_sgml(documents), "iso-8859-1")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(gzip.decompress((tmp_path / "documents.eng.sgml.gz").read_bytes())) > 7_000_000
    assert peak < 1_500_000


def test_large_collections_have_long_documents_and_the_same_topics(tmp_path: Path) -> None:
    report = generate_sample(tmp_path / "large", seed=3, topics=4, documents=1500, words=300)
    generate_sample(tmp_path / "usual", **SMALL)
    text = gzip.decompress((tmp_path / "large" / "documents.eng.sgml.gz").read_bytes()).decode("iso-8859-1")
    blocks = re.findall(r"<DOC>(.*?)</DOC>", text, re.DOTALL)
    lengths = [len(re.sub(r"<DOC(NO|ID)>.*|<[^>]*>", " ", block).split()) for block in blocks]
    assert len(blocks) == report.documents["eng"] == 1500
    assert 270 < sum(lengths) / len(lengths) < 330
    assert min(lengths) < 230 < 370 < max(lengths)
    ids = re.findall(r"<DOCNO> (\S+) </DOCNO>", text)
    assert len(set(ids)) == len(ids)
    assert ids == sorted(ids)
    judged = [line.split()[2] for line in (tmp_path / "large" / "qrels.eng.txt").read_text().splitlines()]
    assert set(judged) <= set(ids)
    assert report.relevant["eng"] >= 4 * 4
    same = [path.name for path in (tmp_path / "usual").iterdir() if not path.name.endswith(".eng.sgml.gz")]
    for name in same:
        if name != "qrels.eng.txt":
            assert (tmp_path / "usual" / name).read_bytes() == (tmp_path / "large" / name).read_bytes(), name


def test_a_large_collection_is_the_same_twice(tmp_path: Path) -> None:
    for name in ("one", "two"):
        generate_sample(tmp_path / name, seed=3, topics=4, documents=400, words=90)
    one, two = (tmp_path / name / "documents.eng.sgml.gz" for name in ("one", "two"))
    assert gzip.decompress(one.read_bytes()) == gzip.decompress(two.read_bytes())


def test_the_order_of_sets_does_not_matter(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from clir_cli.corpora.sample import generate_sample\n"
    code += "generate_sample(Path(sys.argv[1]), seed=3, topics=2, documents=32)"
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / seed)], env=environment, check=True)
    for path in (tmp_path / "1").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes(), path.name


def test_too_few_words_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="50 words at least: not 20"):
        generate_sample(tmp_path, words=20)


def test_progress_is_told_to_the_end(tmp_path: Path) -> None:
    told: list[tuple[int, int | None, str]] = []
    generate_sample(tmp_path, **SMALL, progress=lambda *how_far: told.append(how_far))
    assert told[0] == (0, told[-1][1], "English documents")
    assert told[-1][0] == told[-1][1]
    assert [done for done, _, _ in told] == sorted(done for done, _, _ in told)
    assert len({total for _, total, _ in told}) == 1


def test_an_interruption_leaves_what_was_there(tmp_path: Path) -> None:
    def stop(done: int, total: int | None, text: str) -> None:
        if text.startswith("sentences"):
            raise KeyboardInterrupt

    (tmp_path / "qrels.eng.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(KeyboardInterrupt):
        generate_sample(tmp_path, **SMALL, progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["qrels.eng.txt"]
    assert (tmp_path / "qrels.eng.txt").read_text() == "mine"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "sample").write_text("mine", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        generate_sample(tmp_path / "sample", **SMALL)
    assert caught.value.problem == f"{tmp_path}/sample/documents.eng.sgml.gz: it cannot be written (File exists)."
    assert caught.value.hint == "Name another folder."


def test_a_file_that_cannot_grow_leaves_nothing(tmp_path: Path) -> None:
    """As on a full disk: the system refuses what goes over a limit."""
    code = (
        "import resource, signal\n"
        "from pathlib import Path\n"
        "from clir_cli.corpora.sample import generate_sample\n"
        "from clir_cli.errors import DataError\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "try:\n"
        f"    generate_sample(Path({str(tmp_path)!r}), seed=3, topics=4, documents=60)\n"
        "except DataError as error:\n"
        "    print(error.problem)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == f"{tmp_path}/documents.eng.sgml.gz: it cannot be written (File too large).\n"
    assert list(tmp_path.iterdir()) == []
