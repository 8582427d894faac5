"""The figures that the house is held to. Machines swing by a factor of two, so every bar is a ratio, both sides of which are
measured in turns (A B A B) in one run. `python -m bench` for all of them, `python -m bench turn` for one."""
