import { levelOf, type LogArea } from "../settings/log-level.ts";
import { pino, type DestinationStream, type Logger } from "pino";
import { prettyLines } from "./pretty-lines.ts";
import { shownError } from "./shown-error.ts";

export interface OpenLoggerInput {
  service: "api" | "worker";
  /** As the setting `LOG_LEVEL` has it. */
  levels: string;
  /** Fields of every line. */
  facts?: Record<string, string>;
}

export interface OpenedLogger {
  logger: Logger;
  /** A logger for one part of the product, with that part's level. */
  areaLogger: (area: LogArea) => Logger;
}

/** Log lines on stdout: JSON, and readable ones where that is a terminal. */
export function openLogger({ service, levels, facts = {} }: OpenLoggerInput): OpenedLogger {
  const options = { level: levelOf(levels), name: service, serializers: { err: shownError } };
  const made = process.stdout.isTTY ? pino(options, terminal()) : pino(options);
  const logger = made.child(facts);
  return { logger, areaLogger: (area) => logger.child({ area }, { level: levelOf(levels, area) }) };
}

function terminal(): DestinationStream {
  const pretty = prettyLines(true);
  return { write: (line) => void process.stdout.write(pretty(line.trimEnd())) };
}
