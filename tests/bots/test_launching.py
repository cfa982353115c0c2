"""Where the sensible bot aims, what it sends, and whether it goes on."""

from __future__ import annotations

from tests.bots.tables import asked, decide, homes, position


def test_it_aims_at_a_planet_that_is_new_and_weakly_held() -> None:
    blue = {"blue-1": 4, "blue-2": 1, "blue-3": 4, "blue-4": 1, "blue-5": 4}
    players = {"red": {"ships": homes("red", "blue-2"), "hand": ["attack-08"]}, "blue": {"ships": blue}}
    game = position(players, {"offense": "red", "phase": "launch", "defense": "blue", "system": "blue"})
    assert decide(game, asked(game, "aim", "red")) == ["blue-4"]


def test_it_leaves_a_ship_on_every_colony() -> None:
    ships = {"red-1": 2, "red-2": 1, "red-3": 1, "red-4": 2, "green-1": 2}
    game = position(
        {"red": {"ships": ships, "hand": ["attack-20"]}},
        {"offense": "red", "phase": "launch", "defense": "blue", "target": "blue-1"},
    )
    sent = decide(game, asked(game, "ships", "red"))
    assert sent == {"red-1": 1, "red-4": 1, "green-1": 1}


def test_it_sends_fewer_ships_without_a_card_to_win_with() -> None:
    start = {"offense": "red", "phase": "launch", "defense": "blue", "target": "blue-1"}
    weak = position({"red": {"hand": ["negotiate"]}}, start)
    strong = position({"red": {"hand": ["attack-20"]}}, start)
    assert sum(decide(weak, asked(weak, "ships", "red")).values()) == 1
    assert sum(decide(strong, asked(strong, "ships", "red")).values()) == 4


def test_after_a_wild_card_it_meets_who_is_weakest() -> None:
    strong = {"hand": ["attack-15"] + ["attack-08"] * 3}
    weak = {"ships": {f"green-{i}": 1 for i in range(1, 6)}, "hand": ["attack-04"]}
    players = {"red": {"hand": ["attack-10"]}, "blue": strong, "green": weak}
    game = position(players, {"offense": "red", "phase": "destiny"}, destiny=["destiny-wild"])
    assert decide(game, asked(game, "destiny", "red")) == ["green"]


def test_it_settles_an_own_empty_planet() -> None:
    players = {"red": {"ships": {"red-1": 4, "red-2": 4, "red-3": 4, "red-4": 4}}}
    game = position(players, {"offense": "red", "phase": "destiny"}, destiny=["destiny-red"])
    assert decide(game, asked(game, "destiny", "red")) == ["settle-red-5"]


def test_a_retrieved_ship_goes_where_a_home_colony_is_weakest() -> None:
    players = {"red": {"ships": {"red-1": 3, "red-2": 1, "red-3": 3, "green-1": 1}}}
    game = position(players, {"offense": "red", "phase": "regroup"})
    assert decide(game, asked(game, "regroup", "red")) == {"red-2": 1}
