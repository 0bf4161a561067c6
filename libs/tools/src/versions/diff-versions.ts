import type { Json, RunLimits, ToolCommand, ToolHints, ToolVersion } from "@bulkhead/core";
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { diffLines, type LineDiff } from "./diff-lines.ts";

/** A field in which two versions differ; `limits.cpuMs` and its like stand alone. */
interface FieldChange {
  field: string;
  before: Json;
  after: Json;
}

export interface VersionDiff {
  /** Of all fields but the code; of a server's tool also of what it says of it beside its schemas. */
  changes: FieldChange[];
  /** Null where the code is the same. */
  code: LineDiff | null;
}

const FIELDS = ["language", "parameters", "outputSchema", "permissions", "allowedHosts", "services"] as const;

/** The changes that make `from` run as `to` does. */
export function diffVersions(from: ToolVersion, to: ToolVersion): VersionDiff {
  const fields = FIELDS.map((field) => ({ field, before: from[field], after: to[field] }));
  const limits = Object.keys(to.limits).map((name) => {
    const key = name as keyof RunLimits;
    return { field: `limits.${key}`, before: from.limits[key], after: to.limits[key] };
  });
  const offer = (["title", "description", "annotations"] as const).map((field) => ({
    field,
    before: asJson(from.pinned?.[field]),
    after: asJson(to.pinned?.[field]),
  }));
  const command = (["template", "workingDirectory", "env"] as const).map((field) => ({
    field: field === "template" ? "command" : field,
    before: commandField(from, field),
    after: commandField(to, field),
  }));
  const approvalCode = {
    field: "approvalCode",
    before: from.approvalCode ?? null,
    after: to.approvalCode ?? null,
  };
  return {
    changes: [...offer, ...fields, ...command, approvalCode, ...limits].filter(
      ({ before, after }) => !isDeepStrictEqual(before, after),
    ),
    code: from.code === to.code ? null : diffLines(from.code, to.code),
  };
}

/** Of variables their names, and a mark of each value, which is sealed. */
const commandField = ({ shell }: ToolVersion, field: keyof ToolCommand): Json =>
  shell === undefined ? null : field === "env" ? marksOf(shell.env) : shell[field];

/** Twice the same value has one sealed text for as long as it is not changed. */
const marksOf = (env: ToolCommand["env"]): Json =>
  Object.fromEntries(
    Object.entries(env).map(([name, sealed]) => [
      name,
      sealed === null ? null : createHash("sha256").update(sealed).digest("hex").slice(0, 8),
    ]),
  );

const asJson = (said: string | ToolHints | null | undefined): Json => (said ?? null) as Json;
