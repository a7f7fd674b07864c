"""The standard services: what they tell an agent, and what their tools refuse and do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from coworkdsl import Environment
from cwkc import driver
from cwkc.resources import standard_service, standard_services
from cwkc.source import Source
from cwkc.syntax import tree
from cwkc.syntax.parser import parse

CORPUS = Path(__file__).parent / "corpus/good"


@cache
def checked(name: str) -> driver.Checked:
    return driver.check([CORPUS / f"{name}_service.cwk"])


def start(name: str) -> Environment:
    """The environment of the service's task in the corpus."""
    found = checked(name)
    assert found.bench is not None
    return found.bench.pack.env(found.tasks[0].name)


def services() -> list[tree.Service]:
    modules = [parse(Source(name, standard_service(name) or ""))[0] for name in standard_services()]
    return [item for module in modules for item in module.items if isinstance(item, tree.Service)]


@pytest.mark.parametrize("service", services(), ids=lambda service: service.name.text)
def test_every_tool_and_parameter_is_described(service: tree.Service) -> None:
    undescribed = [tool.name.text for tool in service.tools if not (tool.doc and all(p.doc for p in tool.parameters))]
    assert service.tools
    assert undescribed == []


def test_the_documentation_lists_every_service() -> None:
    page = (Path(__file__).parents[1] / "docs/language.md").read_text(encoding="utf-8")
    assert [name for name in standard_services() if f"`{name}`" not in page] == []


def test_id_prefixes_differ() -> None:
    prefixes = [store.prefix.value for service in services() for store in service.stores if store.prefix]
    assert len(set(prefixes)) == len(prefixes)


PAY = {"invoice_id": "INV-1", "amount": 640.5, "reference": "K-2207"}

REFUSALS: tuple[tuple[str, str, Mapping[str, Any], str], ...] = (
    ("approvals", "approvals_decide", {"request_id": "APR-3", "decision": "approve"}, "not_the_approver"),
    ("approvals", "approvals_decide", {"request_id": "APR-4", "decision": "approve"}, "already_decided"),
    ("approvals", "approvals_decide", {"request_id": "APR-1", "decision": "reject"}, "no_reason"),
    ("chat", "chat_post_message", {"channel_id": "CH-4", "text": "Hello"}, "archived"),
    ("chat", "chat_get_channel", {"channel_id": "CH-3"}, "not_a_member"),
    ("chat", "chat_list_messages", {"channel_id": "CH-3"}, "not_a_member"),
    ("chat", "chat_post_message", {"channel_id": "CH-3", "text": "Hello"}, "not_a_member"),
    (
        "chat",
        "chat_post_message",
        {"channel_id": "CH-1", "text": "Hello", "reply_to_message_id": "CHM-3"},
        "wrong_channel",
    ),
    ("config", "config_update_integration", {"integration_id": "INT-33", "status": "active"}, "credentials_expired"),
    ("docs", "docs_update_section", {"section_id": "SEC-3", "text": "None."}, "locked"),
    ("docs", "docs_append_section", {"document_id": "DOC-2", "heading": "A", "text": "B"}, "locked"),
    ("documents", "documents_extract_text", {"path": "lease-boathouse.pdf", "max_pages": 0}, "invalid_max_pages"),
    ("payments", "payments_pay_invoice", {**PAY, "amount": 640.51}, "over_open_amount"),
    ("payments", "payments_pay_invoice", {**PAY, "amount": 0}, "invalid_amount"),
    ("payments", "payments_pay_invoice", {**PAY, "amount": 1.005}, "invalid_amount"),
    ("payments", "payments_pay_invoice", {**PAY, "invoice_id": "INV-3"}, "already_paid"),
    ("payments", "payments_pay_invoice", {**PAY, "invoice_id": "INV-4"}, "cancelled"),
    ("payments", "payments_pay_invoice", {**PAY, "invoice_id": "INV-6"}, "blocked"),
    ("payments", "payments_refund_payment", {"payment_id": "PAY-3", "amount": 12.26, "reason": ""}, "over_paid_amount"),
    ("rss", "rss_get_feed", {"feed_id": "Dale Gazette"}, "not_found"),
    ("sheets", "sheets_append_row", {"sheet_id": "SHEET-2", "a": "Red"}, "protected"),
    ("sheets", "sheets_append_row", {"sheet_id": "SHEET-1", "d": "x"}, "no_such_column"),
    ("sheets", "sheets_update_row", {"row_id": "ROW-1", "h": "x"}, "no_such_column"),
    ("web", "web_search", {"query": ""}, "empty_query"),
    ("web", "web_fetch", {"url": "https://clocks.alderstreet.test/groups"}, "timeout"),
    ("web", "web_fetch", {"url": "https://elsewhere.test"}, "not_found"),
)


@pytest.mark.parametrize(("service", "tool", "arguments", "code"), REFUSALS)
def test_refusals(service: str, tool: str, arguments: Mapping[str, Any], code: str) -> None:
    assert start(service).call(tool, dict(arguments)).get("error", {}).get("code") == code


def test_an_invoice_is_paid_when_nothing_is_open_and_open_again_after_a_refund() -> None:
    environment = start("payments")
    environment.call("payments_pay_invoice", {**PAY, "amount": 640})
    assert environment.call("payments_get_invoice", {"invoice_id": "INV-1"})["status"] == "open"
    payment = environment.call("payments_pay_invoice", {**PAY, "amount": 0.5})
    assert environment.call("payments_get_invoice", {"invoice_id": "INV-1"})["status"] == "paid"
    refund = {"payment_id": payment["payment_id"], "amount": 0.5, "reason": "Too much."}
    assert "error" not in environment.call("payments_refund_payment", refund)
    assert environment.call("payments_refund_payment", refund)["error"]["code"] == "over_paid_amount"
    invoice = environment.call("payments_get_invoice", {"invoice_id": "INV-1"})
    assert (invoice["status"], invoice["paid_amount"]) == ("open", 940)


def test_a_cancelled_invoice_stays_cancelled_after_a_refund() -> None:
    environment = start("payments")
    environment.call("payments_refund_payment", {"payment_id": "PAY-4", "amount": 20, "reason": "Cancelled."})
    invoice = environment.call("payments_get_invoice", {"invoice_id": "INV-4"})
    assert (invoice["status"], invoice["paid_amount"]) == ("cancelled", 0)


def test_nothing_is_said_after_the_end() -> None:
    environment = start("agent")
    environment.call("agent_finish", {"summary": "Done."})
    assert environment.call("agent_message_user", {"text": "One more."})["error"]["code"] == "finished"
    assert environment.call("agent_finish", {"summary": "Done."})["error"]["code"] == "finished"


def test_appended_rows_are_numbered_within_their_sheet() -> None:
    environment = start("sheets")
    row = environment.call("sheets_append_row", {"sheet_id": "SHEET-1", "a": "Saws"})
    assert (row["number"], row["a"], row["b"]) == (3, "Saws", None)
    items = environment.call("sheets_read_rows", {"sheet_id": "SHEET-1", "first_row": 2})["items"]
    assert [item["a"] for item in items] == ["Pliers", "Saws"]


@pytest.mark.parametrize(
    ("service", "tool", "arguments", "hidden"),
    [
        ("config", "config_list_integrations", {}, "api_key"),
        ("rss", "rss_list_articles", {}, "content"),
        ("web", "web_search", {"query": "clock museum"}, "content"),
        ("docs", "docs_list_sections", {"document_id": "DOC-1"}, "text"),
        ("ocr", "ocr_list_images", {}, "text"),
        ("approvals", "approvals_list_requests", {}, "details"),
        ("payments", "payments_list_payees", {}, "account"),
    ],
)
def test_listings_hide_bodies(service: str, tool: str, arguments: Mapping[str, Any], hidden: str) -> None:
    items = start(service).call(tool, dict(arguments))["items"]
    assert items
    assert not any(hidden in item for item in items)


def test_a_private_channel_is_not_listed_for_others() -> None:
    items = start("chat").call("chat_list_channels", {})["items"]
    assert [item["name"] for item in items] == ["cranes", "night-shift", "old-quay"]


def test_direct_messages_are_those_of_one_person() -> None:
    environment = start("chat")
    for to in ("odd.strand@ourco.test", "kaja.moe@ourco.test"):
        environment.call("chat_send_direct_message", {"to": to, "text": "Hello"})
    items = environment.call("chat_list_direct_messages", {"person": "Kaja.Moe@ourco.test"})["items"]
    assert [item["to"] for item in items] == ["kaja.moe@ourco.test"]


def test_a_feed_is_named_by_the_articles_that_it_carries() -> None:
    items = start("rss").call("rss_list_articles", {"source": "Harbour Notes"})["items"]
    assert {item["source"] for item in items} == {"Harbour Notes"}


def test_a_slow_page_answers_those_who_wait() -> None:
    address = "https://clocks.alderstreet.test/groups"
    page = start("web").call("web_fetch", {"url": address, "timeout_seconds": 60})
    assert (page["url"], page["status_code"]) == (address, 200)


def test_a_picture_is_read_and_described() -> None:
    environment = start("caption")
    assert environment.call("ocr_extract_text", {"image_path": "coast-a.jpg"})["text"] == "VESTERODDE"
    described = environment.call("caption_describe_image", {"image_path": "coast-a.jpg"})
    assert set(described) == {"image_path", "caption", "confidence"}
