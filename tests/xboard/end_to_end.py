"""Barca in the real XBoard: a match to its end, and a user's clicks.

usage: end_to_end.py BARCA [FOLDER]   (screenshots go to the folder)
"""
import os
import re
import subprocess
import sys
import tempfile
import time

SIZE = 10
PITCH = 40
# Games against itself, and against a player that moves at random, which all have a winner.
SELF_PLAY, AGAINST_RANDOM = 2, 6
# name, position, some piece to lift (the game's own square), known targets or None
POSITIONS = [
    ("start", "4ee4/3lmml3/10/10/10/10/10/10/3LMML3/4EE4 w", "d2", None),
    ("one animal must escape", "5EM1e1/3m6/1L8/10/10/5e3l/8E1/1L8/M2l6/1m8 b", "j5", "g8 h7 i6"),
    ("one escapes, one is trapped", "10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b", "a3", "b2 c1"),
    ("the trapped one may not move", "10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b", "a4", ""),
    ("all afraid are trapped", "3m1e1l2/10/10/1E3mMl2/7L2/e5M3/7E2/10/4L5/10 w", "h6", None),
]


def fail(text):
    sys.exit(f"xboard: FAILED: {text}")


def check(holds, text):
    if not holds:
        fail(text)


class Barca:
    """The engine in its own protocol, as an impartial scorer."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def query(self, position, query):
        self.process.stdin.write(f"position {position}\nquery {query}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        check(answer.startswith("response "), f"{position}: {answer}")
        return answer.removeprefix("response ")


def inner(square):
    """A square as XBoard counts it (ranks from 0), counted from 1."""
    return square[0] + str(int(square[1:]) + 1)


def move_in(text):
    first, second = re.fullmatch(r"([a-j]\d)([a-j]\d)", text).groups()
    return inner(first) + inner(second)


class Display:
    def __init__(self):
        for number in range(70, 99):
            if os.path.exists(f"/tmp/.X{number}-lock"):
                continue
            self.name = f":{number}"
            self.process = subprocess.Popen(
                ["Xvfb", self.name, "-screen", "0", "1000x700x24"], stderr=subprocess.DEVNULL)
            os.environ["DISPLAY"] = self.name
            for _ in range(100):
                if subprocess.run(["xdotool", "getdisplaygeometry"], capture_output=True).returncode == 0:
                    return
                time.sleep(0.1)
        fail("no display could be started")


class XBoard:
    """A running XBoard and its debug file."""

    def __init__(self, folder, barca, *arguments):
        self.debug = os.path.join(folder, "debug")
        if os.path.exists(self.debug):
            os.remove(self.debug)
        self.process = subprocess.Popen(
            ["xboard", "-fcp", barca, "-variant", "barca", "-debug", "-nameOfDebugFile", self.debug,
             "-size", "49", "-soundProgram", "", "-saveSettingsOnExit", "false",
             # What an earlier XBoard of this user has saved must not count.
             "-testLegality", "true", *arguments],
            cwd=folder, env={**os.environ, "HOME": folder},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def lines(self):
        if not os.path.exists(self.debug):
            return []
        with open(self.debug, errors="replace") as file:
            return file.read().splitlines()

    def wait(self, pattern, after=0, patience=60):
        """The number of lines there are once a line fits the pattern, and the match."""
        for _ in range(patience * 10):
            lines = self.lines()
            for line in lines[after:]:
                if found := re.search(pattern, line):
                    return len(lines), found
            time.sleep(0.1)
        fail(f"nothing like {pattern!r} within {patience} s; last: {self.lines()[-5:]}")

    def window(self):
        name = subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "xboard"],
                              capture_output=True, text=True).stdout.split()
        check(name, "XBoard shows no window")
        return name[0]

    def board(self):
        """Pixel of the upper left corner of the board."""
        text = subprocess.run(["xdotool", "getwindowgeometry", "--shell", self.window()],
                              capture_output=True, text=True).stdout
        at = dict(line.split("=") for line in text.split())
        return (int(at["X"]) + (int(at["WIDTH"]) - SIZE * PITCH) // 2,
                int(at["Y"]) + int(at["HEIGHT"]) - SIZE * PITCH - 2)

    def centre(self, square):
        left, top = self.board()
        file, rank = ord(square[0]) - ord("a"), int(square[1:]) - 1
        return left + file * PITCH + PITCH // 2, top + (SIZE - 1 - rank) * PITCH + PITCH // 2

    def click(self, square):
        x, y = self.centre(square)
        for action in (["mousemove", str(x), str(y)], ["mousedown", "1"], ["mouseup", "1"]):
            subprocess.run(["xdotool", *action], check=True)
            time.sleep(0.15)
        time.sleep(0.5)

    def paste(self, position):
        for selection in ("primary", "clipboard"):
            subprocess.run(["xclip", "-selection", selection, "-i"], text=True,
                           input=f"{position} - - 0 1", check=True)
        x, y = self.centre("a1")
        after = len(self.lines())
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "windowfocus", self.window(),
                        "key", "ctrl+shift+v"], check=True)
        self.wait(r"first : setboard", after)
        self.wait(r"<first : pong", after)
        time.sleep(0.5)

    def close(self):
        self.process.kill()
        self.process.wait()
        time.sleep(0.5)


def pixels():
    data = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"],
                          capture_output=True, check=True).stdout
    return lambda x, y: tuple(data[3 * (y * 1000 + x):3 * (y * 1000 + x) + 3])


def screenshot(folder, name):
    if folder:
        subprocess.run(["import", "-window", "root", "-crop", "560x490+0+0", "+repage",
                        "-depth", "8", "+dither",
                        "-colors", "48", "PNG8:" + os.path.join(folder, name)], check=True)


def marked(xboard):
    """The squares with a yellow mark, as they are drawn."""
    pixel = pixels()
    squares = (f"{chr(ord('a') + file)}{rank + 1}" for file in range(SIZE) for rank in range(SIZE))
    return {square for square in squares if pixel(*xboard.centre(square)) == (255, 255, 0)}


def play_match(folder, path, opponent, number, scorer, shots):
    """A match, every game scored by the engine itself; the results."""
    saved = os.path.join(folder, f"games-{number}.pgn")
    xboard = XBoard(folder, path, "-scp", opponent, "-matchMode", "true", "-matchGames", str(number),
                    "-matchPause", "500", "-searchDepth", "3", "-ruleMoves", "0", "-testLegality", "false",
                    "-saveGameFile", saved, "-popupExitMessage", "false")
    games, shot = 0, False
    for _ in range(9000):
        text = open(saved).read() if os.path.exists(saved) else ""
        games = text.count('[Result "')
        if not shot and sum(": move " in line for line in xboard.lines()) > 15:
            screenshot(shots, "xboard-match.png")
            shot = True
        if games >= number and text.rstrip().endswith(("1-0", "0-1", "1/2-1/2")):
            break
        time.sleep(0.1)
    lines = xboard.lines()
    xboard.close()
    check(games == number, f"{games} games saved, not {number}")
    words = {"1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw"}
    moves, scored = [], []
    for line in lines:
        if re.search(r">first : new$", line):
            moves = []
        elif found := re.search(r"<(first |second): move (\S+)", line):
            moves.append(move_in(found[2]))
        elif found := re.search(r">first : result (\S+) \{(.*)\}", line):
            scored.append((found[1], found[2], "startpos moves " + " ".join(moves)))
    check(len(scored) == number, f"{len(scored)} results reported, not {number}")
    for game, (result, comment, position) in enumerate(scored, 1):
        true = scorer.query(position, "result")
        reason = scorer.query(position, "reason").replace("-", " ")
        check(words.get(result) == true,
              f"game {game} scored {result} {{{comment}}}, it is {true}: {position}")
        check(comment == reason, f"game {game} ended by {comment!r}, it is {reason!r}")
    saved_results = re.findall(r'\[Result "(.*)"\]', text)
    check(saved_results == [result for result, _, _ in scored], "the saved results differ")
    print(f"xboard: a match of {number} games, rightly scored: {' '.join(saved_results)}")
    return saved_results


def listening(folder, path):
    """An XBoard that answers clicks. Now and then one that has just started hears none."""
    for _ in range(4):
        xboard = XBoard(folder, path)
        xboard.wait(r"<first : pong 1")
        time.sleep(3)
        xboard.paste(POSITIONS[0][1])
        if pick_up(xboard, POSITIONS[0][2]):
            xboard.click(POSITIONS[0][2])
            return xboard
        xboard.close()
    fail("four XBoards heard no click")


def click_targets(folder, path, scorer, shots):
    xboard = listening(folder, path)
    for number, (name, position, square, known) in enumerate(POSITIONS):
        xboard.paste(position)
        listed = scorer.query(f"fen {position}", "legalmoves").split()
        moves = [re.fullmatch(r"([a-j]\d+)([a-j]\d+)", move).groups() for move in listed]
        expected = {to for start, to in moves if start == square}
        if known is not None:
            check(expected == set(known.split()), f"{name}: {expected} are not {known}")
        drawn = pick_up(xboard, square)
        if number == 1:
            screenshot(shots, "xboard-escape.png")
        check(drawn == expected, f"{name}: {square} marks {sorted(drawn)}, not {sorted(expected)}")
        xboard.click(square)
        print(f"xboard: {name}: {square} marks {len(drawn)} squares, exactly the legal targets")
    refuse_click(xboard, shots)
    xboard.close()


def pick_up(xboard, square):
    """The marks after a click on a square. A busy machine draws late, or loses a click before it is ready."""
    for _ in range(3):
        xboard.click(square)
        for _ in range(20):
            if drawn := marked(xboard):
                time.sleep(0.5)
                return marked(xboard)
            time.sleep(0.2)
    return drawn


def refuse_click(xboard, shots):
    xboard.paste(POSITIONS[2][1])
    after = len(xboard.lines())
    xboard.click("a3")
    xboard.click("d3")
    _, found = xboard.wait(r"telluser Illegal move: (.*)", after, 20)
    time.sleep(0.5)
    screenshot(shots, "xboard-refused.png")
    lines = xboard.lines()[after:]
    check(not any("usermove" in line for line in lines), "an illegal click was played")
    print(f"xboard: an illegal click is refused: {found[1]}")


def play_by_clicks(folder, path, shots):
    xboard = XBoard(folder, path, "-searchDepth", "4")
    xboard.wait(r"<first : pong 1")
    time.sleep(3)
    after = len(xboard.lines())
    xboard.click("e2")
    screenshot(shots, "xboard-lift.png")
    xboard.click("e4")
    xboard.wait(r">first : (usermove )?e1e3", after, 20)
    _, found = xboard.wait(r"<first : move (\S+)", after, 60)
    time.sleep(0.5)
    screenshot(shots, "xboard-answer.png")
    xboard.close()
    print(f"xboard: e2e4 by two clicks, answered by {move_in(found[1])}")


def main():
    path = os.path.abspath(sys.argv[1])
    shots = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    # The engine first: if it does not start, nothing is left running.
    scorer = Barca(path)
    display = Display()
    try:
        with tempfile.TemporaryDirectory() as folder:
            click_targets(folder, path, scorer, shots)
            play_by_clicks(folder, path, shots)
            play_match(folder, path, path, SELF_PLAY, scorer, shots)
            weak = f"{path} --set Player=random"
            results = play_match(folder, path, weak, AGAINST_RANDOM, scorer, None)
            check({"1-0", "0-1"} <= set(results), f"not both sides have won: {results}")
    finally:
        scorer.process.kill()
        display.process.kill()
        display.process.wait()
    print("xboard: all is well")


main()
