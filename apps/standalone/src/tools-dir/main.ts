import { askedToStop } from "@bulkhead/process";
import { readSettings } from "@bulkhead/process/settings";
import { type FolderFault, harmlessLine, type LoadedFolder, watchFolder } from "bulkhead-cli/folders";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ImportRefused, openSender } from "./send-tools.ts";

// A process of its own: what a folder's modules cost, and where they break, is nothing to the rest.

const LOOK_EVERY_MS = 1_000;
const AGAIN_MS = 2_000;

const { TOOLS_DIR, BULKHEAD_URL, BULKHEAD_KEY } = readSettings(
  z.object({ TOOLS_DIR: z.string(), BULKHEAD_URL: z.string(), BULKHEAD_KEY: z.string() }),
  process.env,
);
/** Names of files, and what the API says of tools, are a stranger's. */
const say = (line: string): void => void process.stdout.write(`tools: ${harmlessLine(line)}\n`);
const stopping = new AbortController();
void askedToStop({ watchParent: true }).then(() => stopping.abort());
const sender = openSender({ url: BULKHEAD_URL, key: BULKHEAD_KEY, say });
const told = new Set<string>();

process.stdout.write(`tools ready: ${harmlessLine(TOOLS_DIR)}\n`);
// Without `within`: what lies around the folder was not given to the service, a repository that holds it neither.
for await (const loaded of watchFolder(TOOLS_DIR, { everyMs: LOOK_EVERY_MS, signal: stopping.signal })) {
  tellFaults(loaded);
  await sendUntilTaken(loaded);
}
process.exit(0);

/** Each fault once, until it is gone. */
function tellFaults({ faults }: LoadedFolder): void {
  const lines = new Set(faults.map(lineOf));
  for (const line of told) if (!lines.has(line)) told.delete(line);
  for (const line of lines) {
    if (told.has(line)) continue;
    told.add(line);
    say(line);
  }
}

function lineOf({ severity, file, line, column, export: name, message }: FolderFault): string {
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `${severity}: ${place} ${name === null ? "" : `${name} `}${message}`;
}

/**
 * The API may be away for a while, as when it is started again. What it refuses for good is told once, and sent again with the
 * next change of the folder.
 */
async function sendUntilTaken({ tools }: LoadedFolder): Promise<void> {
  for (let said = ""; !stopping.signal.aborted;) {
    try {
      return await sender.send(tools);
    } catch (error) {
      const why = wordsOf(error);
      if (error instanceof ImportRefused && error.isLasting)
        return say(`are not sent until the folder changes: ${why}`);
      if (why !== said) say(`can't be sent: ${why}; trying again`);
      said = why;
      await delay(AGAIN_MS, null, { signal: stopping.signal }).catch(() => undefined);
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof ImportRefused && error.status === 401)
    return "the API does not take the key (401): it was revoked, or another API listens there";
  if (error instanceof ImportRefused && error.status === 403)
    return "the key may not make tools (403): it needs the role owner or developer";
  return error instanceof Error ? error.message : String(error);
}
