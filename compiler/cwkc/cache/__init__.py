"""What was worked out before, kept in a folder under a digest of everything that it depends on.

store = Store(folder)
store.put(key, value)
store.get(key)      # the value, or None where there is none that can be trusted
"""

from cwkc.cache.store import Store, digest_of
from cwkc.cache.versions import fingerprint

__all__ = ["Store", "digest_of", "fingerprint"]
