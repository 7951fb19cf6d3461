"""What holds for all tests."""

from __future__ import annotations

import signal

# A shell that starts the tests in the background lets them, and all programs that they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
