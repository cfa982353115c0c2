"""Join codes: they come back as they were, forgive how people write, and tell what is mistyped."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import base32, joincode, keyservice, limits, text
from protocol.joincode import BadCode, Invite

ADDRESSES = st.integers(0, 2**32 - 1).map(lambda number: str(ipaddress.IPv4Address(number)))
PORTS = st.integers(limits.MIN_PORT, limits.MAX_PORT)
KEYS = st.binary(min_size=32, max_size=32)
KEY = bytes(range(32))
CODE = joincode.short_code("192.168.1.20", 21977, KEY)


def refusal(written: str) -> str:
    with pytest.raises(BadCode) as caught:
        joincode.parse(written)
    return str(caught.value)


class TestShortCode:
    @settings(max_examples=60)
    @given(ADDRESSES, PORTS, KEYS)
    def test_it_holds_address_port_and_fingerprint(self, address: str, port: int, key: bytes) -> None:
        read = joincode.parse(joincode.short_code(address, port, key))
        assert read == Invite(address, port, fingerprint=joincode.fingerprint(key))
        assert read.matches(key)
        assert not read.matches(bytes([key[0] ^ 1]) + key[1:])

    def test_it_is_seven_groups_of_four_that_are_easy_to_read_out(self) -> None:
        groups = CODE.split("-")
        assert [len(group) for group in groups] == [4] * 7
        assert not set("".join(groups)) & set("ILOU")

    @pytest.mark.parametrize(
        "written",
        [
            CODE.lower(),
            CODE.replace("-", ""),
            CODE.replace("-", " "),
            f"  {CODE}\n",
            CODE.replace("-", "\u2013"),
            CODE.replace("0", "O"),
            CODE.replace("0", "o").replace("1", "l"),
            CODE.replace("1", "I"),
        ],
        ids=ascii,
    )
    def test_it_may_be_written_carelessly(self, written: str) -> None:
        assert joincode.parse(written) == joincode.parse(CODE)

    @settings(max_examples=60)
    @given(st.integers(0, 27), st.integers(1, 31))
    def test_one_wrong_character_is_found(self, place: int, by: int) -> None:
        values = base32.digits(CODE)
        values[place] = (values[place] + by) % 32
        assert "mistyped" in refusal(base32.write(values))

    @settings(max_examples=60)
    @given(st.integers(0, 27), st.integers(0, 27))
    def test_two_characters_that_changed_places_are_found(self, one: int, other: int) -> None:
        values = base32.digits(CODE)
        if values[one] != values[other]:
            values[one], values[other] = values[other], values[one]
            assert "mistyped" in refusal(base32.write(values))

    def test_a_letter_that_is_in_no_code_is_named(self) -> None:
        assert refusal("U" + CODE[1:]) == "mistyped: there is no 'U' in a code"

    def test_a_missing_character_is_counted(self) -> None:
        assert "28" in refusal(CODE[:-1])
        assert "27" in refusal(CODE[:-1])
        assert refusal("  ")

    def test_a_code_of_another_version_says_so(self) -> None:
        values = base32.digits(CODE)[:-1]
        values[1] += 8  # The second digit's upper two bits end the version.
        written = base32.write([*values, base32.check_digit(values)])
        assert "version" in refusal(written)

    def test_a_code_with_an_impossible_port_is_refused(self) -> None:
        number = (joincode.CODE_VERSION << 48 | 0xFFFF) << 80
        values = base32.from_number(number, 27)
        assert "port" in refusal(base32.write([*values, base32.check_digit(values)]))

    @pytest.mark.parametrize(("address", "port"), [("::1", 5), ("host", 5), ("1.2.3.4", 0), ("1.2.3.4", 65535)])
    def test_only_ipv4_addresses_and_usable_ports_have_one(self, address: str, port: int) -> None:
        with pytest.raises(ValueError, match=r"."):
            joincode.short_code(address, port, KEY)


class TestInvite:
    @settings(max_examples=60)
    @given(ADDRESSES | st.sampled_from(["tower.local", "pc", "fe80::1", "fe80::1%eth0"]), PORTS, KEYS)
    def test_it_holds_the_whole_key(self, host: str, port: int, key: bytes) -> None:
        written = joincode.invite(host, port, key)
        assert len(written.rpartition("/")[2]) == 52
        read = joincode.parse(written)
        assert (read.host, read.port, read.key) == (host, port, key)
        assert joincode.parse(written.lower()).key == key
        assert read.matches(key)
        assert not read.matches(bytes(32)) or key == bytes(32)

    def test_a_cut_or_changed_key_is_refused(self) -> None:
        written = joincode.invite("pc", 5, KEY)
        assert "52" in refusal(written[:-1])
        assert "mistyped" in refusal(written[:-1] + "Z")
        assert "mistyped" in refusal(written[:-1] + "!")

    @pytest.mark.parametrize(("host", "port"), [("", 5), ("a b", 5), ("a/b", 5), ("::g", 5), ("pc", 0), ("pc", 65535)])
    def test_an_unusable_address_has_none(self, host: str, port: int) -> None:
        with pytest.raises(ValueError, match=r"."):
            joincode.invite(host, port, KEY)


class TestAddress:
    @pytest.mark.parametrize(
        ("written", "host", "port"),
        [
            ("192.168.1.20:5000", "192.168.1.20", 5000),
            ("tower.local:5000", "tower.local", 5000),
            ("pc:5000", "pc", 5000),
            ("tower.local", "tower.local", limits.DEFAULT_PORT),
            ("localhost", "localhost", limits.DEFAULT_PORT),
            ("[fe80::1%eth0]:5000", "fe80::1%eth0", 5000),
            ("[::1]", "::1", limits.DEFAULT_PORT),
        ],
    )
    def test_an_address_promises_no_key(self, written: str, host: str, port: int) -> None:
        read = joincode.parse(written)
        assert read == Invite(host, port)
        assert read.matches(KEY)
        assert joincode.parse(read.address) == read

    @pytest.mark.parametrize(
        ("written", "word"),
        [
            ("fe80::1:5000", "brackets"),
            ("[fe80::1", "brackets"),
            ("[fe80::zz]:5", "address"),
            ("pc:http", "number"),
            ("pc:", "number"),
            ("pc:70000", "port"),
            ("pc:0", "port"),
            (":5000", "name"),
            ("a b.c:5", "name"),
            ("-x.y:5", "name"),
        ],
    )
    def test_a_wrong_address_is_explained(self, written: str, word: str) -> None:
        assert word in refusal(written)

    @settings(max_examples=200)
    @given(st.text(max_size=60) | st.text("0123456789ABCDEF:./[]-% ", max_size=60))
    def test_any_text_is_read_or_explained(self, written: str) -> None:
        try:
            read = joincode.parse(written)
        except BadCode as error:
            assert str(error).isprintable()  # noqa: PT017
        else:
            assert limits.MIN_PORT <= read.port <= limits.MAX_PORT


class TestKey:
    def test_five_words_name_a_key(self) -> None:
        assert len(joincode.fingerprint_words(KEY).split()) == 5
        assert joincode.fingerprint_words(KEY) != joincode.fingerprint_words(bytes(32))

    def test_the_key_service_answers_with_key_and_versions(self) -> None:
        answer = keyservice.response(KEY, 1_700_000_000_123)
        assert len(answer) == keyservice.RESPONSE_BYTES
        read = keyservice.read_response(answer)
        assert read == keyservice.HostKey(KEY, min(limits.VERSIONS), max(limits.VERSIONS), 1_700_000_000_123)
        assert keyservice.read_response(answer[:50]) == read._replace(time_ms=None)
        assert keyservice.read_response(answer + b"more of a later version") == read
        assert read.speaks_ours
        assert not keyservice.HostKey(KEY, 8, 9).speaks_ours
        assert keyservice.key_port(5000) == 5001

    @pytest.mark.parametrize("data", [b"", b"HTTP/1.1 400", keyservice.response(KEY, 0)[:49], bytes(58)], ids=ascii)
    def test_what_is_no_answer_of_a_host_is_refused(self, data: bytes) -> None:
        with pytest.raises(ValueError, match="not a cosmic-net host"):
            keyservice.read_response(data)

    def test_only_a_whole_key_is_served(self) -> None:
        with pytest.raises(ValueError, match="32"):
            keyservice.response(KEY[:-1], 0)


class TestText:
    def test_what_could_move_the_cursor_is_taken_out(self) -> None:
        assert text.clean("a\x1b[2Jb\x07\u202ec\u200bd\u009b") == "a[2Jbcd"
        assert text.clean("one\ntwo\tthree  four") == "one two three four"

    def test_long_text_is_cut_visibly(self) -> None:
        assert text.clean("abcdef", 4) == "abc…"
        assert text.clean("abcd", 4) == "abcd"

    @given(st.text())
    def test_whatever_is_left_has_no_control_characters(self, written: str) -> None:
        assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in text.clean(written))
