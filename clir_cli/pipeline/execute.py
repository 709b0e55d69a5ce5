"""Run the stages of a plan: what is there is kept, what is locked elsewhere is waited for, the rest is made."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import NoReturn

from clir_cli.errors import ClirError, Interrupted, StageError
from clir_cli.pipeline.events import Event, EventKind, Listener, ignore
from clir_cli.pipeline.lock import Lock
from clir_cli.pipeline.plan import Plan, State
from clir_cli.pipeline.stage import Inputs, Stage
from clir_cli.pipeline.store import Store
from clir_cli.pipeline.workers import Message, Task, Worker, cards, cores, interrupts_wait, unwritten

POLL = 0.5
"""Seconds between two looks at a lock that another process holds."""


@dataclass
class _Running:
    stage: Stage
    worker: Worker
    lock: Lock


def default_jobs() -> int:
    """One job a card; without a card, one a core."""
    return cards() or cores()


def run_plan(plan: Plan, *, jobs: int | None = None, listener: Listener = ignore) -> None:
    """Make everything the plan names.

    Raises the first ``ClirError`` of a stage after the other running stages were stopped (their partial results stay
    and are gone on with next time), and ``Interrupted`` on Ctrl-C.
    """
    runner = _Runner(plan.store, plan.redo, jobs or default_jobs(), listener)
    try:
        for stage in plan.stages:
            if plan.state(stage) is State.done:
                listener(Event(EventKind.skipped, stage.label))
        runner.run(plan.to_run)
    except KeyboardInterrupt:
        raise Interrupted("Interrupted.", "Everything finished is kept: run the same command to go on.") from None
    finally:
        runner.close()


class _Runner:
    def __init__(self, store: Store, redo: frozenset[str], jobs: int, listener: Listener) -> None:
        self.store = store
        self.redo = redo
        self.jobs = jobs
        self.listener = listener
        self.idle: list[Worker] = []
        self.running: list[_Running] = []
        self.pending: list[Stage] = []

    def run(self, stages: Iterable[Stage]) -> None:
        pending = self.pending = list(stages)
        announced: set[str] = set()
        while pending or self.running:
            blocked = False
            unmade = {stage.key for stage in pending} | {running.stage.key for running in self.running}
            for stage in list(pending):
                if self._slots() >= self.jobs:
                    break
                if any(needed.key in unmade for needed in stage.needs.values()) or not self._has_room(stage):
                    continue
                with interrupts_wait():  # a lock that is taken is released or belongs to a running stage
                    lock = self.store.lock(stage)
                    if not lock.acquire():
                        blocked = True
                        if stage.key not in announced:
                            announced.add(stage.key)
                            self.listener(Event(EventKind.waiting, stage.label))
                        continue
                    pending.remove(stage)
                    if stage.key not in self.redo and self.store.has(stage):
                        lock.release()  # another process finished it meanwhile: its result is kept
                        self.listener(Event(EventKind.skipped, stage.label))
                        unmade.discard(stage.key)
                        continue
                    alike = sum(other.kind == stage.kind for other in pending)
                    self._start(stage, lock, alike + sum(other.stage.kind == stage.kind for other in self.running))
            if self.running:
                self._listen(POLL if blocked else None)
            elif pending and blocked:
                time.sleep(POLL)

    def _slots(self) -> int:
        """Jobs that are running; one that is several processes counts as so many."""
        return sum(ranks_of(running.stage) for running in self.running)

    def _has_room(self, stage: Stage) -> bool:
        """Whether ``stage`` may start beside those that run: one that wants several cards gets them all, or waits.

        Raises ``StageError`` where there are not so many.
        """
        wanted, there = ranks_of(stage), cards()
        if wanted > 1 and 0 < there < wanted:
            raise StageError(
                f"{stage.label}: training.cards is {wanted}, this machine has {there}.", "Lower training.cards."
            )
        if not self.running:
            return True
        return self._slots() + wanted <= self.jobs and (wanted == 1 or not there or len(self._free()) >= wanted)

    def _free(self) -> list[int]:
        """Cards that no running stage has."""
        taken = {card for running in self.running for card in running.worker.cards}
        return [card for card in range(cards()) if card not in taken]

    def _start(self, stage: Stage, lock: Lock, others: int) -> None:
        """``others``: stages of this kind that are running or still to run; they share the cores."""
        if stage.key in self.redo:
            self.store.remove(stage)
        threads = int(stage.settings.get("threads", 1))
        if stage.hints.get("any_threads"):
            threads = max(1, self.jobs // (others + 1))
        worker = self._worker(threads, ranks_of(stage))
        needs = {name: self.store.path(needed) for name, needed in stage.needs.items()}
        inputs = Inputs(settings=stage.settings, needs=needs, files=stage.files, hints=stage.hints)
        self.listener(Event(EventKind.started, stage.label))
        worker.send(Task(stage.function, self.store.partial(stage), inputs, ranks_of(stage)))
        self.running.append(_Running(stage, worker, lock))

    def _worker(self, threads: int, ranks: int) -> Worker:
        free = self._free()
        for worker in self.idle:
            if worker.threads == threads and len(worker.cards) == min(ranks, len(free)) and {*worker.cards} <= {*free}:
                self.idle.remove(worker)
                return worker
        if self.idle:
            self.idle.pop().stop()
        return Worker(threads, tuple(free[:ranks]))

    def _listen(self, timeout: float | None) -> None:
        ready = wait([running.worker.connection for running in self.running], timeout)
        for running in [running for running in self.running if running.worker.connection in ready]:
            message = _receive(running)
            if message.kind == "progress":
                event = Event(EventKind.progress, running.stage.label, message.done, message.total, message.text)
                self.listener(event)
            elif message.kind == "failed":
                assert message.error is not None
                message.error.__notes__ = [message.trace]
                self._fail(running, message.error)
            else:
                with interrupts_wait():
                    self._finish(running, message.seconds)

    def _finish(self, running: _Running, seconds: float) -> None:
        try:
            self.store.finish(running.stage, seconds, threads=str(running.worker.threads))
        except OSError as error:  # it still counts as running: its worker is ended and its lock released by `close`
            self._fail(running, unwritten(error))
        self.running.remove(running)
        running.lock.release()
        unmade = [*self.pending, *(other.stage for other in self.running)]
        still_read = {needed.key for stage in unmade for needed in stage.needs.values()}
        for name, part in running.stage.hints.get("drop", {}).items():
            if running.stage.needs[name].key not in still_read:
                self.store.drop(running.stage.needs[name], part)
        self.idle.append(running.worker)
        self.listener(Event(EventKind.finished, running.stage.label, seconds=seconds))

    def _fail(self, running: _Running, error: ClirError) -> NoReturn:
        self.listener(Event(EventKind.failed, running.stage.label, text=error.problem))
        failure = type(error)(f"{running.stage.label}: {error.problem}", error.hint)
        failure.__notes__ = getattr(error, "__notes__", [])
        raise failure

    def close(self) -> None:
        for running in self.running:
            running.worker.stop()
            running.lock.release()
        for worker in self.idle:
            worker.stop()


def ranks_of(stage: Stage) -> int:
    """Processes that a stage runs as, together: a card each, where there are cards."""
    return int(stage.hints.get("cards", 1))


def _receive(running: _Running) -> Message:
    try:
        message: Message = running.worker.connection.recv()
        return message
    except (EOFError, OSError):
        running.worker.process.join(5)
        code = running.worker.process.exitcode
        reason = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        advice = "Was memory short? Fewer --jobs need less; run the same command to go on from the last checkpoint."
        return Message("failed", error=StageError(f"its process {reason}.", advice))
