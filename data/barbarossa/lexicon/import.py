#!/usr/bin/env python3
"""Makes the wider lexicon of Barbarossa: names of concrete things from WordNet, and for each thing
and predicate the chances of yes, possibly and no, learned from the rows that were judged by hand.

    apt-get install wordnet-base scowl
    pip install numpy wordfreq
    parlor-lab barbarossa knowledge matrix > matrix.txt
    data/barbarossa/lexicon/import.py matrix.txt            writes lexicon.import
    parlor-lab barbarossa knowledge lexicon lexicon.import      writes lexicon.bin
    data/barbarossa/lexicon/import.py matrix.txt --check    calibration by predicate, writes nothing
    data/barbarossa/lexicon/import.py matrix.txt --sample 500 1    derived cells for review

What ships is made from WordNet (data/barbarossa/WORDNET-LICENSE), SCOWL
(data/barbarossa/lexicon/SCOWL-COPYRIGHT) and the table written by hand. Frequencies of wordfreq only
order the candidates; none of its data ships.
"""

import argparse
import collections
import functools
import math
import pathlib
import re
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent
WORDNET = pathlib.Path("/usr/share/wordnet")
SCOWL = pathlib.Path("/usr/share/dict/scowl")

ENTRIES = 6846
# Chances are stored as two levels of four bits: of yes, and of possibly.
YES = [.002, .01, .03, .06, .1, .16, .25, .35, .5, .65, .75, .84, .9, .95, .98, .995]
POSSIBLY = [.002, .01, .03, .06, .1, .15, .2, .27, .35, .43, .5, .58, .66, .75, .85, .95]

NAME = re.compile(r"[a-z]+(_[a-z]+)?$")
# Lexicographer files of WordNet: animal, artifact, body, food, object, person, plant, substance.
FILES = {5: .4, 6: 0, 8: .3, 13: .4, 17: .2, 18: -.6, 20: .3, 27: -.5}
REFUSED = re.compile(
    r"\b(offensive|ethnic slur|slur|disparag\w*|derogat\w*|obscene|vulgar|taboo|slang|sexual\w*|"
    r"genital\w*|penis|vagina\w*|narcotic|heroin|cocaine|marijuana|prostitut\w*|condom|excrement|feces|"
    r"urine|semen|genus|taxonomic|suborder|subfamily|superfamily|subclass|virus|bacteri\w*|enzyme|"
    r"protein|acid|hormone|molecule|drug|anatomical|nerve|artery|vein|breast|anus|intoxicat\w*)\b", re.I)
REFUSED_NAMES = set("""ass arse fanny prat keister nates tush buns butt bum tit tits boob boobs knocker titty
bosom cock prick dick pecker pussy cunt twat bitch whore slut hooker bastard crap shit turd piss fag faggot
dyke nigger negro spic chink gook jap wop kike yid gypsy squaw darky coon redskin savage cripple retard
idiot moron imbecile lunatic midget john lav shithouse hussy floozy bimbo pimp queer homo lesbian gay
female male work works art self bloke stiff dummy honky cracker paddy frog kraut limey yank spade
hermaphrodite transvestite eunuch slave nude corpse cadaver addict junkie rapist terrorist nazi""".split())
VAGUE = """whole.2 object.1 artifact.1 instrumentality.3 living_thing.1 organism.1 causal_agent.1
matter.3 unit.6 structure.1 covering.2 device.1 equipment.1 implement.1 commodity.1 consumer_goods.1
article.2 creation.2 product.2 part.3 thing.12 substance.1 solid.1 fluid.1 material.1 chordate.1
vertebrate.1 placental.1 conveyance.3 person.1 adult.1 male.2 female.2 object.1 facility.1 way.6
surface.1 area.5 mechanism.5 line.18 layer.1 piece.1 part.2 section.1 base.8 top.10 side.7 front.2
back.6 end.1 opening.1 support.10 system.1 excavation.3 decoration.1 fixture.1 restraint.6""".split()
ABSTRACT = "taxonomic_group.1 abstraction.6 drug.1 chemical.1".split()
# Everyday things that the order of candidates or a filter leaves out: the first sense that is a thing.
ALSO = """beggar card champagne cigar circus coffee confetti desert diary driftwood dynamite fleece forest
glue gravel handle harbor jaguar juggler leather lilac lunchbox marigold milk movie mud oil pad paint paper park
pedal potion puzzle rain roller rubber sandpaper scale scepter sculpture shampoo smoke squash subway swimmer
wallpaper wood calzone ice_cream baseball_bat traffic_light parking_meter hurricane liver kidney blood
burger wine beer lemonade soda milkshake vodka whiskey golf_club cellphone burrito smoothie tennis_racket
snow steam perfume bread_knife tequila rum gin brandy cocktail wire""".split()
# Names that people use for words judged by hand, and WordNet has elsewhere or not at all.
NAMES = {"trousers": ["pants"], "sofa": ["couch"], "telephone": ["phone"],
         "smartphone": ["cellphone", "cell_phone", "mobile_phone"], "motorcycle": ["motorbike"],
         "television": ["tv"], "refrigerator": ["fridge"], "rabbit": ["bunny"],
         "fireman": ["firefighter"], "rhinoceros": ["rhino"], "hippopotamus": ["hippo"],
         "spectacles": ["eyeglasses"], "lightbulb": ["light_bulb"], "teddy": ["teddy_bear"],
         "airplane": ["aeroplane"], "hamburger": ["burger"], "gift": ["present"],
         "doughnut": ["donut"], "firetruck": ["fire_truck", "fire_engine"], "wetsuit": ["wet_suit"],
         "jellybean": ["jelly_bean", "jelly_egg"], "teabag": ["tea_bag"], "sugarcane": ["sugar_cane"],
         "station": ["train_station", "railway_station", "railroad_station", "railroad_terminal",
                     "train_depot"],
         "lawnmower": ["lawn_mower", "mower"], "treehouse": ["tree_house"], "bowtie": ["bow_tie"],
         "golfball": ["golf_ball"], "paperclip": ["paper_clip", "gem_clip"],
         "lifebuoy": ["life_buoy", "life_belt", "life_ring"], "hotdog": ["hot_dog", "red_hot"],
         "piggybank": ["piggy_bank", "penny_bank"]}
STOP = set("""a an the of or and in on at to for with by from as is are was be been being that which who
whose its it their his her having has have used use using usually often especially other any such very
more most some one two three etc eg ie not can may into than when where made make usu also but several
various many small large long something someone consisting resembling form forms kind type""".split())


class Synset:
    """One synset of nouns: its lemmas, what is above it, its parts, its gloss."""

    def __init__(self, line):
        head, _, gloss = line.partition("|")
        fields = head.split()
        count = int(fields[3], 16)
        self.offset, self.file = fields[0], int(fields[1])
        self.lemmas = [fields[4 + 2 * index] for index in range(count)]
        self.gloss = gloss.strip().split('; "')[0]
        self.above, self.instance, self.parts, self.wholes = [], False, [], []
        start = 5 + 2 * count
        for index in range(int(fields[start - 1])):
            sign, offset, part_of_speech, _ = fields[start + 4 * index:start + 4 * index + 4]
            if part_of_speech != "n":
                continue
            if sign in ("@", "@i"):
                self.above.append(offset)
                self.instance |= sign == "@i"
            elif sign in ("%p", "%s"):
                self.parts.append(offset)
            elif sign == "#p":
                self.wholes.append(offset)


class WordNet:
    """The nouns of WordNet, with the counts of their senses."""

    def __init__(self):
        lines = (WORDNET / "data.noun").read_text().splitlines()
        synsets = [Synset(line) for line in lines if not line.startswith(" ")]
        self.synsets = {synset.offset: synset for synset in synsets}
        self.senses, self.tags, self.all_tags = {}, collections.Counter(), collections.Counter()
        for line in (WORDNET / "index.noun").read_text().splitlines():
            if not line.startswith(" "):
                fields = line.split()
                self.senses[fields[0]] = fields[6 + int(fields[3]):]
        for line in (WORDNET / "cntlist.rev").read_text().splitlines():
            key, number, count = line.split()
            lemma, rest = key.split("%")
            self.all_tags[lemma] += int(count)
            senses = self.senses.get(lemma, [])
            if rest.startswith("1:") and int(number) <= len(senses):
                self.tags[lemma, senses[int(number) - 1]] += int(count)
        self.other_uses = collections.Counter()
        for kind in ("verb", "adj", "adv"):
            for line in (WORDNET / f"index.{kind}").read_text().splitlines():
                if not line.startswith(" "):
                    self.other_uses[line.split()[0]] += 1

    def offset(self, kind):
        lemma, number = kind.rsplit(".", 1)
        return self.senses[lemma.lower()][int(number) - 1]

    @functools.lru_cache(None)
    def closure(self, offset):
        found, todo = set(), [offset]
        while todo:
            at = todo.pop()
            if at not in found:
                found.add(at)
                todo += self.synsets[at].above
        return frozenset(found)

    def share(self, lemma, offset):
        """How much of the use of a word is this sense."""
        senses = self.senses[lemma]
        rank = senses.index(offset)
        total = sum(.7 / (1 + index) for index in range(len(senses)))
        total += self.all_tags[lemma] + 1.5 * self.other_uses[lemma]
        return (self.tags[lemma, offset] + .7 / (1 + rank)) / total, rank


def candidates(wordnet):
    """Synsets of concrete things, the everyday ones first: score, offset, names."""
    from wordfreq import zipf_frequency

    @functools.lru_cache(None)
    def zipf(word):
        return zipf_frequency(word, "en")

    physical = wordnet.offset("physical_entity.1")
    abstract = {wordnet.offset(kind) for kind in ABSTRACT}
    vague = {wordnet.offset(kind) for kind in VAGUE}
    found = []
    for synset in wordnet.synsets.values():
        above = wordnet.closure(synset.offset)
        if (synset.file not in FILES or synset.instance or synset.offset in vague
                or physical not in above or above & abstract or REFUSED.search(synset.gloss)):
            continue
        names = []
        for lemma in synset.lemmas:
            if not NAME.match(lemma) or not 2 <= len(lemma) <= 24:
                continue
            share, rank = wordnet.share(lemma, synset.offset)
            # Only a name that often means this thing.
            if "_" not in lemma and (rank > 2 or share < .1):
                continue
            first, _, second = lemma.partition("_")
            score = zipf(first)
            if second:
                score = .5 * min(score, zipf(second)) + .3 * zipf(second) - 1.4
            names.append((score + math.log10(share) + FILES[synset.file], lemma))
        if names:
            names.sort(reverse=True)
            found.append((names[0][0], synset.offset, [lemma for _, lemma in names]))
    return sorted(found, key=lambda entry: (-entry[0], entry[1]))


def common_words():
    """The words of SCOWL up to level 60: common enough to be known."""
    words = set()
    for size in (10, 20, 35, 40, 50, 55, 60):
        for kind in ("english-words", "american-words", "british-words"):
            path = SCOWL / f"{kind}.{size}"
            if path.exists():
                words.update(path.read_text(encoding="latin-1").split())
    return words


def choose(wordnet, core):
    """The entries, and further names of the words judged by hand."""
    common, taken = common_words(), set(core)
    further = collections.defaultdict(list)
    for word, (itself, offset) in core.items():
        for lemma in wordnet.synsets[offset].lemmas if itself else []:
            first = NAME.match(lemma) and wordnet.senses[lemma].index(offset) == 0
            if first and lemma not in taken and lemma not in REFUSED_NAMES:
                further[word].append(lemma)
                taken.add(lemma)
    for word, names in NAMES.items():
        named = [name for name in names if name not in taken]
        further[word] += named
        taken.update(named)
    own = {offset for itself, offset in core.values() if itself}
    entries = []
    for score, offset, names in candidates(wordnet):
        limit = 3.0 if wordnet.synsets[offset].file == 18 else 0
        if REFUSED_NAMES.intersection(names[:1]):
            continue
        names = [name for name in names if name not in taken | REFUSED_NAMES]
        if offset in own or score < limit or not names:
            continue
        if not all(part in common for part in names[0].split("_")):
            continue
        taken.update(names)
        entries.append((names, offset))
        if len(entries) == ENTRIES:
            break
    physical, used = wordnet.offset("physical_entity.1"), own | {offset for _, offset in entries}
    for name in ALSO:
        senses = [offset for offset in wordnet.senses.get(name, [])
                  if physical in wordnet.closure(offset) and offset not in used]
        if name not in taken and senses:
            names = [lemma for lemma in wordnet.synsets[senses[0]].lemmas
                     if NAME.match(lemma) and lemma not in taken | REFUSED_NAMES and lemma != name]
            entries.append(([name, *names], senses[0]))
            taken.update(entries[-1][0])
            used.add(senses[0])
    return entries, further


def stem(word):
    for suffix in ("ings", "ing", "edly", "ed", "ies", "es", "s", "ly"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[:-len(suffix)]
    return word


def gloss_words(synset):
    words = re.findall("[a-z]+", synset.gloss.lower())
    return [stem(word) for word in words if word not in STOP and len(word) > 2]


def features(wordnet, offset, itself):
    """What is known of a thing: the kinds above it, words of glosses, parts and substances."""
    synset = wordnet.synsets[offset]
    kinds = {above: 1. for above in wordnet.closure(offset)}
    gloss, parts = collections.Counter(), {}
    near = [(synset, 1.)] if itself else []
    near += [(wordnet.synsets[above], .5) for above in (synset.above if itself else [offset])]
    for each, weight in near:
        for word in gloss_words(each):
            gloss[word] += weight
        for token in "_".join(each.lemmas).lower().split("_"):
            gloss["=" + stem(token)] += weight
    for above in kinds:
        for part in wordnet.synsets[above].parts:
            parts[part] = 1.
            for kind in wordnet.synsets[part].above:
                parts.setdefault(kind, .5)
        for whole in wordnet.synsets[above].wholes:
            parts["in" + whole] = 1.
    return kinds, gloss, parts


def kernel(rows, columns, weights=(1., .5, .2)):
    """How alike things are: cosines of the three kinds of features, rare ones counting more."""
    total = np.zeros((len(rows), len(columns)))
    for which, weight in enumerate(weights):
        counts = collections.Counter(key for row in columns for key in row[which])
        index = {key: number for number, key in enumerate(sorted(counts))}

        def matrix(things):
            made = np.zeros((len(things), len(index)))
            for number, thing in enumerate(things):
                for key, value in thing[which].items():
                    if key in index:
                        rare = math.log(1 + len(columns) / counts[key])
                        made[number, index[key]] = value * rare
            norm = np.linalg.norm(made, axis=1, keepdims=True)
            return made / np.where(norm == 0, 1, norm)

        total += weight * (matrix(rows) @ matrix(columns).T)
    return total


def softmax(values):
    values = np.exp(values - values.max(-1, keepdims=True))
    return values / values.sum(-1, keepdims=True)


def logit(values):
    values = np.clip(values, .003, .997)
    return np.log(values / (1 - values))


class Calibration:
    """Chances from the two scores of a cell, by a regression for each predicate that leans on one of
    all predicates."""

    def __init__(self, yes, possibly, truth, base, rng):
        self.base = base
        design = self.design(yes, possibly)
        flat, answers = design.reshape(-1, design.shape[-1]), truth.reshape(-1)
        some = rng.choice(len(answers), min(60000, len(answers)), replace=False)
        width = flat.shape[1]
        pooled = self.fit(flat[some], answers[some], np.zeros((width, 2)), .01, 60)
        self.weights = [self.fit(design[:, column], truth[:, column], pooled, 3., 25)
                        for column in range(design.shape[1])]

    def design(self, yes, possibly):
        own = [np.broadcast_to(logit(base), yes.shape) for base in self.base]
        columns = [logit(yes), logit(possibly), yes, possibly, *own, np.ones_like(yes)]
        return np.stack(columns, -1)

    @staticmethod
    def fit(design, truth, prior, strength, steps):
        weights, hits = prior.copy(), np.eye(3)[truth]
        for _ in range(steps):
            chances = softmax(np.hstack([np.zeros((len(truth), 1)), design @ weights]))
            slope = design.T @ (chances[:, 1:] - hits[:, 1:]) + strength * (weights - prior)
            for answer in range(2):
                share = chances[:, answer + 1]
                bend = (design * (share * (1 - share))[:, None]).T @ design
                bend += strength * np.eye(design.shape[1])
                weights[:, answer] -= .7 * np.linalg.solve(bend, slope[:, answer])
        return weights

    def chances(self, yes, possibly):
        """By thing, predicate, and no, yes, possibly."""
        design = self.design(yes, possibly)
        made = np.zeros(yes.shape + (3,))
        for column, weights in enumerate(self.weights):
            scores = design[:, column] @ weights
            made[:, column] = softmax(np.hstack([np.zeros((len(scores), 1)), scores]))
        return made


class Table:
    """The table written by hand, and scores that leave one row out."""

    def __init__(self, wordnet, path):
        lines = pathlib.Path(path).read_text().split("\n")
        self.predicates = lines[0].split()[1:]
        rows = [line.split() for line in lines[1:] if line]
        self.words = [row[0] for row in rows]
        cells = np.array([row[1:] for row in rows])
        self.truth = np.where(cells == "y", 1, np.where(cells == "p", 2, 0))
        self.core = {}
        for line in (FOLDER / "taxonomy.txt").read_text().splitlines():
            if line.startswith("word "):
                _, word, sign, kind = line.split()
                self.core[word] = (sign == "=", wordnet.offset(kind))
        self.features = [features(wordnet, self.core[word][1], self.core[word][0])
                         for word in self.words]
        targets = np.hstack([self.truth == 1, self.truth == 2]).astype(float)
        self.mean = targets.mean(0)
        self.inverse = np.linalg.inv(
            kernel(self.features, self.features) + .3 * np.eye(len(self.words)))
        self.weights = self.inverse @ (targets - self.mean)
        left_out = targets - self.weights / np.diag(self.inverse)[:, None]
        count = len(self.predicates)
        self.yes, self.possibly = left_out[:, :count], left_out[:, count:]
        self.base = (self.mean[:count], self.mean[count:])

    def calibration(self, rows):
        rng = np.random.RandomState(1)
        return Calibration(self.yes[rows], self.possibly[rows], self.truth[rows], self.base, rng)

    def held_out(self):
        """The chances of every cell, from the other rows alone: five parts, each calibrated on the
        other four."""
        part = np.random.RandomState(1).permutation(np.arange(len(self.words)) % 5)
        made = np.zeros(self.truth.shape + (3,))
        for number in range(5):
            test = part == number
            chances = self.calibration(~test)
            made[test] = chances.chances(self.yes[test], self.possibly[test])
        return stored(made)[1]

    def derive(self, wordnet, offsets):
        """The chances of other things."""
        things = [features(wordnet, offset, True) for offset in offsets]
        count = len(self.predicates)
        scores = np.vstack([
            kernel(things[start:start + 500], self.features) @ self.weights + self.mean
            for start in range(0, len(things), 500)])
        every = np.ones(len(self.words), bool)
        return self.calibration(every).chances(scores[:, :count], scores[:, count:])


def stored(chances):
    """The levels of chances as bytes, and the chances that they stand for."""
    yes = np.abs(chances[..., 1, None] - np.array(YES)).argmin(-1)
    possibly = np.abs(chances[..., 2, None] - np.array(POSSIBLY)).argmin(-1)
    means = np.stack([np.array(YES)[yes], np.array(POSSIBLY)[possibly]], -1)
    means /= np.maximum(means.sum(-1, keepdims=True), 1)
    full = np.stack([1 - means.sum(-1), means[..., 0], means[..., 1]], -1)
    return (yes << 4 | possibly).astype(np.uint8), full


def calibration_error(chances, hits, bins=10):
    bucket = np.minimum((chances * bins).astype(int), bins - 1)
    return 100 * sum(
        (bucket == each).mean() * abs(chances[bucket == each].mean() - hits[bucket == each].mean())
        for each in range(bins) if (bucket == each).any())


def check(table):
    """Prints how far chances of held-out rows are from what was judged by hand."""
    chances = table.held_out()
    stated = chances.argmax(-1)
    opposite = (stated == 1) & (table.truth == 0) | (stated == 0) & (table.truth == 1)
    print(f"{'predicate':<28}{'yes %':>7}{'agree %':>9}{'opposite %':>12}{'calibration':>13}")
    errors = []
    for column, name in enumerate(table.predicates):
        error = max(calibration_error(chances[:, column, answer], table.truth[:, column] == answer)
                    for answer in range(3))
        errors.append(error)
        agree = (stated == table.truth)[:, column].mean()
        print(f"{name:<28}{100 * table.base[0][column]:>7.1f}{100 * agree:>9.1f}"
              f"{100 * opposite[:, column].mean():>12.1f}{error:>13.1f}")
    pooled = max(calibration_error(chances[..., answer].ravel(), (table.truth == answer).ravel(), 20)
                 for answer in range(3))
    print(f"all: {100 * (stated == table.truth).mean():.1f} % agree, {100 * opposite.mean():.2f} % "
          f"opposite; calibration error {pooled:.2f} points, {np.mean(errors):.2f} by predicate")


def main():
    reader = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    reader.add_argument("matrix", help="what `barbarossa_knowledge matrix` prints")
    reader.add_argument("--check", action="store_true", help="print the calibration")
    reader.add_argument("--sample", nargs=2, type=int, metavar=("N", "SEED"), help="cells to review")
    given = reader.parse_args()
    wordnet = WordNet()
    table = Table(wordnet, given.matrix)
    if given.check:
        return check(table)
    entries, further = choose(wordnet, table.core)
    levels, chances = stored(table.derive(wordnet, [offset for _, offset in entries]))
    if given.sample:
        rng = np.random.RandomState(given.sample[1])
        for cell in sorted(rng.choice(levels.size, given.sample[0], replace=False)):
            row, column = divmod(cell, len(table.predicates))
            no, yes, possibly = chances[row, column]
            print(f"{entries[row][0][0]} {table.predicates[column]} "
                  f"y{yes:.2f} p{possibly:.2f} n{no:.2f}")
        return None
    names = [" ".join(names) for names, _ in entries]
    more = [f"{word} {' '.join(names)}" for word, names in sorted(further.items())]
    header = "\n".join([
        "barbarossa lexicon import 1", f"{len(names)} {len(more)} {len(table.predicates)}",
        " ".join(table.predicates), *names, *more]) + "\n"
    # By predicate: neighbours are alike.
    data = len(header).to_bytes(4, "little") + header.encode() + levels.T.tobytes()
    pathlib.Path("lexicon.import").write_bytes(data)
    count = len(table.words) + sum(len(names) for names, _ in entries)
    count += sum(len(names) for names in further.values())
    print(f"{len(entries) + len(table.words)} entries, {count} names")
    return None


if __name__ == "__main__":
    sys.exit(main())
