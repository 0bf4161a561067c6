import type { ToolDefinition } from "@bulkhead/domain";
import { invalidCode } from "./check-code.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * What runs of the code where that is not what was written, else null. Throws `tool.code_invalid` with the place in what
 * was written, and `service.unavailable`.
 */
export async function compileCode(
  { stripper }: Pick<ToolDeps, "stripper">,
  { tenantId }: { tenantId: string },
  { language, code }: Pick<ToolDefinition, "language" | "code">,
): Promise<string | null> {
  if (language === "javascript") return null;
  const stripped = await stripper.strip(tenantId, code);
  if (stripped.ok) return stripped.code;
  throw invalidCode([stripped.fault]);
}
