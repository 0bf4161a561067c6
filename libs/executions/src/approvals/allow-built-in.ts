import {
  COMMAND_PATTERN_CHARS_MAX,
  exactRule,
  type Approval,
  type ArgumentPattern,
  type JsonObject,
  type NewRule,
  type ProvidedTool,
  Fault,
} from "@bulkhead/core";
import { BUILT_IN_TOOLS } from "@bulkhead/tools/built-in";
import { commandOf } from "../submit/built-in-tool.ts";

/** The tool of the platform's that a waiting call is of; null where it is of a stored one, or this build has none of the name. */
export const builtInOf = ({ toolId, toolName }: Approval): ProvidedTool | null =>
  toolId === null ? (BUILT_IN_TOOLS.find(({ name }) => name === toolName) ?? null) : null;

/**
 * What "allow always" adds to the tenant's settings where the call is of a tool of the platform's, of which there are no
 * versions: of a command exactly the line that was shown, of another tool the calls that match. Throws `request.invalid`.
 */
export function newRule({ toolName, arguments: args }: Approval, pattern: ArgumentPattern | null): NewRule {
  const line = commandOf(toolName, args);
  if (line === null) {
    const { argument, pattern: glob } = pattern ?? { argument: null, pattern: "*" };
    return { rule: { tool: toolName, argument, pattern: glob, decision: "preApproved" } };
  }
  if (pattern !== null)
    throw refused(
      "pattern",
      "can't be given: a command is remembered exactly as it stands; a wider rule goes into approval.commands of the settings",
    );
  if (!line.isBare)
    throw refused("pattern", "a command that is given an input can't be remembered; allow it once");
  if (line.command.length > COMMAND_PATTERN_CHARS_MAX)
    throw refused(
      "pattern",
      `a command of more than ${COMMAND_PATTERN_CHARS_MAX} characters can't be remembered; allow it once`,
    );
  return { command: exactRule(line.command, line.cwd) };
}

/** The service is the call's own since it was made. Throws `request.invalid` where the changed arguments name another one. */
export function requireSameService(
  { serviceArgument }: Pick<ProvidedTool, "serviceArgument">,
  { arguments: asked }: Approval,
  changed: JsonObject,
): void {
  if (serviceArgument === undefined || changed[serviceArgument] === asked[serviceArgument]) return;
  throw refused(
    `arguments.${serviceArgument}`,
    "can't be changed: the call may use the service that it was made with alone; deny it, so that another one is made",
  );
}

function refused(path: string, message: string): Fault {
  return new Fault("request.invalid", { detail: `${path}: ${message}.`, errors: [{ path, message }] });
}
