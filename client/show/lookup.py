"""What a card, an alien or a word of the game means: from the sheets, in their own words."""

from __future__ import annotations

from collections.abc import Iterable

from client.ask.options import normal
from client.errors import Unclear
from client.show.style import Style, wrap
from client.show.words import alien_name, title
from cosmic_net.cards import decks, faces
from cosmic_net.engine.catalog import CATALOG
from cosmic_net.engine.verbs import Half, Sheet

WHO = {
    "main": "main players",
    "offense": "the offense",
    "defense": "the defense",
    "ally": "allies",
    "offensive-ally": "the offense's allies",
    "bystander": "those not in the encounter",
    "not-offense": "all but the offense",
    "not-main": "all but the main players",
    "any": "anybody",
    "main-or-ally": "main players and allies",
    "main-or-bystander": "main players and those not in the encounter",
    "own": "the player concerned",
    "others": "all but the player concerned",
}

WORDS = {
    "attack": "An encounter card with a number, 00 to 40. With two attacks the higher total of card and ships wins.",
    "negotiate": "An encounter card without a number. Against an attack it loses, but its player takes a card from the "
    "winner for each ship lost to the warp. Two negotiates: both must make a deal, or lose 3 ships each.",
    "morph": "An encounter card that becomes a copy of the opponent's card. Two morphs: both sides lose.",
    "reinforcement": "Played after the cards are revealed by main players and allies: adds its number to either side.",
    "artifact": "A card that works when it is played, at the moment that it names; then it is discarded.",
    "flare": "A card with two halves: the super half for the player who is that alien, the wild half for all others. "
    "One flare an encounter for each player; it goes back to the hand.",
    "warp": "Where lost ships are. At the start of a turn the offense takes one of its ships back.",
    "colony": "One or more ships on a planet. Colonies in other systems win the game; too few home colonies lose the "
    "alien's power.",
    "compensation": "Who lost with a negotiate against an attack takes a random card from the winner for each "
    "ship lost.",
    "rewards": "If the defense wins, each of its allies gets a card or a ship from the warp for each ship it had "
    "there.",
    "zap": "Cosmic Zap stops a use of an alien's power, for the rest of the encounter. Card Zap stops a flare or "
    "an artifact.",
    "destiny": "The deck that says whom the offense meets: a colour, a wild (choose), or a special.",
    "words": "The words at the end of the status line stand for the whole course of the game. If all players see the "
    "same words, all have been shown the same game.",
}


def look_up(text: str, style: Style) -> list[str]:
    """The lines about something. Raises Unclear if nothing, or several things, have that name."""
    wanted = normal(text).removesuffix("-flare").removeprefix("flare-")
    known = _known()
    if wanted not in known:
        begins = [name for name in known if name.startswith(wanted)]
        inside = begins or [name for name in known if wanted and wanted in name]
        if len(inside) != 1:
            raise Unclear(_not_found(text, inside))
        wanted = inside[0]
    return about(wanted, style)


def about(name: str, style: Style) -> list[str]:
    """The lines about an alien id, an artifact's face or a word."""
    if name in CATALOG.aliens:
        return alien(CATALOG.aliens[name].sheet, style)
    if name in CATALOG.artifacts:
        card = CATALOG.artifacts[name]
        copies = decks.ARTIFACT_COPIES.get(name, 1)
        head = f"{title(name)} · artifact, {copies} in the deck"
        text = f"{_when(card.who, card.when)}. {card.text}"
        return [style.plain_text(style.bold(head)), *_paragraph(text, style)]
    return [style.bold(name.title()), *_paragraph(WORDS[name], style)]


def card(face: str, style: Style) -> list[str]:
    """The lines about a card in a hand."""
    kind = faces.type_of(face)
    if kind == faces.FLARE and face.removeprefix("flare-") in CATALOG.aliens:
        return about(face.removeprefix("flare-"), style)
    if kind == faces.ARTIFACT:
        return about(face, style)
    return [style.bold(title(face)), *_paragraph(WORDS[kind], style)]


def alien(sheet: Sheet, style: Style) -> list[str]:
    """An alien's sheet and both halves of its flare."""
    head = f"{sheet.name} · {sheet.power} · {sheet.alert} alert"
    must = "mandatory" if sheet.mandatory else "optional"
    lines = [style.plain_text(style.bold(head)), *_paragraph(f"{_when(sheet.who, sheet.when)}, {must}.", style)]
    lines += _paragraph(sheet.text, style)
    if sheet.setup:
        lines += _paragraph(f"Game setup: {sheet.setup}", style)
    lines += _half("wild", sheet.wild, style) + _half("super", sheet.super_, style)
    if sheet.excludes:
        lines += _paragraph(f"Not together with {', '.join(map(alien_name, sheet.excludes))}.", style)
    return lines


def list_aliens(style: Style) -> list[str]:
    """All aliens, one a line, with what they do in short."""
    sheets = sorted((entry.sheet for entry in CATALOG.aliens.values()), key=lambda sheet: sheet.name)
    longest = max((len(sheet.name) for sheet in sheets), default=0)
    lines = []
    for sheet in sheets:
        start = f"{sheet.name:<{longest}}  {sheet.alert:<7}  "
        lines += wrap(sheet.short, style.width, " " * len(start), start)
    return lines


def list_cards(style: Style) -> list[str]:
    """All artifacts with their texts."""
    return [line for face in sorted(CATALOG.artifacts) for line in about(face, style)]


def _known() -> list[str]:
    return [*CATALOG.aliens, *CATALOG.artifacts, *WORDS]


def _not_found(text: str, names: Iterable[str]) -> str:
    names = [alien_name(name) for name in names]
    if not names:
        return (
            f"Nothing is called {text.strip()!r}. `cosmic-net aliens` lists all; `? zombie`, `? 3`, `? negotiate` work."
        )
    shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
    return f"{text.strip()!r} could be {shown}."


def _when(who: str, when: Iterable[str]) -> str:
    phases = ["any phase" if phase == "any" else phase for phase in when]
    return f"For {WHO.get(who, who)}, in {', '.join(phases)}"


def _half(name: str, half: Half, style: Style) -> list[str]:
    start = f"  {name:<6} "
    return wrap(f"{_when(half.who, half.when)}: {half.text}", style.width, " " * len(start), start)


def _paragraph(text: str, style: Style) -> list[str]:
    return wrap(text, style.width, "  ", "  ")
