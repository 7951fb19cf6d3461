"""Hosts, origins, headers, the cookie, and rates."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from crenel.web.safety import HEADERS, Addresses, Bucket, host_name, is_loopback, is_own_origin, player_token
from tests.web.serving import Served, new_token


def connection(**headers: str) -> HTTPConnection:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return HTTPConnection({"type": "websocket", "headers": raw})


@pytest.mark.parametrize(
    ("origin", "host", "is_own"),
    [
        ("http://127.0.0.1:8752", "127.0.0.1:8752", True),
        ("https://cards.example.org", "cards.example.org", True),
        ("HTTPS://Cards.Example.org", "cards.example.ORG", True),
        ("http://127.0.0.1:8753", "127.0.0.1:8752", False),
        ("http://cards.example.org.evil.example", "cards.example.org", False),
        ("http://evil.example", "cards.example.org", False),
        ("https://other.example.org", "inner:80", True),  # configured
        ("null", "null", False),
        ("", "", False),
        ("://", "", False),
    ],
)
def test_origins(origin: str, host: str, is_own: bool) -> None:
    assert is_own_origin(connection(origin=origin, host=host), ["https://other.example.org/"]) is is_own


def test_a_handshake_without_an_origin_is_refused() -> None:
    assert not is_own_origin(connection(host="127.0.0.1:8752"), [])


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("127.0.0.1:8752", "127.0.0.1"),
        ("LocalHost", "localhost"),
        ("[::1]:8752", "::1"),
        ("[::1", ""),
        ("", ""),
        ("evil.example:80", "evil.example"),
        ("evil.example/127.0.0.1", "evil.example"),
    ],
)
def test_host_names(host: str, name: str) -> None:
    assert host_name(host) == name


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.0.2.1", "example.org", "")))


def test_every_answer_has_the_headers(server: Served) -> None:
    for path in ("/", "/cruel/ms:24", "/nowhere", "/static/css/base.css", "/static/none", "/api/health", "/api/none",
                 "/openapi.json", "/api/played?limit=x"):  # fmt: skip
        answer = server.get(path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, path
        assert "server" not in answer.headers
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_the_cookie_makes_a_player_and_stays(server: Served) -> None:
    first = server.get("/cruel").headers["set-cookie"]
    assert "HttpOnly" in first and "SameSite=lax" in first and "Path=/" in first and "Secure" not in first
    token = first.partition("=")[2].partition(";")[0]
    assert len(token) == 43  # 256 bits
    assert token in server.get("/cruel", token).headers["set-cookie"]
    for wrong in ("short", "x" * 44, "é" * 43):
        assert player_token(connection(cookie=f"crenel_player={wrong}")) is None
    assert "set-cookie" not in server.get("/api/health").headers
    assert server.get("/cruel", "forged!").headers["set-cookie"].partition(";")[0] != "crenel_player=forged!"


def test_a_token_is_stored_as_a_digest_only(server: Served) -> None:
    token = new_token()
    with server.tab(token) as tab:
        tab.open("/cruel/ms:24")
        tab.play("10-h")
    with server.site.games._database.reading() as reading:
        text = repr(
            [reading.exec_driver_sql(f"SELECT * FROM {table}").all() for table in ("players", "games")]
        )
    assert token not in text


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_lets_a_burst_through_and_then_its_rate() -> None:
    time = Time()
    bucket = Bucket(10.0, 5.0, time)
    assert [bucket.take() for _ in range(5)] == [0.0] * 5
    assert bucket.take() == pytest.approx(0.1)
    assert bucket.take() == pytest.approx(0.2)
    time.now = 0.2
    assert bucket.take() == pytest.approx(0.1)
    time.now = 100.0
    assert [bucket.take() for _ in range(6)][-2:] == [0.0, pytest.approx(0.1)]


def test_networks_have_buckets_of_their_own() -> None:
    time = Time()
    addresses = Addresses(1.0, 2.0, time, most=3)
    assert [addresses.try_take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert addresses.try_take("192.0.2.2")
    # One household has a whole half of an IPv6 address to itself.
    assert [addresses.try_take(f"2001:db8::{number}") for number in range(3)] == [True, True, False]
    assert not addresses.try_take("::ffff:192.0.2.1")
    time.now = 1.0
    assert addresses.try_take("192.0.2.1")
    for number in range(5):  # so many others that the first ones are forgotten
        addresses.try_take(f"198.51.100.{number}")
    assert len(addresses._buckets) == 3
