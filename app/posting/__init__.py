"""Posting: a message of ours into a forum, a channel or a program, by that place's own public interface. It knows no
battle and no database; what it is given are secrets, which it neither keeps nor tells."""
