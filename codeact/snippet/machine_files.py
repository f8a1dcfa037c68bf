"""Files of the machine that libraries read for themselves, whoever runs them; they tell nothing of its users.

Both walls leave them open: the hook of sessions without a cage, and the small root of a caged one.
"""

from __future__ import annotations

from codeact.snippet.words import words

# The tables `mimetypes` reads when it is first asked: `mimetypes.knownfiles`, whose import takes longer than a session.
_KINDS_OF_FILES = tuple(
    f"{folder}/mime.types"
    for folder in words(
        "/etc /etc/httpd /etc/httpd/conf /etc/apache /etc/apache2 /usr/local/etc/httpd/conf /usr/local/lib/netscape"
        " /usr/local/etc"
    )
)

MACHINE_FILES = ("/usr/share/fonts", "/usr/share/zoneinfo", *_KINDS_OF_FILES)
