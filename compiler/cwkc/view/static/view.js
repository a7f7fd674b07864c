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

// The list of tasks: what it shows stands in the address, behind the #, and is changed there alone.
const PER_PAGE = 50;
const FIELDS = { category: 2, difficulty: 3, language: 4, capability: 5, service: 6 };

function wanted() {
  return new URLSearchParams(location.hash.slice(1));
}

function matches(task, query) {
  const text = (query.get("text") ?? "").toLowerCase();
  if (text && !`${task[0]} ${task[1]}`.toLowerCase().includes(text)) return false;
  return Object.entries(FIELDS).every(([name, place]) => !query.get(name) || [task[place]].flat().includes(query.get(name)));
}

function cell(row, text, kind) {
  const made = row.insertCell();
  made.textContent = text;
  if (kind) made.className = kind;
}

function show(body, task) {
  const [id, title, category, difficulty, language, , services, checks, killed, mutants, open] = task;
  const row = body.insertRow();
  const head = document.createElement("th");
  head.scope = "row";
  const link = document.createElement("a");
  link.href = `tasks/${encodeURIComponent(id)}.html`;
  link.textContent = title;
  const name = document.createElement("span");
  name.className = "id";
  name.textContent = id;
  head.append(link, name);
  row.append(head);
  for (const text of [category, difficulty, language, services.join(", ")]) cell(row, text);
  cell(row, checks, "n");
  cell(row, `${killed} / ${mutants}`, "n");
  cell(row, open.join(", "));
}

function render() {
  const query = wanted();
  for (const field of document.getElementById("filters").elements) {
    const value = query.get(field.name) ?? "";
    if (field.value !== value) field.value = value;
  }
  const found = TASKS.filter((task) => matches(task, query));
  const pages = Math.max(1, Math.ceil(found.length / PER_PAGE));
  const page = Math.min(pages, Math.max(1, Number(query.get("page")) || 1));
  const start = (page - 1) * PER_PAGE;
  const shown = found.slice(start, start + PER_PAGE);
  const body = document.querySelector("#list tbody");
  body.replaceChildren();
  for (const task of shown) show(body, task);
  const range = shown.length ? `${start + 1} to ${start + shown.length} of ${found.length}` : "none";
  document.getElementById("count").textContent = `${range} (${TASKS.length} in the pack)`;
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

function startList() {
  const form = document.getElementById("filters");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", render);
  for (const link of document.querySelectorAll(".to-tasks")) {
    link.addEventListener("click", () => document.getElementById("tasks").scrollIntoView());
  }
  render();
}

setTheme();
document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  if (document.getElementById("list")) startList();
});
