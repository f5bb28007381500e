"""Tests of the client: PARLOR names the program. Run: python3 -m unittest test_parlor_client"""
import os
import pathlib
import select
import tempfile
import threading
import time
import unittest

from parlor_client import Engine, EngineError, Referee, play_game, play_match, read_info

PARLOR = os.environ.get("PARLOR", "parlor")
MINIMAL = ["python3", str(pathlib.Path(__file__).parent.parent / "minimal_engine.py")]

PLAIN = pathlib.Path(__file__).parent.parent.parent / "tests/runner/plain_ugi.py"


def built_in(game):
    return [PARLOR, "engine", game]


class Client(unittest.TestCase):
    def test_an_engine_is_asked_and_searches(self):
        with Engine(built_in("barca"), {"Hash": 1, "UCI_ShowWDL": True}) as engine:
            self.assertEqual(engine.identity["name"], "barca")
            self.assertIn("Move Overhead", engine.options)
            engine.position("startpos", ["e2e4", "e9e6"])
            self.assertEqual(engine.query("turn"), "p1")
            best = engine.go(depth=2)
            self.assertEqual(engine.query(f"islegal {best.token}"), "true")
            self.assertGreaterEqual(best.info["depth"], 2)
            self.assertEqual(best.info["pv"][0], best.token)

    def test_errors_name_what_is_wrong(self):
        with Engine(built_in("barca")) as engine:
            with self.assertRaisesRegex(EngineError, "illegal-move"):
                engine.position("startpos", ["e5e6"])
            engine.position()
            with self.assertRaisesRegex(EngineError, "unknown-query"):
                engine.query("nonsense")
            with self.assertRaisesRegex(EngineError, "bad-value"):
                engine.set_option("Hash", "much")
        with self.assertRaisesRegex(EngineError, "ended with 3"):
            Engine(["sh", "-c", "exit 3"])
        with self.assertRaisesRegex(EngineError, "no ugiok"):
            Engine(["sh", "-c", "sleep 5"], timeout=0.2)

    def test_a_dead_engine_is_told_at_once_and_no_process_is_left(self):
        # A pipe that every process of the engine holds open ends with the last of them.
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            script = 'exec 9> "$0"; echo up >&9; sleep 54321 & cat'
            with self.assertRaisesRegex(EngineError, "no ugiok"):
                Engine(["sh", "-c", script, pipe], timeout=1.0)
            self.assertEqual(os.read(reader, 9), b"up\n")
            self.assertTrue(select.select([reader], [], [], 9)[0], "a process is left")
            self.assertEqual(os.read(reader, 9), b"")
            os.close(reader)
        engine = Engine(["sh", "-c", "read line; echo ugiok; read line; exit 7"])
        for _ in range(2):
            started = time.monotonic()
            with self.assertRaisesRegex(EngineError, "ended with 7"):
                engine.query("turn")
            self.assertLess(time.monotonic() - started, 9)
        engine.quit()

    def test_bytes_that_are_no_text_do_no_harm(self):
        script = "read x; printf '\\377\\n'; echo option; echo ugiok; read x; read x; echo readyok"
        with Engine(["sh", "-c", script]) as engine:
            self.assertEqual(engine.options, [""])
            self.assertEqual(engine.query("turn", "unknown"), "unknown")

    @unittest.skipUnless(PLAIN.exists(), "the tests of the runner are not here")
    def test_engines_of_plain_ugi_play_and_referee(self):
        for answers in ["p1turn,result", "p1turn,gameover,result,islegal,outcome,reason"]:
            engine = ["python3", "-B", str(PLAIN), "--answers", answers]
            score = play_match([engine, engine], games=4, nodes=1)
            self.assertEqual(sum(score.values()), 4)

    def test_buttons_and_flags_have_no_value(self):
        with Engine(built_in("barca")) as engine:
            engine.set_option("Clear Hash", None)
            engine.position()
            threading.Timer(0.3, engine.send, ["stop"]).start()
            self.assertEqual(len(engine.go(infinite=True).token), 4)

    def test_views_hide_what_a_seat_may_not_see(self):
        with Referee(built_in("barbarossa"), {"Player": "random"}) as referee:
            referee.begin()
            while referee.turn().startswith("chance"):
                referee.play(referee.query("throw 5"))
            self.assertEqual(referee.turn(), "p1")
            own, other = referee.view(1), referee.view(2)
            self.assertNotEqual(own, other)
            self.assertIn("?", other)

    def test_a_game_of_dice_is_played_to_its_end(self):
        options = {"Player": "random"}
        with Referee(built_in("chowka-bhara")) as referee:
            engines = [Engine(built_in("chowka-bhara"), options) for _ in range(2)]
            places = play_game(engines, referee, seed=7, nodes=1)
            self.assertIn(sorted(places), ([1, 1], [1, 2]))
            tokens = list(referee.tokens)
            play_game(engines, referee, seed=7, nodes=1)
            throws = [token for token in referee.tokens if token[0] == "t"]
            self.assertEqual(throws[:1], [token for token in tokens if token[0] == "t"][:1])
            for engine in engines:
                engine.quit()

    def test_a_match_scores_every_game_once(self):
        score = play_match([MINIMAL, MINIMAL], games=6, nodes=1)
        self.assertEqual(sum(score.values()), 6)

    def test_info_lines_become_dictionaries(self):
        info = read_info("info depth 3 score mate -2 wdl 1 2 997 nodes 12 pv a b")
        self.assertEqual(info, {"depth": 3, "score mate": -2, "wdl": ["1", "2", "997"],
                                "nodes": 12, "pv": ["a", "b"]})


if __name__ == "__main__":
    unittest.main()
