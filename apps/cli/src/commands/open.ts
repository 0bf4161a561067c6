import { spawn } from "node:child_process";
import { Argument } from "commander";
import { openClient, type Cli, type Define } from "../cli.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { chosenUrl } from "../settings/connection.ts";

const PATHS = { docs: "/docs", openapi: "/docs/json" } as const;
type What = keyof typeof PATHS | "console";

export const defineOpen: Define = (command, act) => {
  command
    .addArgument(
      new Argument("[what]", "the API's reference, its OpenAPI document, or the web console")
        .choices([...Object.keys(PATHS), "console"])
        .default("docs"),
    )
    .option("--print", "tell the address, and open nothing")
    .action(act((cli, what: What, options: { print?: true }) => openPage(cli, what, options)));
};

async function openPage(cli: Cli, what: What, { print }: { print?: true }): Promise<void> {
  const { terminal, env } = cli;
  if (what === "console") return tellLogin(cli);
  const page = (await serverOf(cli)) + PATHS[what];
  if (terminal.json) return terminal.value({ url: page });
  terminal.line(page);
  if (print || !terminal.stdoutIsTerminal || !hasScreen(env)) return;
  if (!(await startBrowser(page)))
    terminal.note("There is no browser here: open the address elsewhere.", "dim");
}

/** Anyone may read the reference. */
async function serverOf(cli: Cli): Promise<string> {
  const { url, profile } = cli.options;
  const known = chosenUrl({ url, profile, env: cli.env, config: await cli.config() });
  return known ?? (await cli.connection()).url;
}

/**
 * A link that logs its reader in to the console, once. No browser is started with it: every process of the machine could read
 * it among that one's arguments.
 */
async function tellLogin(cli: Cli): Promise<void> {
  const { terminal } = cli;
  const { url, key } = await cli.connection();
  const client = await openClient({ url, key });
  const { features } = await client.me();
  if (!features.console)
    throw new CliFault("This server has no web console.", {
      exit: EXIT.refused,
      code: "cli.no_console",
      next: "See the API's reference: bulkhead open docs",
    });
  const { code, expiresAt } = await client.sessions.code({ key });
  const link = `${url}/console/#code=${code}`;
  if (terminal.json) return terminal.value({ url: link, expiresAt });
  terminal.line(link);
  terminal.note("It logs you in once, within ten minutes: open it in your browser.", "dim");
}

const hasScreen = (env: Cli["env"]): boolean =>
  process.platform !== "linux" || Boolean(env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? env["WSL_DISTRO_NAME"]);

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** Whether the system's own opener took the address. No shell reads it. */
function startBrowser(page: string): Promise<boolean> {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  return new Promise((resolve) => {
    const child = spawn(program, [...before, page], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
