import type { Bulkhead } from "@bulkhead/client";

const string = { type: "string" };

/** A tool that reaches out, whose newer version does more than the one before. */
const REORDER = {
  name: "reorder_parts",
  description: "Orders parts from the supplier's shop, and writes the order into the workspace.",
  parameters: {
    type: "object",
    properties: { part: string, pieces: { type: "integer" }, express: { type: "boolean" } },
    required: ["part", "pieces"],
  },
  requiresApproval: true,
  permissions: ["network" as const, "filesystem" as const],
  allowedHosts: ["shop.example.com"],
  requiredApiKeys: [{ name: "parts_shop", displayName: "Parts shop" }],
  annotations: { destructiveHint: true },
  code: "const order = { part: args.part, pieces: args.pieces };\nreturn { ordered: order };",
};

const ORDER = { part: "M8 hex bolt, zinc plated", pieces: 1_200, express: true };

/** What an agent wants to make. */
const PROPOSED = {
  name: "stock_at",
  description: "Tells how many pieces of a part lie in a warehouse.",
  parameters: { type: "object", properties: { part: string, warehouse: string }, required: ["part"] },
  permissions: ["network" as const],
  code: "const answer = await fetch('https://stock.example.com/' + encodeURIComponent(args.part));\nreturn await answer.json();",
};

/** Calls of an agent's that wait, were answered, and are allowed for good; gives the ids of those to look at. */
export async function seedApprovals(
  owner: Bulkhead,
  agent: Bulkhead,
): Promise<{ waiting: string; denied: string; allowed: string; proposed: string }> {
  // Longer than all pictures take.
  await owner.settings.update({ approval: { timeoutMs: 1_800_000 } });
  const { id } = await owner.tools.create(REORDER);
  await owner.tools.update(id, {
    code: "const order = { part: args.part, pieces: args.pieces, express: args.express ?? false };\nconsole.log('ordering', order.part);\nreturn { ordered: order };",
    allowedHosts: ["shop.example.com", "express.example.com"],
  });
  const ask = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const context = { conversationId: "conv_7Q2", userId: "lena" };
    const { executionId } = await agent.tools.execute(tool, { arguments: args, context, mode: "async" });
    return (await owner.approvals.get(executionId)).id;
  };
  const denied = await ask("reorder_parts", { part: "Forklift", pieces: 3 });
  await owner.approvals.deny(denied, { reason: "Not by an agent: forklifts are bought once a year." });
  const allowed = await ask("reorder_parts", { part: "M6 nut", pieces: 50 });
  await owner.approvals.allowOnce(allowed, {});
  const always = await ask("customer_lookup", { query: "nordwind" });
  await owner.approvals.allowAlways(always, { argument: "/query", pattern: "nord*" });
  for (const query of ["Nordkap", "Acier"])
    await agent.tools.execute("customer_lookup", { arguments: { query }, mode: "async" });
  const waiting = await ask("reorder_parts", ORDER);
  await agent.metaTools.createTool(PROPOSED);
  const { approvals } = await owner.approvals.list();
  const proposed = approvals.find(({ kind }) => kind === "meta_tool")?.id ?? "";
  return { waiting, denied, allowed, proposed };
}
