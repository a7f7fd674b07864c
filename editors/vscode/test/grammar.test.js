// The TextMate grammar in the engine that editors run: the scopes of words in small files, and of every file given.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const folder = path.join(__dirname, "..");
const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
const registry = new textmate.Registry({
  onigLib: oniguruma.loadWASM(wasm).then(() => ({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  })),
  loadGrammar: async () => {
    const file = path.join(folder, "syntaxes", "cwk.tmLanguage.json");
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf-8"), file);
  },
});

/** Every stretch of a text with its innermost scope. */
async function scopes(text) {
  const grammar = await registry.loadGrammar("source.cwk");
  const found = [];
  let stack = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      found.push([line.slice(token.startIndex, token.endIndex).trim(), token.scopes.at(-1)]);
    }
  }
  return found.filter(([word]) => word);
}

async function scopeOf(text, word) {
  return (await scopes(text)).find(([found]) => found === word)?.[1];
}

test("words have the scopes of their kinds", async () => {
  const text = 'task stale "Title" { let a = only t in helpdesk.tickets where t.status == open and not true }';
  const expected = {
    task: "storage.type.cwk",
    stale: "entity.name.type.cwk",
    Title: "string.quoted.double.cwk",
    only: "keyword.control.cwk",
    where: "keyword.control.cwk",
    and: "keyword.operator.word.cwk",
    "==": "keyword.operator.cwk",
    true: "constant.language.cwk",
    status: "variable.other.member.cwk",
  };
  for (const [word, scope] of Object.entries(expected)) {
    assert.strictEqual(await scopeOf(text, word), scope, word);
  }
});

test("a keyword is a name before a colon and after a dot", async () => {
  assert.strictEqual(await scopeOf("data: text", "data"), "variable.other.property.cwk");
  assert.strictEqual(await scopeOf("x.check", "check"), "variable.other.member.cwk");
  assert.strictEqual(await scopeOf("every x in s where null: p", "null"), "constant.language.cwk");
});

test("literals", async () => {
  assert.strictEqual(await scopeOf("now - 48h", "48h"), "constant.numeric.cwk");
  assert.strictEqual(await scopeOf("now: 2026-03-14T09:00:00Z", "2026-03-14T09:00:00Z"), "constant.numeric.date.cwk");
  assert.strictEqual(await scopeOf("@TK-301 {", "@TK-301"), "constant.other.reference.cwk");
  assert.strictEqual(await scopeOf('@"orders.csv" {', '@"orders.csv"'), "constant.other.reference.cwk");
});

test("a long text ends with its quotes, and a short one with its line", async () => {
  const long = 'request """\n  task of data # no comment\n"""\ntools crm';
  assert.strictEqual(await scopeOf(long, "task of data # no comment"), "string.quoted.triple.cwk");
  assert.strictEqual(await scopeOf(long, "tools"), "keyword.control.cwk");
  assert.strictEqual(await scopeOf('request "open\ntools crm', "tools"), "keyword.control.cwk");
});

test("names in braces stand out of a text", async () => {
  const found = await scopes('request $"One of our {ticket.tier} accounts {{x}}"');
  assert.deepStrictEqual(found.find(([word]) => word === "ticket.tier"), ["ticket.tier", "variable.other.cwk"]);
  assert.deepStrictEqual(found.find(([word]) => word === "{{"), ["{{", "constant.character.escape.cwk"]);
});

test("after every file of the repository no text is left open", async () => {
  const files = ["examples", "stdlib"].flatMap((name) => {
    const place = path.join(folder, "..", "..", name);
    return fs.readdirSync(place).filter((file) => file.endsWith(".cwk")).map((file) => path.join(place, file));
  });
  assert.notStrictEqual(files.length, 0);
  for (const file of files) {
    const text = fs.readFileSync(file, "utf-8") + "\nend";
    const last = (await scopes(text)).at(-1);
    assert.deepStrictEqual(last, ["end", "keyword.control.cwk"], file);
  }
});
