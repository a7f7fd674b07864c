"""From packs to trained models: data sets, rewards and training loops over environments that `cwkc` builds."""

__version__ = "0.1.0"
