import { contentHash, type ToolDefinition, Fault } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";

/** The columns that `versionOf` fills. */
export const VERSION_FIELDS =
  Prisma.raw(`tool_id, version, code, language, compiled, parameters, output_schema, permissions,
  limits, allowed_hosts, services, pinned, shell, approval_code, content_hash, created_at`);

/** The newest version of `t`: the one that waits, or else the one that it now stands at. */
export const insertVersion = (definition: ToolDefinition): Prisma.Sql =>
  Prisma.sql`INSERT INTO tool_versions (${VERSION_FIELDS}) ${versionOf(definition)} RETURNING *`;

/** A row of it for each row of `t`. */
export function versionOf(definition: ToolDefinition): Prisma.Sql {
  // UTF-8 has no lone surrogates: they would be stored as another character, and other code would run than was checked.
  if (
    !definition.code.isWellFormed() ||
    definition.shell?.template.isWellFormed() === false ||
    definition.approvalCode?.isWellFormed() === false
  ) {
    throw new Fault("request.invalid", { detail: "The code must not contain lone surrogates." });
  }
  return Prisma.sql`
  SELECT id, coalesce(pending_version, version), ${definition.code}::text, ${definition.language}::text, ${definition.compiled}::text,
    ${JSON.stringify(definition.parameters)}::json, ${jsonOrNull(definition.outputSchema)}::json,
    ${[...definition.permissions]}::text[], ${JSON.stringify(definition.limits)}::json,
    ${definition.allowedHosts}::text[], ${[...definition.services]}::text[], ${jsonOrNull(definition.pinned ?? null)}::jsonb, ${jsonOrNull(definition.shell ?? null)}::jsonb, ${definition.approvalCode ?? null}::text, ${contentHash(definition)}::text, updated_at
  FROM t`;
}

export const jsonOrNull = (value: object | null): string | null => value && JSON.stringify(value);
