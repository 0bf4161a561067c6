import {
  CAPABILITY_PERMISSIONS,
  type CapabilityFamilies,
  type EngineFact,
  isCapability,
} from "@bulkhead/core";
import type { FoundBrowser } from "@bulkhead/tools/built-in";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { FoundSpeaker } from "./media-settings.ts";

/** A program that is there tells its version within this, in milliseconds, or is taken as it is. */
const VERSION_MS_MAX = 5_000;
const VERSION_CHARS_MAX = 100;

/** What this worker has of what tools may ask for, and of the programs that some work by. Never rejects. */
export async function workerEngines(
  capabilities: CapabilityFamilies,
  chromium: FoundBrowser,
  speaker: FoundSpeaker,
): Promise<EngineFact[]> {
  const browser =
    "missing" in chromium
      ? { available: false, detail: `There is no Chromium to be used: ${chromium.missing}.` }
      : { available: true, detail: chromium.version };
  const families = Object.keys(CAPABILITY_PERMISSIONS)
    .filter(isCapability)
    .map((engine) => {
      // One that has no browser itself reaches those of others, and must not be taken for one that has.
      const available = engine === "browser" ? browser.available : capabilities[engine] !== undefined;
      return { engine, available, detail: available ? "" : "This worker was started without it." };
    });
  return [
    ...families,
    { engine: "chromium", ...browser },
    { engine: "resvg", available: true, detail: "" },
    { engine: "espeak_ng", ...(await speakerFact(speaker)) },
  ];
}

async function speakerFact(found: FoundSpeaker): Promise<Omit<EngineFact, "engine">> {
  if ("missing" in found) return { available: false, detail: `espeak-ng can't be used: ${found.missing}.` };
  const { file } = found;
  try {
    const how = { env: {}, timeout: VERSION_MS_MAX, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(file, ["--version"], how);
    const [line = ""] = stdout.split("\n", 1);
    return { available: true, detail: line.trim().slice(0, VERSION_CHARS_MAX) || file };
  } catch {
    // It is there all the same; what uses it will say why it does not work.
    return { available: true, detail: file };
  }
}
