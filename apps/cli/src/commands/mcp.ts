import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Argument, Option } from "commander";
import type { Cli, Define } from "../cli.ts";
import { usageFault } from "../faults/cli-fault.ts";
import { VERSION } from "../version.ts";

interface McpOptions {
  view?: string;
  provider?: string;
  group?: string;
  user?: string;
}

/** What was asked before stdin ended has this long to be answered; a client that closes stdin ends the program soon. */
const CLOSE_MS = 2_000;

const CLIENTS = {
  claude: {
    key: "mcpServers",
    file: "claude_desktop_config.json (Claude Desktop) or .mcp.json (Claude Code)",
  },
  cursor: { key: "mcpServers", file: ".cursor/mcp.json" },
  vscode: { key: "servers", file: ".vscode/mcp.json" },
} as const;

export const defineMcp: Define = (command, act) => {
  command
    .addOption(
      new Option("--view <view>", "every tool, or tools that find tools").choices(["all", "search", "code"]),
    )
    .option("--provider <name>", "the model's provider, which the tenant's policy hears")
    .option("--group <name>", "the group that asks")
    .option("--user <id>", "the person on whose behalf is asked")
    .action(act((cli, options: McpOptions) => serve(cli, options)));
  command
    .command("install")
    .summary("tell what a client's settings need")
    .addArgument(new Argument("<client>", "whose settings").choices(Object.keys(CLIENTS)))
    .action(act((cli, client: keyof typeof CLIENTS) => tellSettings(cli, client)));
};

/** Speaks MCP on stdin and stdout until stdin ends. */
async function serve(cli: Cli, { view, provider, group, user }: McpOptions): Promise<void> {
  const { url: server, key } = await cli.connection();
  const url = new URL(`${server}/mcp`);
  if (view !== undefined) url.searchParams.set("view", view);
  const asker = { "Bulkhead-Provider": provider, "Bulkhead-Group": group, "Bulkhead-User": user };
  const said = Object.entries(asker).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const { Relay } = await import("../mcp/relay.ts");
  const leaving = new AbortController();
  const relay = new Relay({
    url,
    headers: {
      authorization: `Bearer ${key}`,
      "user-agent": `bulkhead-cli/${VERSION}`,
      ...Object.fromEntries(said),
    },
    write: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
    login: cli.terminal.asCalled("bulkhead login"),
    warn: (sentence) => cli.terminal.warn(sentence),
    pause: (ms) => sleep(ms, undefined, { signal: leaving.signal }).catch(() => {}),
  });
  await relay.start();
  cli.terminal.note(`bulkhead mcp: ${url.href}, on stdin and stdout`);
  for await (const line of createInterface({ input: cli.terminal.stdin }))
    if (line.trim() !== "") void relay.take(line);
  await Promise.race([relay.answered(), sleep(CLOSE_MS, undefined, { ref: false })]);
  leaving.abort();
  await relay.close();
}

/** The settings name this very program and a profile, never a key. */
async function tellSettings(cli: Cli, client: keyof typeof CLIENTS): Promise<void> {
  const { profile } = await cli.connection();
  if (profile === undefined)
    throw usageFault(
      "The key comes from BULKHEAD_KEY, which a client of MCP would not see.",
      "Keep it in a profile: bulkhead login",
    );
  const { key, file } = CLIENTS[client];
  const [program = "bulkhead"] = process.argv.slice(1);
  const entry = { command: process.execPath, args: [program, "mcp", "--profile", profile] };
  cli.terminal.value({ [key]: { bulkhead: client === "vscode" ? { type: "stdio", ...entry } : entry } });
  cli.terminal.note(`Put this into ${file}.`, "dim");
}
