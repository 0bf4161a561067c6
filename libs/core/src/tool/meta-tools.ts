import type { ApprovalSettings } from "../approval/approval.ts";
import { CONFIRMED_META_TOOLS, type ConfirmedMetaTool } from "../approval/meta-tool-approval.ts";

/** The meta-tools that act, each with the setting that decides on an agent's call where nothing names it. */
const ACTING = {
  create_tool: "metaTools",
  delete_custom_tool: "metaTools",
  update_tool: "metaTools",
  toggle_custom_tool: "metaTools",
  // It changes no tool: it is a run, like a call of any tool.
  run_code: "default",
} as const satisfies Record<string, keyof ApprovalSettings>;

export type ActingMetaTool = keyof typeof ACTING;

/** The call of a meta-tool as a tenant's policy looks at it: the arguments without the context. */
export interface ActingCall {
  name: ActingMetaTool;
  arguments: object;
}

/** Meta-tools that only read; no policy decides on them. */
export const READING_META_TOOLS = ["list_custom_tools", "search_tools", "describe_tools"] as const;

/** Meta-tools that pass a call on, on which the policy decides as on a direct one. */
export const PASSING_META_TOOLS = ["call_tool"] as const;

export const isActingMetaTool = (name: string): name is ActingMetaTool => Object.hasOwn(ACTING, name);
export const settledBy = (name: ActingMetaTool) => ACTING[name];

/** Whether a call of it can wait for a person; the others go on or are blocked. */
export const asksPerson = (name: ActingMetaTool): name is ConfirmedMetaTool =>
  CONFIRMED_META_TOOLS.some((confirmed) => confirmed === name);

/** Every meta-tool. */
export const META_TOOL_NAMES: readonly string[] = [
  ...Object.keys(ACTING),
  ...READING_META_TOOLS,
  ...PASSING_META_TOOLS,
];
