"""The manifests of `examples/cluster/kubernetes`: valid by the schemas of Kubernetes, and the commands of
their pods play and merge a match, and record games, as one run, to the byte. `parlor-lab` lies beside PARLOR.

    python3 tests/cluster/manifests.py PARLOR
"""
import pathlib
import subprocess
import sys
import tempfile

import kubernetes_validate
import yaml

ROOT = pathlib.Path(__file__).parents[2]
PARLOR = pathlib.Path(sys.argv[1]).resolve()
GAMES = ["porrika option.Player=random name=A", "porrika option.Player=random name=B"]
VERSIONS = ("1.29", "1.31", "1.34")


def documents(name):
    """The documents of a manifest, each valid."""
    found = list(yaml.safe_load_all((ROOT / "examples/cluster/kubernetes" / name).read_text()))
    for document in found:
        for version in VERSIONS:
            kubernetes_validate.validate(document, version, strict=True)
    return found


def command(job, folder):
    """The command of the one container of a job, with the folders of this machine."""
    shell, flag, script = job["spec"]["template"]["spec"]["containers"][0]["command"]
    for there, here in [("/etc/parlor-key", folder), ("/etc/parlor", folder), ("/records", folder)]:
        script = script.replace(there, str(here))
    return [shell, flag, script]


def run(words, folder, **variables):
    """A command in a folder; its exit code."""
    settings = {"PATH": f"{PARLOR.parent}:/usr/bin:/bin", "PAUSE": "1", **variables}
    return subprocess.run(words, cwd=folder, env=settings, stdout=subprocess.DEVNULL).returncode


def records(job, folder):
    """The pods of record.yaml make the folder of one run."""
    [container] = job["spec"]["template"]["spec"]["containers"]
    settings = {variable["name"]: variable["value"] for variable in container["env"]}
    assert int(settings["SHARDS"]) == job["spec"]["completions"], "shards and completions differ"
    game = "porrika record --games 7 --chunk 2 --nodes 30"
    for index in range(3):
        code = run(command(job, folder), folder, SHARDS="3", RECORD=game, JOB_COMPLETION_INDEX=str(index))
        assert code == 0, f"shard {index} ended with {code}"
    assert run([PARLOR.parent / "parlor-lab", *game.split(), "--out", "one-run"], folder) == 0
    parts, whole = ({path.name: path.read_bytes() for path in (folder / name).iterdir()}
                    for name in ("games", "one-run"))
    assert parts == whole and len(whole) == 5, "the folders differ"
    # What it ends with fails the job.
    refused = job["spec"]["podFailurePolicy"]["rules"][1]["onExitCodes"]["values"]
    for other in (f"{game} --seed 2", "porrika record --nosuch"):
        code = run(command(job, folder), folder, SHARDS="3", RECORD=other, JOB_COMPLETION_INDEX="0")
        assert code in refused, f"'{other}' ended with {code}"


def main():
    """All manifests."""
    claim, settings, match = documents("match.yaml")
    [merge] = documents("merge.yaml")
    # What a broken manifest is told.
    match["spec"]["backoffLimitPerIndexx"] = 1
    try:
        kubernetes_validate.validate(match, VERSIONS[0], strict=True)
        raise SystemExit("a wrong key is not found")
    except kubernetes_validate.ValidationError:
        pass
    assert int(settings["data"]["SHARDS"]) == match["spec"]["completions"], "shards and completions differ"
    names = {claim["metadata"]["name"], settings["metadata"]["name"], "parlor-match-key"}
    [record] = documents("record.yaml")
    for job in (match, merge, record):
        for volume in job["spec"]["template"]["spec"]["volumes"]:
            assert set(str(volume).split("'")) & names, f"{volume} names nothing"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "match.key").write_text("5" * 64)
        config = ["match", *GAMES, "--games", "30", "--nodes", "1", "--ply-limit", "20"]
        whole = [PARLOR, *config, "--save-config", "match.json", "--reproducible", "--quiet"]
        assert run([*whole, "--key-file", "match.key", "--records", "whole.jsonl"], folder) == 0
        # As the page of --save-config says, but for what the pods say themselves.
        text = (folder / "match.json").read_text().splitlines()
        own = ("key_file", "records", "quiet", "reproducible")
        text = [line for line in text if not any(f'"{key}"' in line for key in own)]
        (folder / "match.json").write_text("\n".join(text).replace(",\n}", "\n}"))
        for index in range(3):
            code = run(command(match, folder), folder, SHARDS="3", JOB_COMPLETION_INDEX=str(index))
            assert code == 0, f"shard {index} ended with {code}"
        assert run(command(merge, folder), folder, SPRT="elo0=0 elo1=1", SHARDS="3") == 0
        assert (folder / "match.jsonl").read_bytes() == (folder / "whole.jsonl").read_bytes()
        # A shard that cannot be played fails the job.
        (folder / "match.json").write_text('{"engines": ["nosuch", "nosuch"]}')
        assert run(command(match, folder), folder, SHARDS="9", JOB_COMPLETION_INDEX="8") == 2
        records(record, folder)
    print("the manifests are valid, and their commands play a match and record games")


main()
