"""A whole run by one TOML file: pack, rollouts, curation, training, evaluation and a report."""
