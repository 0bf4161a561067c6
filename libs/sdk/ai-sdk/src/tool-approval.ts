import type { ModelMessage, ToolSet } from "ai";

interface Asked {
  toolCallId: string;
  messages: ModelMessage[];
}

/** Version 7's `toolApproval`: by the name of a tool, whether whoever sits at the loop has to allow a call, and why. */
export type ToolApproval = Record<
  string,
  (input: unknown, asked: Asked) => Promise<{ type: "user-approval"; reason: string } | undefined>
>;

/**
 * The option `toolApproval` of version 7 for a set of tools. Without it version 7 heeds the tools' own `needsApproval`, as
 * version 6 does; by it the request for an approval has a reason to show.
 */
export function toolApprovalOf(tools: ToolSet): ToolApproval {
  const asking = Object.entries(tools).flatMap(([name, { needsApproval }]) =>
    needsApproval === undefined || needsApproval === false ? [] : [{ name, needsApproval }],
  );
  return Object.fromEntries(
    asking.map(({ name, needsApproval }) => [
      name,
      async (input, asked) => {
        const asks =
          needsApproval === true || (await needsApproval(input, { ...asked, context: undefined as never }));
        return asks ? { type: "user-approval", reason: `Calls of ${name} have to be allowed.` } : undefined;
      },
    ]),
  );
}
