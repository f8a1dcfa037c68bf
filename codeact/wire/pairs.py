"""The sockets that messages and orders travel on."""

from __future__ import annotations

import socket


def socket_pair() -> tuple[socket.socket, socket.socket]:
    """Make two ends that wait for as long as it takes, whatever a program has said by `socket.setdefaulttimeout`.

    With that, new sockets do not block, not even in the process that one end is sent to.
    """
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in ends:
        end.settimeout(None)
    return ends
