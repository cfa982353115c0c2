"""Setting a game up (section 4 of the rules), tried on real games; each test names the rules that it tries."""

from __future__ import annotations

import pytest

from cosmic_net.cards import decks, faces
from cosmic_net.engine.decisions import Decision
from cosmic_net.engine.errors import IllegalAnswer
from cosmic_net.engine.game import Game
from cosmic_net.engine.options import ALERTS, SEATS, BadSetup, Options, Setup

TABLES = (3, 4, 5)


def begun(players: int = 3, seed: int = 0, **options) -> Game:
    """A game as it stands when the first question is asked."""
    return Game(Setup("setup", SEATS[:players], {}, Options(**options)), seed.to_bytes(32, "big"))


def chosen(game: Game, pick: int = 0) -> Game:
    """The same game after everybody has chosen one of his aliens, the first or the second."""
    for decision in choices(game):
        game.answer(decision.seat, decision.id, [offered(decision)[pick]])
    return game


def choices(game: Game) -> list[Decision]:
    return [decision for decision in game.pending if decision.topic == "alien"]


def offered(decision: Decision) -> list[str]:
    return [option["id"] for option in decision.bounds["options"]]


def aliens(game: Game) -> dict[str, str]:
    return {seat: player.powers[0].id for seat, player in game.state.players.items()}


def cards(game: Game) -> list[str]:
    """All cosmic cards: deck, hands and what lies on sheets."""
    players = game.state.players.values()
    held = [card.face for player in players for card in player.hand]
    return game.state.deck + held + [card.face for player in players for power in player.powers for card in power.cards]


def flares(game: Game) -> set[str]:
    return {face.removeprefix("flare-") for face in cards(game) if faces.type_of(face) == faces.FLARE}


# ---- players, planets, decks, hands


@pytest.mark.parametrize("players", [1, 2, 6])
def test_no_other_number_of_players_is_seated(players):
    """SU01, Y01, Y02."""
    with pytest.raises(BadSetup, match="3 to 5"):
        Setup("setup", (*SEATS, "white")[:players])


@pytest.mark.parametrize("players", TABLES)
def test_everybody_begins_with_four_ships_on_each_of_five_planets(players):
    """SU02."""
    game = begun(players, aliens="fixed")
    planets = game.state.planets
    assert planets == {f"{seat}-{i}": {seat: 4} for seat in SEATS[:players] for i in range(1, 6)}
    assert all(len(game.table.foreign(seat)) == player.warp == 0 for seat, player in game.state.players.items())


@pytest.mark.parametrize(("players", "count"), [(3, 14), (4, 17), (5, 20)])
def test_the_destiny_deck_has_the_colours_in_play(players, count):
    """SU03, D11."""
    states = [begun(players, seed, aliens="fixed").state for seed in range(8)]
    decks_ = [state.destiny_deck + state.destiny_discards for state in states]
    colours = [f"destiny-{seat}" for seat in SEATS[:players] for _ in range(3)]
    specials = ["destiny-special-cards", "destiny-special-colonies", "destiny-special-warp"]
    for deck in decks_:
        assert sorted(deck) == sorted([*colours, "destiny-wild", "destiny-wild", *specials])
        assert len(deck) == count
    assert len({tuple(state.destiny_deck) for state in states}) > 1


@pytest.mark.parametrize("players", TABLES)
def test_eight_cards_are_dealt_to_each_from_the_shuffled_deck(players):
    """SU05, SU06."""
    games = [begun(players, seed, aliens="fixed", flares=False) for seed in range(8)]
    for game in games:
        assert {len(player.hand) for player in game.state.players.values()} == {8}
        assert sorted(cards(game)) == sorted(decks.cosmic())
        assert len(game.state.deck) == 72 - 8 * players
    assert len({tuple(game.state.deck) for game in games}) == len(games)


@pytest.mark.parametrize("players", TABLES)
def test_the_first_player_is_whose_colour_shows_first(players):
    """SU07."""
    first, passed_over = set(), set()
    for seed in range(60):
        game = begun(players, seed, aliens="fixed", ask="able")
        (event,) = [event for event in game.events if event.kind == "first-player"]
        *before, last = event.data["cards"]
        assert last == f"destiny-{event.data['seat']}"
        assert not {face.removeprefix("destiny-") for face in before} & set(SEATS[:players])
        begins = next(event for event in game.events if event.kind == "turn-started")
        assert begins.data["seat"] == event.data["seat"]
        first.add(event.data["seat"])
        passed_over.update(before)
    assert first == set(SEATS[:players])
    assert {"destiny-wild", *decks.DESTINY_SPECIALS} <= passed_over


def test_the_cards_turned_up_for_the_first_player_go_back():
    """SU07: the deck is whole again, and shuffled, so that the cards shown do not lie on top in their order."""
    same = 0
    for seed in range(40):
        game = begun(3, seed, aliens="fixed", ask="able")
        shown = next(event for event in game.events if event.kind == "first-player").data["cards"]
        order = game.state.destiny_discards + game.state.destiny_deck  # as it lay when the first turn began
        assert sorted(order) == sorted(decks.destiny(game.state.seats))
        same += order[: len(shown)] == shown
    assert same < 20


def test_game_setup_is_carried_out_when_aliens_are_known():
    """SU08: the Miser's second hand is dealt with the first ones, and both are from the same deck."""
    fixed = {"red": "tick-tock", "blue": "miser", "green": "zombie"}
    game = begun(aliens="fixed", fixed=fixed, flares=False)
    (decision,) = game.pending
    assert (decision.seat, decision.topic) == ("blue", "hoard")
    assert not [event for event in game.events if event.kind in ("first-player", "turn-started")]
    game.answer("blue", decision.id, ["second"])
    state = game.state
    assert state.players["red"].powers[0].tokens == 10
    assert len(state.players["blue"].hand) == len(state.players["blue"].powers[0].cards) == 8
    assert sorted(cards(game)) == sorted(decks.cosmic())


# ---- aliens


def test_aliens_are_chosen_by_flares_freely_at_random_or_are_given():
    """SU04, SU34."""
    by_flares = begun(aliens="flares")
    assert [len(offered(decision)) for decision in choices(by_flares)] == [2, 2, 2]
    freely = begun(aliens="choice")
    assert [decision.seat for decision in choices(freely)] == ["red"]
    assert len(offered(choices(freely)[0])) == len(freely.state.pool)
    at_random = begun(aliens="random")
    assert not choices(at_random)
    assert len(set(aliens(at_random).values())) == 3
    given = {"red": "zombie", "blue": "will", "green": "mirror"}
    assert aliens(begun(aliens="fixed", fixed=given)) == given


@pytest.mark.parametrize("players", TABLES)
def test_everybody_is_dealt_two_flares_and_chooses_secretly_at_once(players):
    """SU20, SU21."""
    game = begun(players, aliens="flares")
    asked = choices(game)
    assert {decision.seat for decision in asked} == set(SEATS[:players])
    assert len({alien for decision in asked for alien in offered(decision)}) == 2 * players
    before = game.view(asked[1].seat)
    game.answer(asked[0].seat, asked[0].id, [offered(asked[0])[1]])
    after = game.view(asked[1].seat)
    differing = {key for key in before if before[key] != after[key]}
    assert differing == {"waiting"}, "what one has chosen shows only in that he is not waited for"
    assert not [event for event in game.events if event.kind == "alien-shown"]
    for decision in asked[1:]:
        game.answer(decision.seat, decision.id, [offered(decision)[1]])
    assert aliens(game) == {decision.seat: offered(decision)[1] for decision in asked}
    shown = [event.data["seat"] for event in game.events if event.kind == "alien-shown"]
    assert shown == list(SEATS[:players])


def test_nobody_takes_an_alien_that_he_was_not_dealt():
    """SU21."""
    game = begun(aliens="flares")
    mine, other = choices(game)[:2]
    with pytest.raises(IllegalAnswer):
        game.answer(mine.seat, mine.id, [offered(other)[0]])


@pytest.mark.parametrize(("players", "dealt"), [(3, 6), (4, 8), (5, 10)])
@pytest.mark.parametrize("pick", [0, 1])
def test_all_dealt_flares_are_in_the_deck_with_others_up_to_ten(players, dealt, pick):
    """SU22, SU23, SU24."""
    game = begun(players, aliens="flares")
    in_deck = {alien for decision in choices(game) for alien in offered(decision)}
    assert len(in_deck) == dealt
    chosen(game, pick)
    settle_setup(game)
    assert in_deck <= flares(game)
    assert len(flares(game)) == 10
    assert len(cards(game)) == 82


def settle_setup(game: Game) -> None:
    """Answers what a sheet asks when it is set up."""
    while game.pending and game.pending[0].topic == "hoard":
        game.answer(game.pending[0].seat, game.pending[0].id, ["first"])


@pytest.mark.parametrize("choice", ["flares", "random", "fixed"])
def test_flares_may_be_left_out(choice):
    """SU25, SU31."""
    game = chosen(begun(aliens=choice, flares=False))
    assert flares(game) == set()
    assert len(cards(game)) == 72


def test_alert_levels_are_a_wish_of_the_table():
    """SU26: nothing is left out unless the table says so."""
    everything = begun().state.pool
    levels = {alien: begun().table.catalog.aliens[alien].sheet.alert for alien in everything}
    assert set(levels.values()) == set(ALERTS)
    assert set(begun(alert="green").state.pool) == {alien for alien in everything if levels[alien] == "green"}


def test_aliens_that_a_sheet_bars_are_not_dealt_together():
    """SU10, SU27: another alien is dealt in its place."""
    for seed in range(60):
        game = begun(3, seed, aliens="random", pool=("gambler", "sorcerer", "zombie", "will"))
        dealt = set(aliens(game).values())
        assert len(dealt) == 3
        assert not {"gambler", "sorcerer"} <= dealt
    with pytest.raises(BadSetup, match="allows 2"):
        begun(3, aliens="random", pool=("gambler", "sorcerer", "zombie"))
