"""The program `parlor`; `parlor engine barca` is the engine of Barca."""
import signal
import sys

from ._parlor import run_program


def main() -> int:
    """Runs the program with the arguments of this process; its exit code."""
    # As for any program: Ctrl-C ends it, where it does not ask for more itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_program(["parlor", *sys.argv[1:]], sys.executable, ["-m", "parlor"])


if __name__ == "__main__":
    sys.exit(main())
