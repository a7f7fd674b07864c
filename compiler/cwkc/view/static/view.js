"use strict";

// The theme: as the system has it, light, or dark. Set before anything is painted.
const THEMES = ["auto", "light", "dark"];
let theme = kept();

function kept() {
  try {
    return localStorage.getItem("cwkc-theme") ?? "auto";
  } catch {
    return "auto"; // a browser may keep nothing for files
  }
}

function keep(value) {
  try {
    localStorage.setItem("cwkc-theme", value);
  } catch {
    return; // then it lasts as long as the page
  }
}

function setTheme() {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function startTheme() {
  const button = document.getElementById("theme");
  button.hidden = false;
  button.textContent = `Theme: ${theme}`;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    keep(theme);
    setTheme();
    button.textContent = `Theme: ${theme}`;
  });
}

// The list of a page, of tasks or of the members of a family: what it shows stands in the address, behind the #, and is changed there alone.
const FIELDS = { category: 4, scenario: 5, difficulty: 6, language: 7, capability: 8, service: 9 };

function wanted() {
  return new URLSearchParams(location.hash.slice(1));
}

function matchesMember(member, query) {
  return member.join(" ").toLowerCase().includes((query.get("text") ?? "").toLowerCase());
}

function matchesTask(task, query) {
  const text = (query.get("text") ?? "").toLowerCase();
  if (text && !`${task[2]} ${task[3]}`.toLowerCase().includes(text)) return false;
  return Object.entries(FIELDS).every(([name, place]) => !query.get(name) || [task[place]].flat().includes(query.get(name)));
}

function cell(row, text, kind) {
  const made = row.insertCell();
  made.textContent = text;
  if (kind) made.className = kind;
}

function heading(row, ...children) {
  const head = document.createElement("th");
  head.scope = "row";
  head.append(...children);
  row.append(head);
}

function showMember(body, [id, ...values]) {
  const row = body.insertRow();
  heading(row, id);
  for (const value of values) cell(row, value);
}

function showTask(body, task) {
  const [page, members, id, title, category, scenario, difficulty, language, , services, checks, killed, mutants, open] = task;
  const row = body.insertRow();
  const link = document.createElement("a");
  link.href = page.split("/").map(encodeURIComponent).join("/");
  link.textContent = title;
  const name = document.createElement("span");
  name.className = "id";
  name.textContent = members > 1 ? `${id}, ${members} members` : id;
  heading(row, link, name);
  for (const text of [category, scenario, difficulty, language, services.join(", ")]) cell(row, text);
  cell(row, checks, "n");
  cell(row, `${killed} / ${mutants}`, "n");
  cell(row, open.join(", "));
}

function render({ rows, matches, show, perPage }) {
  const query = wanted();
  for (const field of document.getElementById("filters").elements) {
    const value = query.get(field.name) ?? "";
    if (field.value !== value) field.value = value;
  }
  const found = rows.filter((row) => matches(row, query));
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(pages, Math.max(1, Number(query.get("page")) || 1));
  const start = (page - 1) * perPage;
  const shown = found.slice(start, start + perPage);
  const body = document.querySelector("#list tbody");
  body.replaceChildren();
  for (const row of shown) show(body, row);
  const range = shown.length ? `${start + 1} to ${start + shown.length} of ${found.length}` : "none";
  document.getElementById("count").textContent = `${range} (${rows.length} in the list)`;
  document.getElementById("previous").disabled = page === 1;
  document.getElementById("next").disabled = page === pages;
  turn("previous", query, page - 1);
  turn("next", query, page + 1);
}

function turn(button, query, page) {
  document.getElementById(button).onclick = () => {
    query.set("page", page);
    location.hash = query;
  };
}

function filter() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(document.getElementById("filters"))) if (value) query.set(name, value);
  location.replace(`#${query}`);
}

function startList(list) {
  const form = document.getElementById("filters");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => render(list));
  for (const link of document.querySelectorAll(".to-tasks")) {
    link.addEventListener("click", () => document.getElementById("tasks").scrollIntoView());
  }
  render(list);
}

setTheme();
document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  if (typeof TASKS !== "undefined") {
    startList({ rows: TASKS, matches: matchesTask, show: showTask, perPage: 50 });
  }
  if (typeof MEMBERS !== "undefined") {
    startList({ rows: MEMBERS, matches: matchesMember, show: showMember, perPage: 10 });
  }
});
