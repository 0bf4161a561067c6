import type { ToolDefinition } from "@bulkhead/core";
import { takeOffFence } from "../code-check/take-off-fence.ts";
import { invalidCode } from "./check-code.ts";
import { inspectedCode } from "./inspected-code.ts";
import type { ToolDeps } from "./tool-deps.ts";

/**
 * The code to run if it differs from the source, else null: without a fence of Markdown around it, without types, and with
 * a call if it is a whole function. Throws `tool.code_invalid` with the place in the source, and `service.unavailable`.
 */
export async function compileCode(
  { stripper }: Pick<ToolDeps, "stripper">,
  { tenantId }: { tenantId: string },
  { language, code }: Pick<ToolDefinition, "language" | "code">,
): Promise<string | null> {
  const text = takeOffFence(code);
  const plain = language === "javascript" ? text : await strip(stripper, tenantId, text);
  const { faults, runs, uncalled } = inspectedCode(plain);
  if (uncalled !== null) throw invalidCode([uncalled]);
  if (runs !== null) return runs;
  const [fault] = faults;
  if (language === "javascript" && fault?.rule === "syntax" && (await isTypeScript(stripper, tenantId, text)))
    throw invalidCode([{ ...fault, message: `${fault.message} ${TYPES_ADVICE}` }]);
  return language === "javascript" && plain === code ? null : plain;
}

const TYPES_ADVICE = "The code holds types: leave them out, or make it a tool whose language is typescript.";

/** Whether it is the types alone that keep code from compiling. */
async function isTypeScript(
  stripper: ToolDeps["stripper"],
  tenantId: string,
  text: string,
): Promise<boolean> {
  const stripped = await stripper.strip(tenantId, text);
  if (!stripped.ok || stripped.code === text) return false;
  const { faults, runs } = inspectedCode(stripped.code);
  return runs !== null || faults.every(({ rule }) => rule !== "syntax");
}

async function strip(stripper: ToolDeps["stripper"], tenantId: string, text: string): Promise<string> {
  const stripped = await stripper.strip(tenantId, text);
  if (stripped.ok) return stripped.code;
  throw invalidCode([stripped.fault]);
}
