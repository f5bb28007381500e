"""An engine process in the UGI dialect, and tables of figures: what the scripts of this folder share."""

import os
import subprocess
import time

GAMES = ["barca", "pacru", "shacru", "azacru", "porrika", "chowka-bhara", "barbarossa"]


class Engine:
    """A program with its input and output as pipes."""

    def __init__(self, program, options=(), arguments=()):
        self.process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        for option in options:
            name, _, value = option.partition("=")
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args[0]} has ended")
        return line.decode().rstrip("\n")

    def until(self, prefix):
        """Reads up to the first line that begins with the prefix."""
        while not (line := self.line()).startswith(prefix):
            pass
        return line

    def ask(self, line, prefix):
        self.send(line)
        return self.until(prefix)

    def quit(self):
        self.send("quit")
        self.process.communicate()
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def memory(self, field="VmRSS"):
        """Memory in KiB: `VmRSS` now, `VmHWM` the peak."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith(field + ":"))


class Load:
    """Processes that keep processors busy, for as long as the `with` block runs."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        program = ["python3", "-c", "while True: pass"]
        self.processes = [subprocess.Popen(program) for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def program(folder, game):
    return os.path.join(folder, game)


def milliseconds_since(start):
    return (time.perf_counter() - start) * 1e3


def table(heads, rows):
    """An aligned table: the first two columns to the left, figures to the right."""
    cells = [heads, *[[str(cell) for cell in row] for row in rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    for row in cells:
        parts = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(parts).rstrip(), flush=True)
