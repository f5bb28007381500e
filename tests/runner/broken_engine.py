"""Engines that are broken in one way each: `broken_engine.py FAULT [FILE]`.

The game is that of the scripted engine. Faults of the game come with the second move of every game.
Faults of the start spare the first start, the trial of a match; FILE counts the starts.
"""
import os
import resource
import signal
import sys
import time

import mock_engine as mock

FAULT = sys.argv[1]
FOREVER = 1_000


def write(text):
    """Bytes as they are, without a line end."""
    sys.stdout.flush()
    data = text if isinstance(text, bytes) else text.encode()
    while data:
        data = data[os.write(1, data):]


def die(number):
    """Ends by a signal, without the core file that takes the system long to write."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.kill(os.getpid(), number)
    time.sleep(FOREVER)


def flood(text):
    while True:
        write(text)


def answer_only(word, answer):
    """Answers a single command from now on."""
    for line in sys.stdin:
        if line.split()[:1] == [word]:
            mock.say(answer)


def wait_for(word):
    for line in sys.stdin:
        if line.split()[:1] == [word]:
            return


def leave_child_and_exit():
    os.posix_spawnp("sleep", ["sleep", str(FOREVER)], os.environ, setsid=True)
    os._exit(0)


def fork_into_background():
    """The program ends at once; a copy of it goes on."""
    if os.fork():
        os._exit(0)
    time.sleep(FOREVER)


AT_START = {
    "start-exit": lambda: os._exit(3),
    "start-exit-0": lambda: os._exit(0),
    "start-signal": lambda: die(signal.SIGSEGV),
    "start-hang": lambda: time.sleep(FOREVER),
    "start-slow": lambda: time.sleep(float(os.environ.get("BROKEN_SLOW", "12"))),
    "start-closed-output": lambda: (os.close(1), time.sleep(FOREVER)),
    "start-flood": lambda: flood("info string hello\n" * 1_000),
    "start-garbage": lambda: (write(bytes(range(256)) * 10), time.sleep(FOREVER)),
    "start-other-dialect": lambda: (wait_for("ugi"), mock.say("uciok"), time.sleep(FOREVER)),
    "start-never-ready": lambda: (wait_for("ugi"), mock.say("ugiok"), time.sleep(FOREVER)),
    "start-exit-at-isready": lambda: (wait_for("ugi"), mock.say("ugiok"), wait_for("isready"), os._exit(5)),
}

# What `go` leads to; a text is printed with a line end.
AT_GO = {
    "exit": lambda: os._exit(3),
    "exit-0": lambda: os._exit(0),
    "segfault": lambda: die(signal.SIGSEGV),
    "abort": lambda: die(signal.SIGABRT),
    "killed": lambda: die(signal.SIGKILL),
    "terminated": lambda: die(signal.SIGTERM),
    "exception": lambda: [][1],
    "hang": lambda: time.sleep(FOREVER),
    "suspended": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "deaf": lambda: answer_only("isready", "readyok"),
    "closed-output": lambda: (os.close(1), time.sleep(FOREVER)),
    "closed-output-and-exit": lambda: (os.close(1), time.sleep(0.3), os._exit(6)),
    "closed-input": lambda: (os.close(0), time.sleep(FOREVER)),
    "closed-input-after-move": lambda: (os.close(0), mock.say("bestmove 1"), time.sleep(FOREVER)),
    "child-holds-output": leave_child_and_exit,
    "background": fork_into_background,
    "exit-after-move": lambda: (mock.say("bestmove 1"), os._exit(3)),
    "half-line-and-exit": lambda: (write("bestmo"), os._exit(3)),
    "no-line-end": lambda: (write("bestmove 1"), time.sleep(FOREVER)),
    "flood": lambda: flood("info depth 1 score cp 0 nodes 1 pv 1\n" * 1_000),
    "huge-line": lambda: flood("x" * (1 << 16)),
    "late": lambda: (time.sleep(3), mock.say("bestmove 1")),
    "illegal": "bestmove 9",
    "other-game": "bestmove e2e4",
    "empty-move": "bestmove",
    "zero-byte": "bestmove 1\0",
    "not-ascii": "bestmove \u00e4",
    "huge-move": "bestmove " + "1" * 5_000,
    "no-move": "bestmove 0000",
    "no-move-in-brackets": "bestmove (none)",
    "refusal": "info string error illegal-move 1 is token 1\nbestmove 0000",
    # No faults: the move counts.
    "two-moves": "bestmove 1\nbestmove 2",
    "garbage-before-move": lambda: (write(bytes(range(256)) + b"\n\0\0\n\xff\xfe\n"), mock.say("bestmove 1")),
    "carriage-return": "bestmove 1\r",
    "error-output": lambda: (sys.stderr.write("x" * (1 << 20)), mock.say("bestmove 1")),
    "many-lines": lambda: (write("info depth 1 score cp 0 nodes 1 pv 1\n" * 20_000), mock.say("bestmove 1")),
    "stray-before-go": "bestmove 1",
    "stray-at-position": "bestmove 1",
}


def start_is_spared(path):
    with open(path, "a+") as file:
        file.write(".")
        file.flush()
        return file.tell() == 1


def query(game, words):
    if FAULT == "exit-at-query" and words[0] == "gameover" and not game.left:
        os._exit(4)
    if FAULT == "hang-at-query" and words[0] == "gameover" and not game.left:
        time.sleep(FOREVER)
    if FAULT == "other-result" and words[0] == "result" and not game.left:
        return "draw"
    if FAULT == "never-over" and words[0] == "gameover":
        return "false"
    if FAULT == "nonsense-answers" and words[0] == "result":
        return "\x07 42 \u2603"
    return mock.query(game, words)


def main():
    if FAULT in AT_START and not start_is_spared(sys.argv[2]):
        AT_START[FAULT]()
    game, decisions, games = mock.Game(), 0, 0
    for line in iter(sys.stdin.readline, ""):
        words = line.split()
        word = words[0] if words else ""
        if word == "ugi":
            mock.say("id name broken\nid author tests")
            for name, value in mock.VALUES.items():
                mock.say(f"option name {name} type string default {value}")
            mock.say("ugiok")
        elif word == "isready":
            mock.say("readyok")
        elif word == "setoption":
            mock.VALUES[words[2]] = words[4]
        elif word == "uginewgame":
            decisions, games = 0, games + 1
            if FAULT == "exit-at-new-game" and games == 2:
                os._exit(3)
            if FAULT == "hang-at-new-game" and games == 2:
                time.sleep(FOREVER)
        elif word == "position":
            game = mock.position(words[1:])[0]
            if FAULT == "stray-at-position" and decisions == 1:
                # Late, and yet before `go`.
                time.sleep(0.2)
                mock.say("info depth 9\nbestmove 9")
        elif word == "query":
            mock.say("response " + query(game, words[1:]))
        elif word == "go":
            decisions += 1
            fault = AT_GO.get(FAULT) if decisions == 2 else None
            if callable(fault):
                fault()
            else:
                mock.say(fault or "bestmove 1")
            if FAULT == "stray-before-go" and decisions == 1:
                mock.say("info string thinking on\nbestmove 3")
        elif word == "quit":
            if FAULT == "quit-ignored":
                time.sleep(FOREVER)
            break


if __name__ == "__main__":
    main()
