import type {
  BuiltInToolName,
  CapabilityRequest,
  CodeCapability,
  JsonObject,
  OpenedService,
  ProvidedTool,
} from "@bulkhead/core";
import { BUILT_IN_TOOLS } from "./built-in-tools.ts";

/** The tool that does what an operation does; of a family with one tool, whatever it is asked. */
const TOOL_OF: Readonly<Record<CodeCapability, BuiltInToolName | Readonly<Record<string, BuiltInToolName>>>> =
  {
    data: {
      get: "data_get",
      put: "data_put",
      increment: "data_put",
      query: "data_query",
      count: "data_query",
      remove: "data_remove",
      list_goals: "goals",
      create_goal: "goals",
      update_goal: "goals",
      complete_goal: "goals",
      remove_goal: "goals",
    },
    files: {
      read: "read_file",
      show: "read_file",
      list: "list_files",
      glob: "glob",
      search: "search",
      stat: "file_info",
      exists: "file_exists",
      write: "write_file",
      append: "write_file",
      edit: "edit_file",
      move: "move_file",
      remove: "delete_file",
      skills: "skill_search",
    },
    shell: {
      exec: "exec",
      start: "process",
      list: "process",
      output: "process",
      write: "process",
      stop: "process",
    },
    db: "database_query",
    email: "message",
    schedule: "cron",
  };

/** Of a tool with several actions, each is an operation. */
const ACTING: ReadonlySet<BuiltInToolName> = new Set(["goals", "process", "cron"]);

/** The argument of a tool that an operation has as its content. */
const CONTENT_OF: Readonly<Partial<Record<BuiltInToolName, string>>> = {
  write_file: "content",
  exec: "stdin",
  process: "stdin",
};

type Asked = Pick<CapabilityRequest, "operation" | "arguments" | "content">;

/**
 * What a tool's own code asks of a capability, as the call of a built-in tool that asks for the same: what is said of that call is said of
 * this. Null for an operation that no tool does.
 */
export function asToolCall(
  family: CodeCapability,
  { operation, arguments: args, content }: Asked,
  services: readonly Pick<OpenedService, "name" | "kind">[],
): { tool: ProvidedTool; args: JsonObject } | null {
  const of = TOOL_OF[family];
  const name = typeof of === "string" ? of : Object.hasOwn(of, operation) ? of[operation] : undefined;
  const tool = BUILT_IN_TOOLS.find((known) => known.name === name);
  if (name === undefined || tool === undefined) return null;
  const contentName = CONTENT_OF[name];
  return {
    tool,
    args: {
      ...args,
      ...(ACTING.has(name) && { action: operation.replace(/_goals?$/, "") }),
      ...(contentName !== undefined && content !== null && { [contentName]: textOf(content) }),
      ...(name === "message" && messageOf(args, services)),
    },
  };
}

const textOf = (content: string | Uint8Array): string =>
  typeof content === "string" ? content : Buffer.from(content).toString();

/** The channel that a mail goes by where the run has only one, and all whom it reaches. */
function messageOf(
  { channel, to, cc = [], bcc = [] }: JsonObject,
  services: readonly Pick<OpenedService, "name" | "kind">[],
): JsonObject {
  const [only, ...others] = services.filter(({ kind }) => kind === "smtp");
  const all = [to ?? [], cc, bcc].flat();
  return {
    ...(channel === undefined && only !== undefined && others.length === 0 && { channel: only.name }),
    ...(all.length > 0 && { to: typeof to === "string" && all.length === 1 ? to : all }),
  };
}
