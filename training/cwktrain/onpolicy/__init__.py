"""A student's own runs in the environments of a pack, as tokens to train on."""
