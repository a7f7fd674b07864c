"""Routers of mixture-of-experts models, which stay as they are: a router that learns from few runs sends all tokens to
few experts."""

from __future__ import annotations

from typing import Any

_NAMES = ("gate", "router")


def freeze_routers(model: Any) -> int:
    """Freezes what chooses among experts, adapters on it included; gives the number of routers."""
    routers = [
        getattr(module, name)
        for module in model.modules()
        if hasattr(module, "experts")
        for name in _NAMES
        if hasattr(module, name)
    ]
    for router in routers:
        router.requires_grad_(False)
    return len(routers)
