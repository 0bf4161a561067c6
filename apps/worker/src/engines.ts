import {
  CAPABILITY_PERMISSIONS,
  type CapabilityFamilies,
  type EngineFact,
  isCapability,
} from "@bulkhead/core";
import { findOnPath } from "@bulkhead/process";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Programs of the system's that tools may need, by the name of the engine; the first that is there counts. */
const PROGRAMS = {
  bubblewrap: ["bwrap"],
  chromium: ["chromium", "chromium-browser"],
  espeak_ng: ["espeak-ng"],
} as const;

/** A program that is there tells its version within this, or is taken as it is. */
const VERSION_MS_MAX = 5_000;
const VERSION_CHARS_MAX = 100;

/** What this worker has of what tools may need, looked for once. Never rejects. */
export async function workerEngines(capabilities: CapabilityFamilies, path: string): Promise<EngineFact[]> {
  const families = Object.keys(CAPABILITY_PERMISSIONS)
    .filter(isCapability)
    .map((engine) => {
      const available = capabilities[engine] !== undefined;
      return { engine, available, detail: available ? "" : "This worker was started without it." };
    });
  const programs = Object.entries(PROGRAMS).map(([engine, names]) => program(engine, names, path));
  return [...families, ...(await Promise.all(programs))];
}

async function program(engine: string, names: readonly string[], path: string): Promise<EngineFact> {
  for (const name of names) {
    const file = await findOnPath(name, path);
    if (file !== null) return { engine, available: true, detail: await versionOf(file) };
  }
  return { engine, available: false, detail: `There is no ${names.join(" or ")} on the worker's PATH.` };
}

/** What it says of itself; its place where it says nothing in time. It gets no environment, as nothing of the worker's is its own. */
async function versionOf(file: string): Promise<string> {
  const run = promisify(execFile);
  try {
    const { stdout } = await run(file, ["--version"], {
      env: {},
      timeout: VERSION_MS_MAX,
      killSignal: "SIGKILL",
    });
    const [line = ""] = stdout.split("\n", 1);
    return line.trim().slice(0, VERSION_CHARS_MAX) || file;
  } catch {
    // It is there all the same; what uses it will say why it does not work.
    return file;
  }
}
