import type { Tool } from "@bulkhead/core";
import { invalidCode } from "./check-code.ts";
import { BUNDLED_APPROVAL } from "../packages/bundled-packages.ts";
import { inspectedCode } from "./inspected-code.ts";

const PATH = "approvalCode";
const RETURNS =
  "It must be the body of a function that returns true or false, such as `return args.amount > 100;`.";

/**
 * Answers the warnings of the code that decides on an approval. Throws `tool.code_invalid`, with each fault at `approvalCode`,
 * as for a tool's own code; and for code that answers nothing, since a person would be asked about every call.
 */
export function checkApprovalCode(code: string): string[] {
  const { faults, runs, uncalled, unreturned, ...named } = inspectedCode(code);
  const place = unreturned ?? (runs !== null || uncalled !== null ? { line: 1, column: 1 } : null);
  // What is a whole function need not compile as a body.
  if (place !== null) throw invalidCode([{ ...place, rule: "unreturned", message: RETURNS }], PATH);
  if (faults.length > 0) throw invalidCode(faults, PATH);
  // What the tool itself uses is in such a bundle too, and is not called.
  if (code.endsWith(BUNDLED_APPROVAL)) return [];
  const { permittedCalls, namedServices, calledTools, undeclared } = named;
  const lacking = [
    ...permittedCalls,
    ...(namedServices.length > 0 ? ["configs of services"] : []),
    ...(calledTools === null || calledTools.length > 0 ? ["utils.callTool"] : []),
    ...undeclared.map(({ name }) => name),
  ];
  if (lacking.length === 0) return [];
  return [
    `approvalCode uses ${lacking.join(", ")}, which it does not have: it sees a call's arguments and context alone, and a person is asked wherever it fails.`,
  ];
}

/** Warns of such code that is never asked. */
export function idleApprovalCode({
  name,
  approvalCode,
  approval,
  requiresApproval,
  createdBy,
}: Pick<Tool, "name" | "approvalCode" | "approval" | "requiresApproval" | "createdBy">): string[] {
  if (approvalCode === undefined) return [];
  const model =
    createdBy === "llm" ? `a model made the tool ${name}, so a person is asked in any case` : null;
  const own = approval === null ? null : `approval: "${approval}" stands above it`;
  const why = model ?? own ?? (requiresApproval ? "requiresApproval stands above it" : null);
  return why === null ? [] : [`approvalCode has no effect: ${why}.`];
}
