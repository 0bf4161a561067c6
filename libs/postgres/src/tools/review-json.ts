import {
  DRY_RUN_EFFECTS,
  GROWTH_KINDS,
  type Capabilities,
  type DryRunEffect,
  type Growth,
} from "@bulkhead/core";
import { readObject, readPermissions, readRunLimits, type Json } from "../stored-json.ts";

/** A field that is missing or of another shape allows nothing: then more is asked about, never less. */
export function readCapabilities(json: Json): Capabilities {
  const { permissions = [], hosts = [], services = [], tools = [], limits = null } = readObject(json);
  return {
    permissions: readPermissions(Array.isArray(permissions) ? permissions : []),
    hosts: hosts === null ? null : readTexts(hosts),
    services: readTexts(services),
    tools: tools === null ? null : readTexts(tools),
    limits: readRunLimits(limits),
  };
}

/** Kinds that this build does not know are left out. */
export function readGrowth(json: Json): Growth[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry): Growth[] => {
    const { kind: said, target, before, after } = readObject(entry);
    const kind = GROWTH_KINDS.find((known) => known === said);
    if (kind === undefined || typeof target !== "string") return [];
    const limit = typeof before === "number" && typeof after === "number" ? { before, after } : {};
    return [{ kind, target, ...limit }];
  });
}

/** Likewise. */
export function readEffects(json: Json): DryRunEffect[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry): DryRunEffect[] => {
    const { kind: said, target } = readObject(entry);
    const kind = DRY_RUN_EFFECTS.find((known) => known === said);
    return kind === undefined || typeof target !== "string" ? [] : [{ kind, target }];
  });
}

const readTexts = (json: Json): string[] =>
  Array.isArray(json) ? json.filter((entry) => typeof entry === "string") : [];
