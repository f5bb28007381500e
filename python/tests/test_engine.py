"""Engines and matches: what the client of 0.2.0 did wrong is done right."""
import asyncio
import importlib.metadata
import subprocess
import sys
import textwrap
import time
import zlib

import pytest

import parlor
from parlor import Engine, EngineError, Info, Position


def script(tmp_path, body):
    """An engine in Python that answers the handshake; `body` handles the other lines."""
    path = tmp_path / "engine.py"
    path.write_text(textwrap.dedent("""\
        import sys, time
        def say(*words): print(*words, flush=True)
        for line in sys.stdin:
            word = line.split()[0] if line.split() else ""
            if word == "ugi": say("ugiok")
            elif word == "isready": say("readyok")
            elif word == "quit": break
        """) + textwrap.indent(textwrap.dedent(body), "    "))
    return [sys.executable, str(path)]


PROGRAM = [sys.executable, "-m", "parlor", "engine", "barca"]


@pytest.mark.parametrize("command", ["barca", PROGRAM], ids=["in-process", "process"])
def test_an_engine_is_asked_and_searches(command):
    with Engine(command, {"Hash": 1, "UCI_ShowWDL": True}) as engine:
        assert engine.identity["name"] == "barca" and "Move Overhead" in engine.options
        position = Position("barca", line="startpos moves e2e4 e9e6", rules={"MaxPlies": 90})
        engine.position(position)
        assert engine.query("turn") == "p1" and "MaxPlies=90" in engine.query("rules")
        best = engine.go(depth=2)
        assert position.is_legal(best.token)
        assert best.info.depth >= 2 and best.info.pv[0] == best.token and sum(best.info.wdl) == 1000


def test_an_illegal_move_leaves_the_engine_asked_as_before():
    with Engine("barca") as engine:
        with pytest.raises(EngineError, match="illegal-move"):
            engine.position("startpos", ["e5e6"])
        engine.position("startpos", ["e2e4"])
        assert engine.query("turn") == "p2"
        with pytest.raises(EngineError, match="unknown-query"):
            engine.query("nonsense")


def test_with_multipv_the_answer_is_the_line_of_index_1():
    with Engine("barca", {"MultiPV": 3}) as engine:
        best = engine.go(depth=2)
        assert [line.multipv for line in best.lines] == [1, 2, 3]
        assert best.info.pv[0] == best.token
        assert best.lines[0].cp >= best.lines[1].cp >= best.lines[2].cp


def test_a_late_answer_is_not_that_of_the_next_search(tmp_path):
    command = script(tmp_path, """\
        elif word == "go" and "nodes 1" in line: first = time.time()
        elif word == "go": say("info depth 1 score cp 5 pv new"); say("bestmove new")
        elif word == "stop":
            time.sleep(0.3); say("info depth 9 score cp 99 pv old"); say("bestmove old")
        """)
    with Engine(command) as engine:
        with pytest.raises(EngineError, match="no bestmove in time"):
            engine.go(nodes=1, timeout=0.05)
        best = engine.go(nodes=2)
        assert best.token == "new" and best.info.cp == 5


def test_a_search_without_end_is_stopped():
    with Engine("barca") as engine:
        search = engine.start(infinite=True)
        assert next(info for info in search if info.depth >= 1).pv
        assert len(search.stop().token) == 4
        # Whoever asks something else has given the search up.
        engine.start(infinite=True)
        assert engine.query("turn") == "p1"
        assert len(engine.go(depth=1).token) == 4


def test_a_flood_is_bounded(tmp_path):
    command = script(tmp_path, """\
        elif word == "go":
            for _ in range(30_000): print("info string", "x" * 200)
            say("bestmove done")
        """)
    with Engine(command) as engine:
        search = engine.start(nodes=1)
        time.sleep(0.3)
        assert engine._lines.qsize() <= 1000
        assert search.result(60).token == "done"


def test_a_dead_or_silent_engine_is_told(tmp_path):
    with pytest.raises(EngineError, match="ended with 3"):
        Engine(["sh", "-c", "exit 3"])
    with pytest.raises(EngineError, match="no ugiok"):
        Engine(["sh", "-c", "sleep 5"], timeout=0.2)
    with Engine(script(tmp_path, "elif word == 'query': say('\\xff'); sys.exit(7)\n")) as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="ended with 7"):
                engine.query("turn")


def test_asyncio_searches_side_by_side_and_a_cancelled_one_stops():
    async def work():
        async with await parlor.AsyncEngine.open("barca") as one:
            async with await parlor.AsyncEngine.open("shacru") as other:
                best = await asyncio.gather(one.go(depth=2), other.go(depth=2))
                endless = asyncio.create_task(one.go(infinite=True))
                await asyncio.sleep(0.05)
                endless.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await endless
                return best, await one.query("turn")
    best, turn = asyncio.run(work())
    assert Position("barca").is_legal(best[0].token) and Position("shacru").is_legal(best[1].token)
    assert turn == "p1"


def test_info_lines_are_read():
    info = Info.read("info depth 3 multipv 2 score cp -7 upperbound wdl 1 2 997 time 4 string pv x")
    assert (info.depth, info.multipv, info.cp, info.bound, info.wdl) == (3, 2, -7, "upperbound",
                                                                        [1, 2, 997])
    assert info.values == {"time": 4} and info.pv == []


def test_a_match_is_played_recorded_and_read(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("import parlor\nparlor.serve('chowka-bhara', lambda p: p.random_move(1))\n")
    records = tmp_path / "match.jsonl"
    result = parlor.play_match([f"{sys.executable} {mine} name=mine",
                                "chowka-bhara option.Player=random name=theirs"],
                               rules={"MaxPlies": 60}, games=2, nodes=1, records=records)
    assert result["games"] == 2
    games = list(parlor.read_records(records))
    assert [game.game for game in games] == [1, 2]
    for game in games:
        assert not game.faults and game.position().places == game.places
    damaged = records.read_text().replace('"seat":1', '"seat":2', 1)
    records.write_text(damaged)
    with pytest.raises(ValueError, match="line 2"):
        list(parlor.read_records(records))
    for long in ('{"moves":[' + "{}," * 200_000 + "{}]", '{"a":"' + "a" * (17 << 20) + '"'):
        checked = f'{long},"check":"{zlib.crc32(long.encode()):08x}"}}\n'
        records.write_text(checked)
        with pytest.raises(ValueError, match="line 1: (longer|more values) than"):
            list(parlor.read_records(records))
    with pytest.raises(EngineError, match="nonsense"):
        parlor.play_match(["barca", "barca"], nonsense=1)


def test_the_package_has_the_notices_of_all_that_is_in_it():
    files = [file for file in importlib.metadata.files("parlor") if file.name == "LICENCES.txt"]
    printed = subprocess.run([sys.executable, "-m", "parlor", "licences"], capture_output=True, check=True)
    assert files and files[0].read_binary() == printed.stdout
    for part in (b"\npyo3 ", b"WordNet", b"SCOWL", b"game-icons.net"):
        assert part in printed.stdout
