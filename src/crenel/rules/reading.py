"""What the readers of boards, solutions and records share: decoding, limits, quoted culprits, strict JSON."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable
from typing import Any

MAX_TEXT = 1_000_000
"""The longest text that is read, in characters; a game of thousands of moves takes some ten thousand."""
_SHOWN = 40
"""Characters of a culprit that an error message quotes."""
_MESSAGE = 600
"""Characters of an error message that is made of others' words."""


def decode(data: str | bytes, what: str, error: type[ValueError]) -> str:
    """The text of a file, with ``\\n`` line ends and without a byte order mark.

    UTF-8 is expected; UTF-16 is read where its byte order mark says so (shells that redirect output write it).

    Args:
        data: The content.
        what: What error messages call it, such as ``"the board"``.
        error: The error to raise.

    Raises:
        ValueError: (as ``error``) when the content is too long or is no text.
    """
    if len(data) > MAX_TEXT:
        raise error(f"{what} is too long: {MAX_TEXT:,} characters at most are read")
    if isinstance(data, bytes):
        utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        try:
            text = data.decode("utf-16" if utf16 else "utf-8")
        except UnicodeDecodeError:
            # The first two bytes of every pickle since protocol 2 say so.
            pickle = data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")
            kind = "a Python pickle, which is never read" if pickle else "binary data or not in UTF-8"
            raise error(f"{what} is not text: it is {kind}") from None
    else:
        text = data
    if "\0" in text:
        raise error(f"{what} is not text: it holds binary data")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split_lines(text: str) -> list[str]:
    """The lines of a decoded text; the end of the last line starts no further one."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def quoted(text: str) -> str:
    """A culprit in quotes as an error message shows it: printable and not too long."""
    shown = _printable(text[:_SHOWN]) + ("…" if len(text) > _SHOWN else "")
    return f"'{shown}'"


def one_line(message: str) -> str:
    """A message that quotes others' words, made fit to print: one line, not too long."""
    shown = _printable(message[:_MESSAGE])
    return shown + ("…" if len(message) > _MESSAGE else "")


def listing(items: Iterable[str], most: int = 12) -> str:
    """Some items as a list in a sentence: ``2C, 5D and 7 more``."""
    names = list(items)
    shown, rest = names[:most], len(names) - most
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return ", ".join(shown)


def read_json(text: str, what: str, error: type[ValueError]) -> dict[str, Any]:
    """The object in a JSON text; what JSON leaves to chance (a key twice, ``NaN``) is refused.

    Raises:
        ValueError: (as ``error``) when the text is no JSON object.
    """

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise error(f"{what} has the key {quoted(key)} twice")
            found[key] = value
        return found

    def constant(name: str) -> Any:
        raise error(f"{what} holds {name}, which is not a JSON value")

    try:
        data = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    except error:
        raise
    except RecursionError:
        raise error(f"{what} is nested too deeply") from None
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise error(f"{what} is not valid JSON: {problem.msg} ({place})") from None
    except ValueError:  # Python refuses to convert integers of thousands of digits
        raise error(f"{what} holds a number that is too long") from None
    if not isinstance(data, dict):
        raise error(f"{what} is not a JSON object")
    return data
