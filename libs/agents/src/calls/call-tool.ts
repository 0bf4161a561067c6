import type { CallToolCall } from "@bulkhead/contracts";
import { META_TOOL_NAMES, Fault } from "@bulkhead/core";

/**
 * `call_tool`: the call that it passes on, which is then checked, counted and recorded as the key's own call of that tool.
 * Throws `request.invalid` for a meta-tool, each of which is called under its own name.
 */
export function passedOn({ name, arguments: args, context }: CallToolCall) {
  if (!META_TOOL_NAMES.includes(name)) return { ref: name, arguments: args, context };
  const message = `must be the name of a tool; ${name} is a meta-tool, which is called by itself`;
  throw new Fault("request.invalid", {
    detail: `The body is not valid: name: ${message}.`,
    errors: [{ path: "name", message }],
  });
}
