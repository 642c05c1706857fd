"""Fork server: the process that workers are forked from (`python -m regard.app.training_jobs.forkserver`). PyTorch is
imported once.

Its standard input is a socket to the server. Each byte on it requests a worker and brings three file descriptors: the
worker's input, its output, and its lifeline, a socket on which this process writes the worker's process id and finally
its exit status, a line each. When the server shuts the lifeline, the worker is killed. Nothing is computed here and
there is a single thread, so that every worker starts from the same state.
"""

import os
import signal
import socket
import traceback
from collections.abc import Iterable
from contextlib import suppress
from select import select
from typing import NamedTuple

import torch
from torch.optim import Adam

from regard.app.training_jobs import worker

NICE = 10


class Child(NamedTuple):
    """A worker whose exit status has not been collected."""

    process: int
    lifeline: socket.socket
    ended: int  # pipe whose other end only the worker holds; readable once the worker has ended


def main() -> None:
    os.nice(NICE)
    Adam([torch.zeros(1)])  # a process's first optimizer imports as much again
    server = socket.socket(fileno=os.dup(0))
    children: list[Child] = []
    while True:
        ready = select([server, *(part for child in children for part in child[1:])], [], [])[0]
        for child in [child for child in children if child.lifeline in ready or child.ended in ready]:
            if child.ended not in ready:
                os.kill(child.process, signal.SIGKILL)
            _reap(child)
            children.remove(child)
        if server in ready:
            asked, ends, _, _ = socket.recv_fds(server, 1, 3)
            if not asked:
                break  # the server has ended
            _fork_worker(ends, server, children)
    for child in children:
        os.kill(child.process, signal.SIGKILL)
    os._exit(0)


def _fork_worker(ends: list[int], server: socket.socket, children: list[Child]) -> None:
    """Fork a worker that inherits nothing from its siblings; report failure to fork as its exit status."""
    commands, says = ends[:2]
    lifeline = socket.socket(fileno=ends[2])
    ended, alive = os.pipe()
    fork_server = os.getpid()
    try:
        process = os.fork()
    except OSError:
        traceback.print_exc()  # for the server's log
        _write(lifeline, 0, 1)
        lifeline.close()
        os.close(ended)
    else:
        child = Child(process, lifeline, ended)
        if process == 0:
            _become_worker(fork_server, commands, says, server, [*children, child])
        _write(lifeline, process)
        children.append(child)
    for end in (commands, says, alive):
        os.close(end)


def _become_worker(
    fork_server: int, commands: int, says: int, server: socket.socket, children: Iterable[Child]
) -> None:
    """Become a worker; does not return."""
    try:
        os.dup2(commands, 0)
        os.dup2(says, 1)
        for end in (commands, says, *(child.ended for child in children)):
            os.close(end)
        for connection in (server, *(child.lifeline for child in children)):
            connection.close()
        worker.main(fork_server)
    finally:
        os._exit(1)


def _reap(child: Child) -> None:
    """Collect the exit status of a worker that has ended or is about to."""
    _write(child.lifeline, os.waitstatus_to_exitcode(os.waitpid(child.process, 0)[1]))
    child.lifeline.close()
    os.close(child.ended)


def _write(lifeline: socket.socket, *numbers: int) -> None:
    with suppress(OSError):  # the server has ended
        lifeline.sendall("".join(f"{number}\n" for number in numbers).encode())


if __name__ == "__main__":
    main()
