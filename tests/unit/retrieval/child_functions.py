"""What test_child.py has a child process do."""

import os
import sys
import time

from clir_cli.errors import DataError


def echo(value, progress):
    progress(1, 2, "half")
    return {"value": value, "main": sys.modules["__main__"].__dict__.get("__file__"), "loaded": sorted(sys.modules)}


def chatter(progress):
    print("from Python")
    os.write(1, b"from log4j\n")
    return "quiet"


def refuse(progress):
    raise DataError("The store is broken.", "Make it anew.")


def crash(progress):
    raise RuntimeError("no such luck")


def vanish(progress):
    print("the last words", file=sys.stderr, flush=True)
    os._exit(3)


def sleep(progress):
    progress(0, None, str(os.getpid()))
    time.sleep(300)
