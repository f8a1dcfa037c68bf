"""How a process the zygote has just forked becomes a session."""

from __future__ import annotations

import fcntl
import os
import socket
import traceback
from typing import NoReturn

import msgspec

from codeact.errors import CageError
from codeact.wire import orders
from codeact.wire.orders import Refused, Spawn
from codeact.worker import cage
from codeact.worker.cage import Bounds, Lodging, Plan
from codeact.worker.checkpoint import Checkpoints, Surroundings
from codeact.worker.page import Page
from codeact.worker.place import Place
from codeact.worker.prepared import Prepared
from codeact.worker.serve import serve


class Home(msgspec.Struct, frozen=True):
    """What a new session gets from its zygote."""

    plan: Plan
    prepared: Prepared
    page: Page
    lodging: Lodging
    bounds: Bounds


def become_session(order: Spawn, descriptors: list[int], home: Home) -> NoReturn:
    """Put on the cage, say so, and serve the host until it hangs up."""
    exit_code = 1
    try:
        _gather(descriptors)
        channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=cage.SOCKET)
        try:
            walls = cage.put_on(home.plan, home.bounds, home.lodging)
        except CageError as error:
            channel.send(orders.encode(Refused(error.wall, error.reason, error.remedy)))
            os._exit(1)
        os.dup2(0, 2)  # what the zygote's errors are written to is on the host's disk
        around = Surroundings(channel, home.plan.zygote_pid)
        checkpoints = Checkpoints(order.checkpoints, home.page, around, first_step_is_safe=order.replaceable)
        channel.send(orders.encode(orders.Caged(walls, home.lodging.folder)))
        serve(channel, home.prepared, checkpoints, Place(mounts=home.plan.small_root))
        exit_code = 0
    except BaseException:
        traceback.print_exc()  # into the zygote's errors, which the host shows where a session did not start
    finally:
        os._exit(exit_code)


def _gather(descriptors: list[int]) -> None:
    """Move the session's socket, and the files after it, to the first numbers after the standard three."""
    above = cage.SOCKET + len(descriptors)
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, above) for descriptor in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    for index, descriptor in enumerate(high):
        os.dup2(descriptor, cage.SOCKET + index, inheritable=False)
        os.close(descriptor)
