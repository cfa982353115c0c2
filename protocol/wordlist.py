"""256 short words that are hard to mishear: one byte each, for numbers that people compare aloud.

The list is part of the protocol: both screens must show the same words, so it never changes.
"""

from __future__ import annotations

_WORDS = """
acorn actor album amber anchor angel ankle apple apron arrow atlas autumn baker bamboo banjo barrel basket
beach beaver biscuit bishop blanket bottle branch bridge bronze bucket buffalo butter button cabin cactus
camel candle canyon carpet castle cedar cellar chalk cherry chimney circus clover cobra coffee comet
compass copper coral cotton cradle crayon cricket crown crystal cushion daisy dancer desert diamond
dolphin donkey dragon dream drummer eagle echo elastic elbow elephant emerald engine fabric falcon farmer
feather ferry fiddle finger flame flute forest fossil fountain frog funnel galaxy garden garlic gazelle
giant giraffe glacier globe goblin golden gondola goose granite grape guitar hammer harbor hazel hedgehog
helmet hermit honey horizon hunter iceberg igloo indigo insect island ivory jacket jaguar jelly jigsaw
jungle kangaroo kayak kernel kettle kitten ladder lagoon lantern laundry lemon leopard library lily lion
lizard lobster lotus magnet mandolin mango maple marble meadow mirror mosaic muffin museum mustard napkin
needle nickel noodle north oasis ocean octopus olive onion opera orange orbit orchid otter oven owl oyster
paddle palace panda paper parrot pebble pencil penguin pepper piano pigeon pillow pirate plum pocket pony
potato prince pumpkin puzzle pyramid quarter queen quilt rabbit radar raven ribbon river robot rubber
salmon sandal scarf school shadow shovel silver sister sketch sleeve snail sofa soldier spider spoon
squash statue stone sugar summer swan table tailor teapot temple thunder tiger timber torch tower trumpet
tulip turtle umbrella uncle unicorn valley vanilla velvet village violin volcano voyage wagon walnut water
whale wheel whisper window winter wolf wonder yacht yogurt zebra zipper
"""
WORDS = tuple(_WORDS.split())


def say(data: bytes) -> str:
    """The bytes as words, the word of byte 0 being "acorn" and that of byte 255 "zipper"."""
    return " ".join(WORDS[byte] for byte in data)
