import {
  asksPerson,
  isActingMetaTool,
  PASSING_META_TOOLS,
  READING_META_TOOLS,
  type ApprovalSettings,
} from "@bulkhead/core";

type Words = { [Field in "tools" | "rules"]?: ApprovalSettings[Field] | undefined };

/** The settings that can have no effect, each with its place: the tenant learns of them at once. */
export function idleWords({ tools = {}, rules = [] }: Words): { path: PropertyKey[]; message: string }[] {
  const words = [
    ...Object.entries(tools).map(([tool, decision]) => ({ path: ["tools", tool], tool, decision })),
    ...rules.map(({ tool, decision }, index) => ({ path: ["rules", index, "decision"], tool, decision })),
  ];
  return words.flatMap(({ path, tool, decision }) => {
    const message = whyIdle(tool, decision);
    return message === null ? [] : [{ path, message }];
  });
}

function whyIdle(tool: string, decision: string): string | null {
  if (READING_META_TOOLS.some((name) => name === tool))
    return `has no effect: ${tool} only reads, so it is neither asked about nor blocked; leave it out`;
  if (PASSING_META_TOOLS.some((name) => name === tool))
    return `has no effect: the settings of the tool that ${tool} calls decide; leave it out`;
  if (decision === "ask" && isActingMetaTool(tool) && !asksPerson(tool))
    return `has no effect: a call of ${tool} can't wait for a person; say blocked or preApproved`;
  return null;
}
