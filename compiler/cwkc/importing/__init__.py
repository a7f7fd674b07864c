"""Files of other formats as `.cwk`: tasks of Claw-Eval, OpenAPI documents, lists of MCP tools.

An importer gives the text of a file and a warning for each thing that is left to do, or errors and no text. It raises
for no document, whatever it holds.
"""

from __future__ import annotations

from cwkc.importing.claw_eval import import_claw_eval
from cwkc.importing.files import Imported
from cwkc.importing.openapi import import_openapi
from cwkc.importing.tool_lists import import_mcp

__all__ = ["Imported", "import_claw_eval", "import_mcp", "import_openapi"]
