"""A bot that sits at a table and does something legal whenever it is its turn.

python random_bot.py http://127.0.0.1:8420 TOKEN_OF_A_SEAT GAME
"""

from __future__ import annotations

import random
import sys

from referee_client import Client


def play(client: Client, game: str, chance: random.Random) -> int:
    """Play until the game is over; how many actions were its own."""
    seat = client.access_who()["role"].removeprefix("seat:")
    done = 0
    for _, kind, _ in client.events(game):
        if kind != "entry":
            continue
        table = client.info(game)
        if table["over"]:
            break
        mine = [
            each["notation"]
            for each in client.options(game)["options"]
            if each["notation"].startswith(f"{seat} ")
        ]
        if seat in table["to_act"] and mine:
            client.log(game, lines=[chance.choice(mine)])
            done += 1
    return done


if __name__ == "__main__":
    url, token, game = sys.argv[1:]
    print(play(Client(url, token), game, random.Random(0)))
