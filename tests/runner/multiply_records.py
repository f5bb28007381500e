"""Makes the records of a large match in shards from those of a small one, with valid checksums.

multiply_records.py SOURCE GAMES SHARDS DIRECTORY: the games of SOURCE, which must be of two games a
bundle, are repeated as games 1 to GAMES in DIRECTORY/shard-I.jsonl. Within each shard neighbouring
games come in another order, as two concurrent games do.
"""
import json
import sys
import zlib

SOURCE, GAMES, SHARDS, DIRECTORY = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]


def sealed(text):
    """A line with its checksum; `text` is the object without its closing brace."""
    return '%s,"check":"%08x"}\n' % (text, zlib.crc32(text.encode()))


with open(SOURCE) as lines:
    header, *games = [json.loads(line) for line in lines]
games = [game for game in games if game["game"]]
tails = []
for game in games:
    for key in ("game", "round", "check"):
        game.pop(key, None)
    tails.append(json.dumps(game, separators=(",", ":"))[1:-1])
header.pop("check")
files = []
for shard in range(SHARDS):
    header["run"] = {"games": GAMES, "shard": "%d/%d" % (shard + 1, SHARDS)}
    files.append(open("%s/shard-%d.jsonl" % (DIRECTORY, shard + 1), "w"))
    files[-1].write(sealed(json.dumps(header, separators=(",", ":"))[:-1]))
for start in range(0, GAMES, 4 * SHARDS):
    numbers = range(start, min(start + 4 * SHARDS, GAMES))
    for index in sorted(numbers, key=lambda index: index * 7919 % 31):
        text = '{"game":%d,"round":%d,%s' % (index + 1, index // 2 + 1, tails[index % len(tails)])
        files[index // 2 % SHARDS].write(sealed(text))
for file in files:
    file.close()
