"""What all tests need of the process they run in."""

import signal

# A shell ignores Ctrl-C for what it starts in the background, and so do its children: tests of it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
