import { spawn } from "node:child_process";
import { Argument } from "commander";
import { openClient, type Cli, type Define } from "../cli.ts";
import { CliFault, EXIT } from "../faults/cli-fault.ts";
import { chosenUrl } from "../settings/connection.ts";

const PATHS = { docs: "/docs", openapi: "/docs/json", console: "/console" } as const;
type What = keyof typeof PATHS;

export const defineOpen: Define = (command, act) => {
  command
    .addArgument(
      new Argument("[what]", "the API's reference, its OpenAPI document, or the web console")
        .choices(Object.keys(PATHS))
        .default("docs"),
    )
    .option("--print", "tell the address, and open nothing")
    .action(act((cli, what: What, options: { print?: true }) => openPage(cli, what, options)));
};

async function openPage(cli: Cli, what: What, { print }: { print?: true }): Promise<void> {
  const { terminal, env } = cli;
  const page = (await serverOf(cli, what)) + PATHS[what];
  if (terminal.json) return terminal.value({ url: page });
  terminal.line(page);
  if (print || !terminal.stdoutIsTerminal || !hasScreen(env)) return;
  if (!(await startBrowser(page)))
    terminal.note("There is no browser here: open the address elsewhere.", "dim");
}

/** Anyone may read the reference; whether there is a console, the server says to whoever has a key. */
async function serverOf(cli: Cli, what: What): Promise<string> {
  if (what !== "console") {
    const { url, profile } = cli.options;
    const known = chosenUrl({ url, profile, env: cli.env, config: await cli.config() });
    if (known !== undefined) return known;
  }
  const connection = await cli.connection();
  const { features } = await (await openClient(connection)).me();
  if (what !== "console" || features["console"]) return connection.url;
  throw new CliFault("This server has no web console.", {
    exit: EXIT.refused,
    code: "cli.no_console",
    next: "See the API's reference: bulkhead open docs",
  });
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
