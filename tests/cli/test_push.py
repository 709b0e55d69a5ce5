"""`clir push`, against a server on this machine that answers as the hub does."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from clir_cli.cli.app import run as call
from clir_cli.encoders.checkpoint import load_tokenizer
from clir_cli.rerankers.build import build_reranker, save_reranker
from clir_cli.rerankers.folder import add_use
from tests.tiny_collection import make_collection

FILES = ["README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]


class Hub(ThreadingHTTPServer):
    """What of the hub's interface an upload of small files needs."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.repositories: dict[str, dict[str, bytes]] = {}
        self.private: list[str] = []
        self.tokens: set[str] = set()
        self.status = 200


class _Answers(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_: object) -> None:
        pass

    def answer(self, body: object, status: int = 200) -> None:
        raw = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)

    def do_HEAD(self) -> None:
        self.answer({})

    def do_GET(self) -> None:
        name = self.path.removeprefix("/api/models/").split("?")[0]
        if name in self.server.repositories:
            self.answer({"id": name, "siblings": [], "sha": "0" * 40})
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.tokens.add(self.headers.get("Authorization", ""))
        if self.server.status != 200:
            self.answer({"error": "no"}, self.server.status)
        elif self.path == "/api/repos/create":
            asked = json.loads(body)
            name = f"{asked.get('organization') or 'me'}/{asked['name']}"
            if asked.get("private") or asked.get("visibility") == "private":
                self.server.private.append(name)
            self.server.repositories.setdefault(name, {})
            self.answer({"url": f"http://{self.headers['Host']}/{name}"})
        elif "/preupload/" in self.path:
            names = [file["path"] for file in json.loads(body)["files"]]
            ways = [{"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names]
            self.answer({"files": ways})
        elif self.path == "/api/validate-yaml":
            self.answer({"errors": [], "warnings": []})
        else:
            assert "/commit/" in self.path
            name = self.path.removeprefix("/api/models/").partition("/commit/")[0]
            for line in body.splitlines():
                item = json.loads(line)
                if item["key"] == "file":
                    value = item["value"]
                    self.server.repositories[name][value["path"]] = base64.b64decode(value["content"])
            self.answer(
                {"success": True, "commitUrl": f"http://{self.headers['Host']}/{name}/commit/1", "commitOid": "1"}
            )


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    from huggingface_hub import constants

    server = Hub()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setenv("HF_ENDPOINT", address)
    monkeypatch.setattr(constants, "ENDPOINT", address)  # the library reads the variable once, when it is imported
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    for switch in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(switch, raising=False)
    monkeypatch.setenv("HF_TOKEN", "a-token")
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("push")
    tiny = make_collection(folder / "encoder", topics=1)
    save_reranker(build_reranker(tiny.folder, seed=3), load_tokenizer(tiny.folder), folder / "model")
    add_use(folder / "model", reading={"text": "raw"}, links=None, card="---\nlibrary_name: clir\n---\n")
    (folder / "model" / "notes.bin").write_text("nobody's business")
    return folder / "model"


def test_uploads_the_model_and_nothing_else(model: Path, hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["push", "--checkpoint", str(model), "--to", "me/ranker", "--private"]) == 0
    sent = hub.repositories["me/ranker"]
    assert sorted(sent) == FILES
    assert all(sent[name] == (model / name).read_bytes() for name in FILES)
    assert hub.private == ["me/ranker"]
    assert hub.tokens == {"Bearer a-token"}
    assert "me/ranker" in capsys.readouterr().out


def test_a_name_that_is_taken(model: Path, hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.repositories["me/ranker"] = {"old": b""}
    arguments = ["push", "--checkpoint", str(model), "--to", "me/ranker"]
    assert call(arguments) == 2
    assert "There is a model me/ranker already." in capsys.readouterr().err
    assert list(hub.repositories["me/ranker"]) == ["old"]
    assert call([*arguments, "--update"]) == 0
    assert sorted(hub.repositories["me/ranker"]) == sorted([*FILES, "old"])


def test_what_the_hub_refuses(model: Path, hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.status = 403
    assert call(["push", "--checkpoint", str(model), "--to", "them/ranker"]) == 1
    said = capsys.readouterr().err
    assert "The hub refused them/ranker:" in said
    assert "The token may not write there" in said


def test_dry_run_lists_files_and_asks_nobody(model: Path, hub: Hub, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["push", "--checkpoint", str(model), "--to", "me/ranker", "--dry-run"]) == 0
    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ["file", *FILES]
    assert not hub.repositories


def test_errors_before_anything_is_sent(
    model: Path, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*arguments: str) -> str:
        capsys.readouterr()
        assert call(["push", "--checkpoint", *arguments]) in (1, 2)
        return capsys.readouterr().err

    assert "'ranker' is no name on the hub." in said(str(model), "--to", "ranker")
    assert "holds no re-ranker" in said(str(model.parent / "encoder"), "--to", "me/ranker")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert "a variable keeps this machine off the network" in said(str(model), "--to", "me/ranker")
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    assert "There is no token for the hub." in said(str(model), "--to", "me/ranker")
    assert not hub.repositories
