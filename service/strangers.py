"""The process that works for whoever comes without a token: it can be ended.

A file of a stranger may be made to take for ever, or all memory. What reads one is done here, one
at a time, under a budget; and when that does not help the process is killed, and the next one asks
a new one. It is started with the first file.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing import get_all_start_methods, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from tempfile import gettempdir
from threading import Event, Thread
from typing import Any

from answers.context import open_store_context
from answers.operations import OPERATIONS
from referee.untrusted.work_budget import OverBudget, WorkBudget, working_under
from service.auth import Principal
from service.dispatch import Dispatcher
from service.http_messages import HttpRequest, HttpResponse
from service.problems import HttpRefusal
from service.settings import Settings
from service.thread_pool import finished

WAITING = 16
"""Requests of strangers that may wait: together, and from one address."""
WAITING_OF_ADDRESS = 4
STARTING = 60.0
MARGIN = 2.0
"""Seconds beyond its budget after which the process is killed."""
MEMORY = 512 * 1024 * 1024
"""What it may have of its own, where the system can limit it."""
_LONGEST_FOLDER = 70
"""Letters of a path to which 32 may still be added: that of a socket has at most 103 on macOS."""

Work = Callable[[Dispatcher], HttpResponse]
"""A function of a module, or a ``partial`` of one: the process finds it by its name."""


class OneByOne:
    """One thread that does one thing after the other.

    The end of the program does not wait for it, as it would for that of a pool: it may stand in the
    start of a process, which nobody can end and which takes as long as the machine is busy.
    """

    def __init__(self) -> None:
        self._todo: SimpleQueue[tuple[Future[HttpResponse], Callable[[], HttpResponse]] | None]
        self._todo = SimpleQueue()
        Thread(target=self._go_on, daemon=True, name="stranger").start()

    def submit(self, work: Callable[[], HttpResponse]) -> Future[HttpResponse]:
        asked: Future[HttpResponse] = Future()
        self._todo.put((asked, work))
        return asked

    def close(self) -> None:
        """What is still asked for is not done: whoever waits for it is gone."""
        self._todo.put(None)

    def _go_on(self) -> None:
        while (told := self._todo.get()) is not None:
            asked, work = told
            if not asked.set_running_or_notify_cancel():
                continue
            try:
                asked.set_result(work())
            except BaseException as error:
                asked.set_exception(error)


class Strangers:
    """The queue of what strangers ask for, and the process that does it."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._told = url, settings
        self._waiting: Counter[str] = Counter()
        self._queue: OneByOne | None = None
        self._asked: set[Event] = set()
        """Of each request that waits: what tells that nobody wants it any more."""
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    async def run(
        self, address: str, gone: Callable[[], Awaitable[object]], work: Work
    ) -> HttpResponse | None:
        """The response; None, and the work is ended, if the client goes first."""
        if self._waiting.total() >= WAITING or self._waiting[address] >= WAITING_OF_ADDRESS:
            raise HttpRefusal("too_often", "busy", {"Retry-After": "5"})
        self._waiting[address] += 1
        is_unwanted = Event()
        if self._queue is None:
            self._queue = OneByOne()
        self._asked.add(is_unwanted)
        asked = self._queue.submit(partial(self._answer, work, WorkBudget(), is_unwanted))
        doing = asyncio.wrap_future(asked)
        try:
            return doing.result() if await finished(doing, gone) else None
        finally:
            self._waiting -= Counter([address])
            self._asked.discard(is_unwanted)
            if not asked.cancel() and not asked.done():
                is_unwanted.set()
                self._kill()

    def close(self) -> None:
        """End everything; an application that is opened again begins anew."""
        for is_unwanted in self._asked:
            is_unwanted.set()
        self._kill()
        if self._queue is not None:
            self._queue.close()
            self._queue = None

    def _answer(self, work: Work, budget: WorkBudget, is_unwanted: Event) -> HttpResponse:
        """Ask the process, in the one thread that waits for it."""
        with suppress(EOFError, OSError):
            if is_unwanted.is_set():
                raise EOFError
            connection = self._started(is_unwanted)
            if not is_unwanted.is_set():
                connection.send((work, budget))
            if not is_unwanted.is_set() and connection.poll(budget.seconds + MARGIN):
                reply: HttpResponse = connection.recv()
                if not is_unwanted.is_set():
                    return reply
        self._kill()
        self._connection = None
        raise OverBudget("took_too_long", seconds=round(budget.seconds))

    def _started(self, is_unwanted: Event) -> Connection:
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._kill()
        context = processes(__name__)
        self._connection, there = context.Pipe()
        process = context.Process(  # type: ignore[attr-defined]
            target=_work, args=(there, *self._told), name="stranger", daemon=True
        )
        process.start()
        self._process = process
        there.close()
        if is_unwanted.is_set():  # meanwhile there was no process to kill
            self._kill()
        if self._connection.poll(STARTING):
            self._connection.recv()
        return self._connection

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()


def answer_stranger(
    operation: str, asked: HttpRequest, principal: Principal, service: Dispatcher
) -> HttpResponse:
    """What the other process is sent names the operation: a declaration cannot be sent."""
    return service.reply(OPERATIONS[operation], asked, principal=principal)


def processes(module: str) -> BaseContext:
    """Processes are forked from one that has imported everything and opened nothing.

    It is asked by a socket in the folder for temporary files, whose path must not be too long.
    """
    if "forkserver" not in get_all_start_methods() or len(gettempdir()) > _LONGEST_FOLDER:
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([module])
    return context


def end_with_parent() -> None:
    """What was started by a process that is killed finishes what it can, and ends."""
    if (parent := parent_process()) is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _work(connection: Connection, url: str, settings: Settings) -> None:
    """The process, from its start to its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all of its processes
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=end_with_parent, daemon=True, name="parent").start()
    _limit_memory()
    service = Dispatcher.of(open_store_context(url, create=False), settings)
    with suppress(EOFError, OSError):
        connection.send(os.getpid())
        while True:
            work, budget = connection.recv()
            with working_under(budget):
                reply = work(service)
            connection.send(reply)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    used: Any = resource.getrlimit(resource.RLIMIT_DATA)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, used[1]))
