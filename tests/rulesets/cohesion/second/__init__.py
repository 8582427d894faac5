"""A second referee, written from `docs/rules/cohesion.en.md` alone: slow, literal, and nothing of it shared with the first.

What the two make of the same position must be the same to the last die. It takes a case with a seed and gives what
`adjudicate --json` prints of it.
"""
