"""`duel`, a second game that lives in the tests alone, as unlike the first as the interface allows.

Seats act one after the other, out of one pool of dice that all draw from. Who charges asks the defender how he reacts,
before anything is rolled: that question is a frame on the agenda, which is part of the state. Each fighter's nerve and
each side's omen are known to their own side alone. Dice have ten faces, and eight.

The rules in short. An activation passes, moves one cell (one die of the pool) or charges (one to three dice): into a free
cell beside an enemy at most three cells away. The defender stands, flees or counters. A die of 6 or more hits. An omen
of 7 or 8 gives the side's next charge one die more. When the pool is empty, or all have passed in turn, the round ends:
the pool is filled and omens are drawn anew. A side with `goal` points, or the last one with fighters, wins; after the
last round the one with most points.
"""
