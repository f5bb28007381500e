"""A scripted engine for the tests of the runner: a game with seats, dice and
secrets as its options say, and every fault on command.

The game: counters in a pile. First, with option Secrets, every seat chooses a word (`secret:abc`,
for the others `secret:?`). Then the seats take turns: with option Dice each throws `t1`, `t2` or
`t3` and may take at most that many; the one who takes the last counter wins, the others share the next place.

Faults: `--faults FILE` names a file of one kind of fault (or `-`) a line. Every new game takes the
next line, over all processes that share the file, and commits that fault at its second move.
"""
import fcntl
import os
import sys
import time


class Options:
    """What the command line says. `argparse` would take longer to load than a match takes to play."""

    faults = ""
    think = 0.0  # seconds a move
    helper = ""  # start a child and write both process ids to this file
    hold_output = False  # the child inherits the output
    escape = False  # the child leaves the process group
    orphan = False  # the child loses its parent at once
    bare = False  # the child has no environment
    die = ""  # exit code, or -signal, at the second go
    twice = False  # print every bestmove twice
    version_of_rules = 0  # differ from the others
    lose = False  # always take one
    shallow = False  # at depth 1 take one, and find everything else bad
    no_handshake = False
    score = 10
    wdl = ""  # report these chances of win, draw and loss: 300,400,300
    vec = False  # report a value for every seat
    ponder = False  # name an expected reply
    plain = False  # know only the queries of plain UGI
    fragile = 0  # crash at every N-th query
    escapes = ""  # end lines that begin with these words in escape sequences

    def __init__(self, words):
        words = iter(words)
        for word in words:
            name, _, value = word[2:].partition("=")
            name = name.replace("-", "_")
            if word.startswith("--") and hasattr(Options, name):
                kind = type(getattr(Options, name))
                setattr(self, name, kind is bool or kind(value or next(words)))


OPTIONS = Options(sys.argv[1:])
VALUES = {"Counters": "12", "Players": "2", "Dice": "false", "Secrets": "false", "Seed": "1"}


class Game:
    def __init__(self):
        self.seats = int(VALUES["Players"])
        self.left = int(VALUES["Counters"]) + OPTIONS.version_of_rules
        self.start = self.left
        self.turn = self.first = 0
        self.undecided = self.seats if VALUES["Secrets"] == "true" else 0
        self.dice = VALUES["Dice"] == "true"
        self.thrown = 0
        self.tokens = []

    def chance(self):
        return self.left > 0 and not self.undecided and self.dice and not self.thrown

    def moves(self):
        if self.left == 0:
            return []
        if self.undecided:
            return ["secret:" + os.urandom(2).hex()]
        if self.chance():
            return ["t1", "t2", "t3"]
        return [str(n) for n in range(1, min(self.left, self.thrown or 3) + 1)]

    def legal(self, token):
        if self.left > 0 and self.undecided:
            return token.startswith("secret:") and len(token) > 7
        return token in self.moves()

    def play(self, token):
        self.tokens.append((self.turn, token))
        if self.undecided:
            self.undecided -= 1
            self.turn = (self.turn + 1) % self.seats
        elif token.startswith("t"):
            self.thrown = int(token[1:])
        else:
            self.left -= int(token)
            self.thrown = 0
            self.turn = (self.turn + 1) % self.seats

    def winner(self):
        return (self.turn - 1) % self.seats

    def masked(self, seat):
        hide = lambda who, token: token.startswith("secret:") and who != seat
        return ["secret:?" if hide(who, token) else token for who, token in self.tokens]


def position(words):
    game, viewer = Game(), None
    head, _, tail = " ".join(words).partition(" moves")
    head = head.split()
    if head[-2:-1] == ["view"]:
        viewer, head = head[-1], head[:-2]
    if head[:1] == ["fen"] and len(head) == 3 and head[1].isdigit():
        game.left = game.start = int(head[1])
        game.turn = game.first = int(head[2][1:]) - 1
        game.undecided = 0
    elif head != ["startpos"]:
        return game, viewer, "bad-position say startpos or fen"
    for index, token in enumerate(tail.split(), 1):
        if not game.legal(token):
            code = "illegal-move" if token.isdigit() else "bad-move"
            return game, viewer, f"{code} {token} is token {index}"
        game.play(token)
    return game, viewer, ""


def query(game, words):
    word, argument = words[0], words[1] if len(words) > 1 else ""
    over = game.left == 0
    seat = "p%d" % (game.turn + 1)
    true = lambda value: "true" if value else "false"
    places = " ".join("1" if s == game.winner() else "2" for s in range(game.seats))
    if word == "gameover":
        return true(over)
    if word == "result":
        return "none" if not over else "p1win" if game.winner() == 0 else "p2win"
    if word == "p1turn":
        return true(game.turn == 0)
    if OPTIONS.plain:
        return "error unknown-query plain"
    if word == "turn":
        return "none" if over else "chance " + seat if game.chance() else seat
    if word == "seats":
        return str(game.seats)
    if word == "outcome":
        return "rank " + places if over else "none"
    if word == "reason":
        return "last-counter" if over else "none"
    if word == "points":
        return "none"
    if word == "chances":
        return "t1:1 t2:2 t3:1" if game.chance() else "none"
    if word == "throw":
        return "t%d" % (1, 2, 2, 3)[int(argument) >> 60 & 3]
    if word == "islegal":
        if argument.isdigit() or argument[:1] == "t" or argument.startswith("secret:"):
            return true(game.legal(argument))
        return "error bad-move say a number"
    if word == "random":
        moves = game.moves()
        return moves[int(argument) % len(moves)]
    if word == "fen":
        return "%d p%d" % (game.left, game.turn + 1)
    if word == "view":
        moves = "".join(" " + token for token in game.masked(int(argument[1:]) - 1))
        start = "startpos" if game.start == int(VALUES["Counters"]) else f"fen {game.start} p{game.first + 1}"
        seat = f" view {argument}" if VALUES["Secrets"] == "true" else ""
        return start + seat + (" moves" + moves if moves else "")
    if word == "rules":
        return " ".join(f"{k}={VALUES[k]}" for k in ("Counters", "Players", "Dice", "Secrets"))
    return "error unknown-query what"


def values(game):
    """Made-up probabilities of each seat, in permille, from which the luck of throws follows."""
    mover = (game.left * 37 + game.thrown * 211 + game.turn * 59) % 900 + 50
    rest = (1000 - mover) // (game.seats - 1)
    return " ".join(str(mover if seat == game.turn else rest) for seat in range(game.seats))


def next_fault():
    """The next line of the shared file, by a counter behind a lock."""
    if not OPTIONS.faults:
        return "-"
    with open(OPTIONS.faults + ".count", "a+") as counter:
        fcntl.flock(counter, fcntl.LOCK_EX)
        counter.seek(0)
        count = int(counter.read() or 0)
        counter.truncate(0)
        counter.write(str(count + 1))
    with open(OPTIONS.faults) as lines:
        kinds = lines.read().split()
    return kinds[count % len(kinds)]


def pick(*choices):
    return choices[os.urandom(1)[0] % len(choices)]


def commit(kind, lines):
    """Commits a fault; returns the line to answer `go` with, if any."""
    if kind == "crash":
        if pick(True, False):
            import signal

            os.kill(os.getpid(), signal.SIGSEGV)
        os._exit(3)
    if kind == "hang":
        time.sleep(1_000)
    if kind == "silence-after-stop":
        for line in lines:
            if line.split()[:1] == ["isready"]:
                say("readyok")
        os._exit(0)
    if kind == "closed-pipe":
        if pick(True, False):
            os._exit(0)
        os.close(1)
        time.sleep(1_000)
    if kind == "endless-output":
        text = ("info depth 1 score cp 0 pv 1\n" * 4_000) if pick(True, False) else "x" * 65_536
        while True:
            sys.stdout.write(text)
    if kind == "overtime":
        time.sleep(3.0)
        return None
    if kind == "illegal-move":
        return "bestmove 9"
    if kind == "malformed-move":
        return pick("bestmove", "bestmove what?", "bestmove \u00e4")
    if kind == "disagreement":
        if pick(True, False):
            say("info string error illegal-move 1 is token 1")
        return "bestmove 0000"
    raise SystemExit("no fault is called " + kind)


# A title, a cleared screen in two ways, a deleted character, and a turned direction of writing.
ESCAPES = "\x1b]0;title\x07\x1b[2J\x9b2J\x08\x7f\u202e"


def say(text):
    if OPTIONS.escapes:
        words = tuple(OPTIONS.escapes.split(","))
        lines = text.split("\n")
        text = "\n".join(line + ESCAPES if line.startswith(words) else line for line in lines)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    lines = iter(sys.stdin.readline, "")
    game, stale = Game(), ""
    fault, decisions, queries = "-", 0, 0
    if OPTIONS.helper:
        import subprocess

        # With `--hold-output` the child keeps the pipe open after its parent has ended.
        output = None if OPTIONS.hold_output else subprocess.DEVNULL
        command = ["env", "-i", "sleep", "1000"] if OPTIONS.bare else ["sleep", "1000"]
        if OPTIONS.orphan:
            command = ["sh", "-c", " ".join(command) + " & echo $! >> " + OPTIONS.helper]
        child = subprocess.Popen(command, stdout=output, start_new_session=OPTIONS.escape)
        if OPTIONS.orphan:
            child.wait()
        else:
            with open(OPTIONS.helper, "a") as file:
                file.write("%d\n%d\n" % (os.getpid(), child.pid))
    print("mock engine speaking", file=sys.stderr, flush=True)
    for line in lines:
        words = line.split()
        word = words[0] if words else ""
        if word in ("ugi", "uci"):
            if OPTIONS.no_handshake:
                sys.exit("mock engine: I will not shake hands")
            say("id name mock\nid author tests")
            for name, value in VALUES.items():
                kind = "spin" if value.isdigit() else "check"
                say(f"option name {name} type {kind} default {value}")
            say(word + "ok")
        elif word == "isready":
            say("readyok")
        elif word == "setoption":
            name = next((k for k in VALUES if k.lower() == words[2].lower()), None)
            if name == "Players" and words[4] not in ("2", "3", "4"):
                say("info string error bad-value Players is 2 to 4")
            elif name:
                VALUES[name] = words[4]
        elif word in ("uginewgame", "ucinewgame"):
            fault, decisions = next_fault(), 0
        elif word == "position":
            game, _, stale = position(words[1:])
            if stale:
                say("info string error " + stale)
        elif word == "moves":
            for token in words[1:]:
                if not game.legal(token):
                    stale = ("illegal-move " if token.isdigit() else "bad-move ") + token
                    say("info string error " + stale)
                    break
                game.play(token)
        elif word == "query":
            queries += 1
            if OPTIONS.fragile and queries % OPTIONS.fragile == 0:
                os._exit(4)
            say("response " + ("error stale " + stale if stale else query(game, words[1:])))
        elif word == "d":
            say("pile: " + "o" * game.left)
        elif word == "go" and "ponder" in words:
            for waiting in lines:
                if waiting.strip() in ("ponderhit", "stop"):
                    break
            say("info depth 1 score cp 0 nodes 1 time 0 nps 0 pv 1")
            say("bestmove 1 ponder 1" if game.left > 2 else "bestmove 1")
        elif word == "go":
            decisions += 1
            if OPTIONS.die and decisions == 2:
                code = int(OPTIONS.die)
                os.kill(os.getpid(), -code) if code < 0 else os._exit(code)
            if fault != "-" and decisions == 2:
                answer = commit(fault, lines)
                if answer is not None:
                    say(answer)
                    continue
            time.sleep(OPTIONS.think)
            moves = game.moves() if not stale else []
            if not moves:
                say("info depth 0 score cp 0 nodes 0 time 0 nps 0\nbestmove 0000")
                continue
            best = str(game.left % 4 or 1)
            shallow = OPTIONS.shallow and words[1:3] == ["depth", "1"]
            best = moves[0] if OPTIONS.lose or shallow or best not in moves else best
            score = -400 if OPTIONS.shallow and "searchmoves" in words else OPTIONS.score
            vec = f" vec {values(game)}" if OPTIONS.vec else ""
            wdl = " wdl " + OPTIONS.wdl.replace(",", " ") if OPTIONS.wdl else ""
            say(f"info depth 1 score cp {score}{wdl}{vec} nodes 1 time 0 nps 0 pv {best}")
            rest = game.left - (int(best) if best.isdigit() else 0)
            answer = f"bestmove {best}" + (" ponder 1" if OPTIONS.ponder and rest > 1 else "")
            say(answer + "\n" + answer if OPTIONS.twice else answer)
        elif word == "quit":
            break


if __name__ == "__main__":
    main()
