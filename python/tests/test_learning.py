"""The environments pass the tests of PettingZoo and OpenSpiel, with every number of seats."""
import numpy
import pytest

import parlor
import parlor.actions

pettingzoo_test = pytest.importorskip("pettingzoo.test")

SEATS = {"barca": [2], "pacru": [2, 3, 4], "barbarossa": [2, 3, 4, 5, 6], "chowka-bhara": [2, 3, 4],
         "porrika": [2], "shacru": [2, 3, 4], "azacru": [2, 3, 4]}
TABLES = [(game, seats) for game in parlor.GAMES for seats in SEATS[game]]


def made(game, seats, actions="step"):
    """An environment whose games are short."""
    return parlor.env(game, None if SEATS[game] == [2] else seats, actions=actions, max_plies=60)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game,seats", TABLES)
def test_pettingzoo_accepts_the_environment(game, seats):
    pettingzoo_test.api_test(made(game, seats), num_cycles=100)
    pettingzoo_test.seed_test(lambda: made(game, seats), num_cycles=50)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", ["azacru", "barca", "shacru"])
def test_tokens_are_actions_where_they_are_few(game):
    pettingzoo_test.api_test(made(game, 2, "token"), num_cycles=50)
    with pytest.raises(ValueError, match="actions='step'"):
        made("pacru", 2, "token")


def test_rewards_come_from_places_and_add_up_to_nothing():
    env = made("chowka-bhara", 3)
    env.reset(seed=5)
    random = numpy.random.default_rng(5)
    while not all(env.terminations.values()):
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(random.choice(numpy.flatnonzero(mask))))
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert len(env.position.places) == 3


def test_what_may_be_chosen_is_the_same_however_often_it_is_asked():
    position, random = parlor.Position("barbarossa", players=3), numpy.random.default_rng(3)
    actions = parlor.actions.StepActions(position)
    for _ in range(150):
        if position.is_over:
            break
        if position.is_chance:
            position.push(position.throw(len(position)))
            continue
        view = position.view(position.seat)
        legal = actions.legal(view)
        assert legal == actions.legal(view) == actions.legal(position.view(position.seat)) != []
        token = actions.act(view, int(random.choice(legal)))
        if token is not None:
            position.push(token)


def test_a_seat_observes_no_secret_of_another():
    env = made("barbarossa", 3)
    env.reset(seed=1)
    own, other = env.observe("p1"), env.observe("p2")
    assert own["action_mask"].any() and not other["action_mask"].any()
    env.step(int(numpy.flatnonzero(own["action_mask"])[0]))
    word = env.position.tokens[-1].split(":")[-1]
    assert word not in env.view("p2").line and word in env.view("p1").line


@pytest.mark.parametrize("game", parlor.GAMES)
def test_openspiel_plays_the_game(game):
    pyspiel = pytest.importorskip("pyspiel")
    parlor.register_open_spiel()
    loaded = pyspiel.load_game(f"parlor_{game.replace('-', '_')}(max_plies=120)")
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)
