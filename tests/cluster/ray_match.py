"""`examples/cluster/ray_match.py` on a Ray cluster of three nodes, one of which is lost while workers are
killed at random; the merged file is that of one run, to the byte. And a sequential test ends it.

    python3 tests/cluster/ray_match.py PARLOR [KILLS]
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

SCRIPT = pathlib.Path(__file__).parents[2] / "examples" / "cluster" / "ray_match.py"
PARLOR = os.path.abspath(sys.argv[1])
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
ENGINES = ["porrika option.Player=random name=A", "porrika option.Player=random name=B"]
MATCH = [*ENGINES, "--nodes", "1", "--games", "6000", "--ply-limit", "30"]


def workers():
    """The workers that play a shard."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and (folder / "cmdline").read_bytes().startswith(b"ray::play"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def run(cluster, folder, *words):
    """The script, started."""
    command = [sys.executable, SCRIPT, "--program", PARLOR, "--address", cluster.address,
               "--folder", folder, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def survives(cluster, folder):
    """Workers and a node are lost, and no game."""
    node = cluster.worker_nodes and sorted(cluster.worker_nodes, key=str)[0]
    script, killed = run(cluster, folder, *MATCH, "--shards", "12"), 0
    while script.poll() is None:
        time.sleep(random.uniform(0.5, 1.5))
        there = workers()
        if there and killed < KILLS:
            os.kill(random.choice(there), signal.SIGKILL)
            killed += 1
            if killed == 1:
                cluster.remove_node(node, allow_graceful=False)
    print(f"{killed} workers and one node of three killed\n{script.communicate()[0]}")
    assert script.returncode == 0 and killed, "no worker was killed: play more games"
    whole = folder / "whole.jsonl"
    subprocess.run([PARLOR, "match", *MATCH, "--key-file", folder / "match.key", "--records", whole,
                    "--reproducible", "--quiet", "--report", "0"], check=True, stdout=subprocess.DEVNULL)
    assert (folder / "match.jsonl").read_bytes() == whole.read_bytes(), "the files differ"


def stops(cluster, folder):
    """The test is decided by the first shards; the others are cancelled."""
    engines = ["shacru option.Player=random name=A", "shacru option.Player=greedy name=B"]
    words = [*engines, "--nodes", "1", "--games", "40000", "--shards", "4000",
             "--sprt", "elo0=0 elo1=50"]
    script = run(cluster, folder, *words)
    told = script.communicate(timeout=600)[0]
    print(told)
    # The first engine lost it.
    assert script.returncode == 3 and "elo0 accepted" in told
    assert len(list(folder.glob("shard-*.jsonl"))) < 400


def main():
    """Both."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    for _ in range(3):
        cluster.add_node(num_cpus=1)
    try:
        for check in (survives, stops):
            with tempfile.TemporaryDirectory() as folder:
                check(cluster, pathlib.Path(folder))
    finally:
        cluster.shutdown()


main()
