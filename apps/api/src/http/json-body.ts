import { BODY_DEPTH_MAX } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/faults";
import { parse } from "secure-json-parse";

/** Parses a body. An empty one is undefined. Throws `request.malformed_json`, or `request.invalid` for one that nests too deep. */
export function parseJsonBody(text: string): unknown {
  if (text === "") return undefined;
  let body: unknown;
  try {
    body = parse(text, { protoAction: "error", constructorAction: "error" });
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "it can't be parsed";
    throw new Fault("request.malformed_json", { detail: `The body is not valid JSON: ${message}.`, cause });
  }
  if (nestsDeeperThan(body, BODY_DEPTH_MAX)) {
    const message = `nests deeper than ${BODY_DEPTH_MAX} levels`;
    throw new Fault("request.invalid", { detail: `The body ${message}.`, errors: [{ path: "", message }] });
  }
  return body;
}

/** Walks level by level, without recursion: what arrives may nest a million levels deep. */
function nestsDeeperThan(value: unknown, depthMax: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return true;
    level = level.flatMap((node) => (isContainer(node) ? Object.values(node).filter(isContainer) : []));
  }
  return false;
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;
