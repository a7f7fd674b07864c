// Starts the server, and runs in a terminal what the server says a person would type.

const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function start() {
  const [command, ...args] = vscode.workspace.getConfiguration("cwk").get("server.command");
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient("cwk", "cwk", server, {
    documentSelector: [{ language: "cwk" }],
    middleware: { executeCommand },
  });
  return client.start();
}

/** Prove and rehearse in the server; play in a terminal, since a person answers there. */
async function executeCommand(command, args, next) {
  if (command === "cwk.play") {
    await vscode.workspace.saveAll(false);
  }
  const answer = await next(command, args);
  if (command === "cwk.play" && answer) {
    const terminal = vscode.window.createTerminal("cwk");
    terminal.show();
    terminal.sendText(answer);
  }
  return answer;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("cwk.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

module.exports = { activate, deactivate };
