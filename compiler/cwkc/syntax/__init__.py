"""From the text of a `.cwk` file to its syntax tree, or to what is wrong with it.

Nothing is imported here: whoever only reads a file need not wait for the parser.
"""
