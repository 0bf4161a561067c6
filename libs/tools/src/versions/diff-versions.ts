import type { Json, RunLimits, ToolHints, ToolVersion } from "@bulkhead/core";
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
  const approvalCode = {
    field: "approvalCode",
    before: from.approvalCode ?? null,
    after: to.approvalCode ?? null,
  };
  return {
    changes: [...offer, ...fields, approvalCode, ...limits].filter(
      ({ before, after }) => !isDeepStrictEqual(before, after),
    ),
    code: from.code === to.code ? null : diffLines(from.code, to.code),
  };
}

const asJson = (said: string | ToolHints | null | undefined): Json => (said ?? null) as Json;
