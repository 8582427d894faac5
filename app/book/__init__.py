"""The published record of a battle as a small site that stands by itself: pages, pictures, films, rules, proofs."""
