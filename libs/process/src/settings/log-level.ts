import { z } from "zod";

const LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LEVELS)[number];

/** Parts of the product whose log lines may have a level of their own. */
const AREAS = ["http", "queue", "sandbox", "schedules", "sweep", "telemetry"] as const;
export type LogArea = (typeof AREAS)[number];

const LEVEL_DEFAULT: LogLevel = "info";

/**
 * A level for all, and levels for areas, separated by commas: `info,queue=debug,http=warn`. It stays text, as it is handed to
 * other processes; `levelOf` reads it.
 */
export const logLevel = z.string().superRefine((text, context) => {
  const seen = new Set<string>();
  for (const part of partsOf(text)) {
    const { area, level } = readPart(part);
    const isTwice = seen.has(area);
    seen.add(area);
    const message = isTwice ? `${area || "a level for all"} is there twice` : faultOf(area, level);
    if (message !== null) context.addIssue({ code: "custom", message });
  }
});

/** The level of an area; of all that is in none, without `area`. For a text that `logLevel` has taken. */
export function levelOf(text: string, area: LogArea | "" = ""): LogLevel {
  const said = new Map(partsOf(text).map((part) => [readPart(part).area, readPart(part).level]));
  return (said.get(area) ?? said.get("") ?? LEVEL_DEFAULT) as LogLevel;
}

const partsOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

function readPart(part: string): { area: string; level: string } {
  const [first = "", ...rest] = part.split("=");
  return rest.length === 0
    ? { area: "", level: first.trim() }
    : { area: first.trim(), level: rest.join("=").trim() };
}

function faultOf(area: string, level: string): string | null {
  if (area !== "" && !(AREAS as readonly string[]).includes(area))
    return `no such area: ${area}; there are ${AREAS.join(", ")}`;
  if (!(LEVELS as readonly string[]).includes(level))
    return `no such level: ${level}; there are ${LEVELS.join(", ")}`;
  return null;
}
