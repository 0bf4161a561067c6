import { harmlessJson, harmlessLine } from "@bulkhead/core/harmless";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { Cli, Define } from "../cli.ts";
import { devicePath, keepDevice, readDevice, type KeptDevice } from "../devices/kept-device.ts";
import type { SessionEnd, SessionEvent } from "../devices/device-session.ts";
import { COMMANDS_FILE, readOffered, type OfferedCommand } from "../devices/offered-commands.ts";
import { CliFault, EXIT, usageFault } from "../faults/cli-fault.ts";
import { shownDuration } from "../input/times.ts";
import { chosenUrl, isHeardByOthers, serverUrl } from "../settings/connection.ts";
import { INTERRUPTS_AND_HANGUP, withInterrupt } from "../terminal/interrupt.ts";
import { VERSION } from "../version.ts";

const NAME_CHARS_MAX = 100;
/** Pauses before another connection is tried: each twice the one before, with a part of it at random; milliseconds. */
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
/** Characters of arguments that a line shows. */
const SHOWN_CHARS_MAX = 200;

interface PairOptions {
  name?: string;
  server?: string;
  replace?: true;
}

const COMMANDS_HELP = `
${COMMANDS_FILE} names each program with its words; a word that is {{key}} is that argument, whole, and nothing goes through a
shell. Put "--" before arguments that a program could take for options. All arguments come as JSON on standard input, too.

  { "commands": {
      "disk-usage": { "description": "How full the disks are.", "run": ["df", "-h"] },
      "find-text":  { "description": "Finds a text in the logs.", "run": ["grep", "-rn", "--", "{{text}}", "logs"],
                      "timeoutMs": 10000, "cwd": "/var", "output": "text" } } }

parameters (JSON Schema), timeoutMs, cwd and output ("json": what is said is data) may be left out. The result is what the
program says; another exit code than 0 is a failure with the end of its standard error, of which lines are told as progress.`;

export const defineDevice: Define = (command, act) => {
  command
    .command("pair <code>")
    .summary("make this machine a device: the code is an owner's (bulkhead devices code)")
    .option("--name <name>", "what it is called; the name of the host unless said")
    .option("--server <url>", "the server (else --url, BULKHEAD_URL, the profile's)")
    .option("--replace", "forget what this machine was paired as before")
    .action(act((cli, code: string, options: PairOptions) => pair(cli, code, options)));
  command
    .command("run")
    .summary("stay connected, and run what is asked for of a file of commands")
    .option("--allow <file>", "the commands that may be run", COMMANDS_FILE)
    .addHelpText("after", COMMANDS_HELP)
    .action(act((cli, options: { allow?: string }) => run(cli, options.allow ?? COMMANDS_FILE)));
};

async function pair(cli: Cli, code: string, { name, server, replace }: PairOptions): Promise<void> {
  const { terminal } = cli;
  const path = devicePath(cli.configPath);
  if (replace === undefined) {
    const known = await readDevice(path);
    if (known !== null)
      throw new CliFault(
        `This machine is paired already, as ${harmlessLine(known.name)} with ${known.url}.`,
        {
          exit: EXIT.refused,
          code: "cli.device_paired",
          next: "Say --replace to pair it anew; remove the former one by: bulkhead devices rm <device>",
        },
      );
  }
  const url = await serverOf(cli, server);
  if (isHeardByOthers(url))
    terminal.warn(`! Over ${url} others can read the token on its way. Use https.`, "yellow");
  const { Bulkhead } = await import("@bulkhead/client");
  // A code works once: a try whose answer was lost is told, and not made again.
  const client = new Bulkhead({ url, retries: 0, userAgent: `bulkhead-cli/${VERSION}` });
  const { device, token } = await terminal.during("Pairing…", () =>
    client.devices.pair({
      code,
      name: name ?? harmlessLine(hostname()).slice(0, NAME_CHARS_MAX),
      platform: process.platform,
      commands: [],
    }),
  );
  await keepDevice(path, { url, id: device.id, name: device.name, token });
  if (terminal.json) return terminal.value({ device, url, path });
  terminal.line(`✓ Paired with ${url} as ${harmlessLine(device.name)} (${device.id}).`, "green");
  terminal.next("Offer its commands: bulkhead device run. What they are: bulkhead device run --help");
}

async function serverOf(cli: Cli, server: string | undefined): Promise<string> {
  if (server !== undefined) return serverUrl(server, "--server");
  const { url, profile } = cli.options;
  const known = chosenUrl({ url, profile, env: cli.env, config: await cli.config() });
  if (known !== undefined) return known;
  throw usageFault("No server is named.", "Say which: bulkhead device pair <code> --server <url>");
}

async function run(cli: Cli, file: string): Promise<void> {
  const device = await readDevice(devicePath(cli.configPath));
  if (device === null)
    throw new CliFault("This machine is not paired.", {
      exit: EXIT.refused,
      code: "cli.device_not_paired",
      next: "Ask an owner for a code (bulkhead devices code), then: bulkhead device pair <code>",
    });
  const commands = await readOffered(file);
  const leaving = new AbortController();
  const { signal } = leaving;
  await withInterrupt(
    () => leaving.abort(),
    () => stayConnected(cli, device, commands, signal),
    INTERRUPTS_AND_HANGUP,
  );
}

/** Connects, and again with growing pauses, until the signal fires; throws where trying again can't help. */
async function stayConnected(
  cli: Cli,
  { url, token, name }: KeptDevice,
  commands: readonly OfferedCommand[],
  signal: AbortSignal,
): Promise<void> {
  const { runSession } = await import("../devices/device-session.ts");
  const tell = (event: SessionEvent): void => tellEvent(cli, event, name, commands);
  let pauseMs = PAUSE_MS_MIN;
  while (!signal.aborted) {
    const end = await runSession({ url, token, commands, env: cli.env, signal, tell });
    if (end.ended === "left") return;
    if (end.ended === "refused") throw refusedFault(end);
    if (end.wasKept) pauseMs = PAUSE_MS_MIN;
    const ms = end.retryAfterMs ?? Math.round(pauseMs * (0.5 + Math.random() / 2));
    tellLost(cli, end.why, ms);
    await pause(ms, undefined, { signal }).catch(() => undefined);
    pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
  }
}

const refusedFault = ({ code, why }: Extract<SessionEnd, { ended: "refused" }>): CliFault =>
  new CliFault(`The server has ended the connection: ${harmlessLine(why)}`, {
    exit: EXIT.refused,
    code,
    next: NEXT[code] ?? PAIR_ANEW,
  });

const PAIR_ANEW =
  "An owner sees it by: bulkhead devices list. A new code pairs it anew: bulkhead device pair <code> --replace";
const NEXT: Readonly<Record<string, string>> = {
  "device.replaced": "This device runs somewhere else; pair this machine by a code of its own.",
  "device.commands_refused": "Mend the file of commands. See what it holds: bulkhead device run --help",
};

function tellLost({ terminal }: Cli, why: string, ms: number): void {
  if (terminal.json) return terminal.valueLine({ type: "lost", why, retryInMs: ms });
  terminal.warn(`! Not connected: ${harmlessLine(why)}. Again in ${shownDuration(ms)}.`, "yellow");
}

function tellEvent(
  { terminal }: Cli,
  event: SessionEvent,
  name: string,
  commands: readonly OfferedCommand[],
): void {
  if (terminal.json) return terminal.valueLine({ at: new Date().toISOString(), ...event });
  if (event.type === "connected") {
    const offered = commands.map((command) => command.name).join(", ");
    return terminal.note(`✓ Connected as ${harmlessLine(name)}, with ${offered}. Ctrl-C ends it.`, "green");
  }
  if (event.type === "invoked") {
    const args = harmlessJson(event.arguments, 0);
    const shown = args.length > SHOWN_CHARS_MAX ? `${args.slice(0, SHOWN_CHARS_MAX)}…` : args;
    return terminal.line(`${event.id} ${harmlessLine(event.command)} ${shown}`);
  }
  const { id, command, ms, ok, error = "" } = event;
  const ending = `${id} ${harmlessLine(command)} ${shownDuration(ms)}`;
  if (ok) terminal.line(`✓ ${ending}`, "green");
  else terminal.line(`✗ ${ending}: ${harmlessLine(error).slice(0, SHOWN_CHARS_MAX)}`, "red");
}
