"""The language server: the protocol's side of the editor's features, and the process that proves in the background."""
