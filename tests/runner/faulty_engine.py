"""A built-in engine behind a filter that breaks one rule of the protocol, by name.

faulty_engine.py FAULT PARLOR GAME [FLAGS...]: runs `PARLOR engine GAME` and passes lines through.
"""
import json
import os
import subprocess
import sys
import threading

FAULT, PARLOR, GAME, FLAGS = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
if FAULT == "any-flag":
    FLAGS = []
if FAULT == "no-game-flag" and "--game" in FLAGS:
    sys.exit(2)
ENGINE = subprocess.Popen(
    [PARLOR, "engine", GAME] + FLAGS,
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    text=True,
    bufsize=1,
)
HOSTILE = "]]></text><script>alert('x')</script>\"&\x00\x1b"
STATE = {"searching": False, "query": "", "hidden": 1}
LOCK = threading.Lock()


def say(line):
    with LOCK:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def outward(line):
    """The lines to print in place of one of the engine's."""
    words = line.split()
    first = words[0] if words else ""
    if first == "response" and STATE["query"] in ("table", "board", "step", "path"):
        return [picture(line) or line]
    if FAULT == "id-words" and line.startswith("id name"):
        return [line + " and more"]
    if FAULT == "no-hash" and line.startswith("option name Hash"):
        return []
    if FAULT == "no-uci" and first == "uciok":
        return ["ugiok"]
    if FAULT == "two-answers" and first == "response" and STATE["query"] == "fen":
        return [line, line]
    if FAULT == "blank-answer" and first == "response" and STATE["query"] == "rules":
        return [""]
    if FAULT == "result-words" and first == "response" and STATE["query"] == "result":
        return ["response unknown"]
    if FAULT == "always-legal" and first == "response" and STATE["query"] == "islegal":
        return ["response true"]
    if FAULT == "unsorted" and first == "response" and STATE["query"] == "legalmoves":
        return ["response " + " ".join(reversed(words[1:]))] if len(words) > 2 else [line]
    if FAULT == "incomplete-list" and first == "response" and STATE["query"] == "legalmoves":
        return ["response " + " ".join(words[1:-1])] if len(words) > 2 else [line]
    if FAULT == "turn-disagrees" and first == "response" and STATE["query"] == "p1turn":
        return ["response true"]
    if FAULT == "silent-errors" and line.startswith("info string error"):
        return []
    if FAULT == "noisy-unknown" and line == "readyok" and STATE.pop("unknown", False):
        return ["info string what?", line]
    if FAULT == "no-nps" and first == "info" and "nps" in words:
        at = words.index("nps")
        return [" ".join(words[:at] + words[at + 2:])]
    if FAULT == "ponder-under-ugi" and first == "bestmove":
        return [line + " ponder e9e6"]
    if FAULT == "illegal-bestmove" and first == "bestmove" and words[1] != "0000":
        return ["bestmove e1e10"]
    if FAULT == "short-line" and first == "info":
        return [line, "info"]
    if FAULT == "chatter-after-bestmove" and first == "bestmove":
        return [line, "info string that was hard"]
    if FAULT == "no-info" and first == "info" and "score" in words:
        return []
    if FAULT == "stop-unanswered" and first == "bestmove" and STATE.get("infinite"):
        return []
    if FAULT == "stale-plays" and line == "bestmove 0000":
        return ["bestmove e2e4"]
    if FAULT == "no-reason" and first == "response" and STATE["query"] == "reason":
        return ["response none"]
    if FAULT == "view-changes" and first == "response" and STATE["query"] == "view":
        return [line if " moves" in line else line + " moves e2e4"]
    if FAULT == "no-view" and first == "response" and STATE["query"] == "view":
        return ["response error unknown-query no views here"]
    if FAULT == "answers-nonsense" and line.startswith("response error unknown-query"):
        return ["response none"]
    if FAULT == "takes-long-lines" and line.startswith("info string error too-long"):
        return []
    if FAULT == "accepts-nonsense" and line.startswith("info string error bad-value"):
        return []
    if FAULT == "wrong-result" and first == "response" and words[1:] in (["p1win"], ["p2win"]):
        return ["response " + ("p2win" if words[1] == "p1win" else "p1win")]
    if FAULT == "wrong-count" and line.startswith("Nodes searched:"):
        return ["Nodes searched: %d" % (int(words[2]) + 1)]
    if FAULT == "one-move-missing" and STATE["query"] == "legalmoves" and len(words) > 3:
        # The same move is left out for every prefix.
        left_out = min(words[1:], key=lambda token: hash_of(token))
        return [" ".join(word for word in words if word != left_out)]
    if FAULT == "random-illegal" and first == "response" and STATE["query"] == "random":
        return ["response zz99"] if words[1] != "error" else [line]
    if FAULT == "loaded-dice" and first == "response" and STATE["query"] == "throw":
        return ["response t1"]
    if FAULT == "plays-for-others":
        if line.startswith("info string error not-to-act"):
            return []
    if FAULT == "own-token-masked" and first == "response" and STATE["query"] == "view":
        return [line.replace("word:a1:", "word:a1:?", 1) if "word:a1:" in line else line]
    if FAULT == "view-tells" and first == "response" and STATE["query"] == "view":
        # The number of spaces tells what was dealt; the view is parsed as before.
        return [line.replace(" moves ", " moves" + " " * STATE["hidden"])]
    if FAULT == "view-other-moves" and STATE["query"] == "legalmoves" and STATE.get("viewed"):
        return ["response " + " ".join(words[1:-1])] if len(words) > 2 else [line]
    return [line]


def picture(line):
    """A broken answer to one of the queries of extension 2; `None` for the engine's own."""
    query, answer = STATE["query"], line[len("response "):]
    if FAULT == "no-pictures" and query in ("table", "board", "step", "path"):
        return "response error unknown-query no pictures here"
    if FAULT == "takes-any-path" and query == "step" and answer.startswith("error bad-value"):
        return 'response {"v":1,"path":[],"token":null,"text":"","next":[]}'
    if answer.startswith("error"):
        return None
    value = json.loads(answer)
    if FAULT == "hostile-text" and query in ("table", "board"):
        value.update(title=HOSTILE, note=HOSTILE, turn=HOSTILE)
        return "response " + json.dumps(value)
    if query == "table":
        return None
    if query == "board":
        if FAULT == "piece-nowhere":
            value["pieces"][0]["cell"] = "z99"
        elif FAULT == "board-in-utf-8":
            return "response " + json.dumps(dict(value, note="\u00e4"), ensure_ascii=False)
        elif FAULT == "board-remembers":
            STATE["boards"] = STATE.get("boards", 0) + 1
            value["note"] = "board %d" % STATE["boards"]
        else:
            return None
    elif query == "path":
        if FAULT != "path-cut-short":
            return None
        value = value[:-1]
    elif FAULT == "leaf-illegal" and value["token"]:
        value["token"] = "zz99"
    elif FAULT == "dead-end" and value["path"]:
        value.update(token=None, next=[])
    elif FAULT == "refuses-its-offers" and value["path"]:
        return "response error bad-value choice 1: no"
    elif FAULT == "too-many-choices":
        value["next"] += [{"choice": "more%d" % number} for number in range(2000)]
    elif FAULT == "needless-label" and value["next"]:
        value["next"][0]["label"] = value["next"][0]["choice"]
    else:
        return None
    return "response " + json.dumps(value, separators=(",", ":"))


def hash_of(text):
    """Equal in every process, unlike Python's own hash."""
    return sum(ord(letter) * 31 ** place for place, letter in enumerate(text)) % 1009


def pump():
    for line in ENGINE.stdout:
        line = line.rstrip("\n")
        for shown in outward(line):
            say(shown)
        if line.startswith("bestmove"):
            STATE["searching"] = STATE["infinite"] = False


def inward(line):
    """The line to send in place of a line received; `None` for none."""
    words = line.split()
    first = words[0] if words else ""
    if first == "query":
        STATE["query"] = words[1] if len(words) > 1 else ""
    if FAULT == "lost-line" and first in ("position", "go") and STATE.get("infinite"):
        return None
    if first == "go":
        STATE["searching"] = True
        STATE["infinite"] = "infinite" in words
        if FAULT == "slow" and "movetime" in words:
            return "go movetime 4000\n"
        if FAULT == "no-clocks" and "p1time" in words:
            return None
    if first == "position":
        STATE["viewed"] = " view " in line
    if FAULT == "view-tells" and first in ("position", "uginewgame"):
        STATE["hidden"] = 1
    if FAULT == "view-tells" and first == "moves" and "deal:" in line:
        STATE["hidden"] = hash_of(line) % 13 + 1
    if FAULT == "drops-moves-errors" and first == "moves" and "[[[[" in line:
        return None
    if first == "joho":
        STATE["unknown"] = True
    if FAULT == "deaf-in-search" and first == "isready" and STATE.get("infinite"):
        return None
    if FAULT == "step-moves" and first == "query" and "%zz" in words:
        ENGINE.stdin.write("position startpos\n")
    if FAULT == "no-append" and first == "moves":
        return None
    if FAULT == "rejects-bad-only-later" and first == "position" and "nonsense" in line:
        return "position startpos\n"
    return line


if FAULT == "banner":
    say("Faulty Engine 1.0")
threading.Thread(target=pump, daemon=True).start()
for line in iter(sys.stdin.readline, ""):
    line = inward(line)
    if line is not None:
        try:
            ENGINE.stdin.write(line)
            ENGINE.stdin.flush()
        except OSError:
            break
try:
    ENGINE.stdin.close()
except OSError:
    pass
if FAULT == "stays":
    import time
    time.sleep(1000)
code = ENGINE.wait()
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join(5)
sys.stdout.flush()
os._exit(1 if FAULT == "exit-code" else code)
