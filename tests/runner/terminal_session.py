"""A person at a terminal of 80 by 24 who knows none of the games: reads the rules, types something
that is no move, then plays what `?` offers.

terminal_session.py TURNS PROGRAM ARGUMENT ...   prints everything that the terminal showed
"""

import codecs
import fcntl
import os
import pty
import random
import re
import select
import struct
import sys
import termios
import time

# What was begun stands behind the prompt, to be continued.
PROMPT = re.compile(
    r"(?:^|\n)((?:[A-Z][a-z]+(?: \d)?|game over)> (?:\S[^\n]* )?|-- Enter for more[^\n]*-- )$"
)
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07")
LIMIT = 120


class Terminal:
    def __init__(self, command):
        self.child, self.file = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", LC_ALL="C.UTF-8")
            os.environ.pop("NO_COLOR", None)
            os.execvp(command[0], command)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.seen = ""
        # A character may come in two parts.
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def read(self):
        """What was shown up to the next prompt, and the prompt."""
        text, deadline = "", time.time() + LIMIT
        while time.time() < deadline:
            if select.select([self.file], [], [], 0.05)[0]:
                try:
                    data = os.read(self.file, 65536)
                except OSError:
                    data = b""
                if not data:
                    return text, None
                shown = self.decoder.decode(data)
                self.seen += shown
                text += shown
            else:
                shown = ESCAPE.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
                found = PROMPT.search(shown)
                if found:
                    return shown[: found.start()], found.group(1)
        raise SystemExit("no prompt within %d s after:\n%s" % (LIMIT, text[-2000:]))

    def type(self, line):
        os.write(self.file, (line + "\r").encode())


def offered(text):
    """What may be typed, from the answer to `?`."""
    lines = [line for line in text.splitlines() if line.strip()]
    # The echo of what was typed comes first.
    lines = [line for line in lines if line.strip() != "?" and not line.endswith("> ")]
    lines = [line for line in lines if not line.endswith("the first letters.")]
    if not lines:
        return []
    if ":" not in " ".join(lines):
        return [word for line in lines for word in line.split()]
    if "(type any word)" in " ".join(lines):
        return ["teapot"]
    first, *rest = "\n".join(lines).split(":", 1)[1].split("\n")
    # A line may begin with the name of a group of choices.
    rest = [re.sub(r"^\s*[a-z][a-z ]*: ", "", line) for line in rest]
    body = re.sub(r"\([^()]*\)", "", ",".join([first, *rest]))
    return [word.strip() for word in body.split(",") if word.strip()]


def main():
    turns, command = int(sys.argv[1]), sys.argv[2:]
    choose = random.Random(5)
    terminal = Terminal(command)
    text, prompt = terminal.read()
    terminal.type("rules")
    while True:
        text, prompt = terminal.read()
        if prompt is None or not prompt.startswith("--"):
            break
        terminal.type("")
    terminal.type("zz99zz")
    text, prompt = terminal.read()
    played = 0
    while prompt and not prompt.startswith("game over") and played < turns:
        line, words = "?", []
        while True:
            terminal.type(line if line == "?" else words[-1])
            text, prompt = terminal.read()
            if not prompt or prompt.startswith("game over"):
                break
            if line != "?" and not re.search(r":\n  \S|\(type any", text):
                break
            choices = offered(text)
            if not choices:
                raise SystemExit("nothing is offered in:\n" + text)
            words.append(choose.choice(choices))
            if len(words) > 40:
                raise SystemExit("a move of more than 40 parts:\n" + text)
            line = "move"
        played += 1
    if prompt and not prompt.startswith("game over"):
        terminal.type("resign")
        text, prompt = terminal.read()
    if prompt:
        terminal.type("quit")
        terminal.read()
    sys.stdout.write(terminal.seen)
    sys.stderr.write("played %d\n" % played)


main()
