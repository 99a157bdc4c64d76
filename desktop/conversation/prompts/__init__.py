"""The library of prompts: texts with gaps that the user keeps, to be put into messages."""
