"""`ray_match.py` and `ray_record.py` of `examples/cluster` on a Ray cluster of three nodes, one of which is
lost, while workers are killed at random: the merged file, and the folder of games, are those of one run, to
the byte. And a sequential test ends a match. `parlor-lab` lies beside PARLOR.

    python3 tests/cluster/on_ray.py PARLOR [KILLS]
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from ray.cluster_utils import Cluster

SCRIPTS = pathlib.Path(__file__).parents[2] / "examples" / "cluster"
PARLOR = os.path.abspath(sys.argv[1])
LAB = os.path.join(os.path.dirname(PARLOR), "parlor-lab")
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
ENGINES = ["porrika option.Player=random name=A", "porrika option.Player=random name=B"]
MATCH = [*ENGINES, "--nodes", "1", "--games", "6000", "--ply-limit", "30"]
GAMES = ["--games", "90", "--chunk", "3", "--nodes", "30"]


def workers(task):
    """The workers that have a task of this name."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes().startswith(b"ray::" + task):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def run(cluster, script, *words):
    """A script, started."""
    command = [sys.executable, SCRIPTS / script, "--address", cluster.address, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def is_attacked(script, task, lose_node=None):
    """Workers are killed while the script runs, and a node at the first of them."""
    killed = 0
    while script.poll() is None:
        # The first as soon as there is one: on a fast machine all is done in some seconds.
        time.sleep(random.uniform(0.5, 1.5) if killed else 0.02)
        there = workers(task)
        if there and killed < KILLS:
            os.kill(random.choice(there), signal.SIGKILL)
            killed += 1
            if killed == 1 and lose_node:
                lose_node()
    told, errors = script.communicate()
    print(f"{killed} workers{' and one node of three' if lose_node else ''} killed\n{told}")
    assert script.returncode == 0, errors
    assert killed, "no worker was killed: play more games"


def survives(cluster, folder):
    """Workers and a node are lost, and no game."""
    node = sorted(cluster.worker_nodes, key=str)[0]
    script = run(cluster, "ray_match.py", "--program", PARLOR, "--folder", folder, *MATCH, "--shards", "12")
    is_attacked(script, b"play", lambda: cluster.remove_node(node, allow_graceful=False))
    whole = folder / "whole.jsonl"
    subprocess.run([PARLOR, "match", *MATCH, "--key-file", folder / "match.key", "--records", whole,
                    "--reproducible", "--quiet", "--report", "0"], check=True, stdout=subprocess.DEVNULL)
    assert (folder / "match.jsonl").read_bytes() == whole.read_bytes(), "the files differ"


def records(cluster, folder):
    """Workers are lost, and no game; a folder with another recording is refused."""
    words = ["porrika", *GAMES, "--out", folder / "parts"]
    is_attacked(run(cluster, "ray_record.py", "--program", LAB, *words), b"record")
    subprocess.run([LAB, "porrika", "record", *GAMES, "--out", folder / "whole"], check=True)
    parts, whole = ({path.name: path.read_bytes() for path in (folder / name).iterdir()}
                    for name in ("parts", "whole"))
    assert parts == whole and len(whole) == 31, "the folders differ"
    for lost in ([], ["games-00007.txt"]):
        for name in lost:
            (folder / "parts" / name).unlink()
        other = run(cluster, "ray_record.py", "--program", LAB, *words, "--seed", "2")
        errors = other.communicate(timeout=300)[1]
        assert other.returncode == 1 and "holds another recording" in errors, errors
        assert not any((folder / "parts" / name).exists() for name in lost)


def stops(cluster, folder):
    """The test is decided by the first shards; the others are cancelled."""
    engines = ["shacru option.Player=random name=A", "shacru option.Player=greedy name=B"]
    words = [*engines, "--nodes", "1", "--games", "40000", "--shards", "4000",
             "--sprt", "elo0=0 elo1=50"]
    script = run(cluster, "ray_match.py", "--program", PARLOR, "--folder", folder, *words)
    told = script.communicate(timeout=600)[0]
    print(told)
    # The first engine lost it.
    assert script.returncode == 3 and "elo0 accepted" in told
    assert len(list(folder.glob("shard-*.jsonl"))) < 400


def main():
    """All three."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(3):
        cluster.add_node(num_cpus=1)
    try:
        for check in (survives, records, stops):
            with tempfile.TemporaryDirectory() as folder:
                check(cluster, pathlib.Path(folder))
    finally:
        cluster.shutdown()


main()
