"""The life of a skill: slice, generalise, verify, store, find, measure."""
