"""Assets as task.json lists them; what can be learned from them is the grader's to know."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from mimetypes import MimeTypes

from cwkc.meaning import typed

UNKNOWN = "application/octet-stream"


@cache
def _types() -> MimeTypes:
    """The types of files that Python knows by itself: those of the machine would make a pack depend on it."""
    return MimeTypes()


def asset_entry(asset: typed.AssetDef) -> dict[str, str]:
    media_type, _ = _types().guess_type(asset.name, strict=False)
    return {
        "name": asset.name,
        "media_type": media_type or UNKNOWN,
        "sha256": sha256(asset.content).hexdigest(),
    }
