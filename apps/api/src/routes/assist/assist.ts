import type { draftTool } from "@bulkhead/agents";
import { AssistTool, DraftAnswer } from "@bulkhead/contracts";
import { requireTenant } from "@bulkhead/tenants";
import type { Given } from "../../given.ts";
import { ok } from "../../edge/envelope.ts";
import { leaving } from "../../edge/leaving.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import type { Tools } from "../tools/wire-tools.ts";

export type AssistRouteDeps = Pick<Tools, "showTool"> & {
  draftTool: Given<typeof draftTool>;
  /** Fires when this process stops. */
  stopping: { waits: AbortSignal };
};

/** Tools that a model drafts for a person. */
export function assistRoute(app: ApiScope, { draftTool: draft, showTool, stopping }: AssistRouteDeps): void {
  app.post(
    "/assist/tool",
    {
      config: { action: "tools.write", needsRedis: true },
      schema: {
        tags: ["assist"],
        summary: "Let the model draft a tool, try it out, and leave it to a person's approval",
        body: AssistTool,
        response: answers({
          201: DraftAnswer.describe("A draft passed its checks and its example, and waits for a person."),
          200: DraftAnswer.describe(
            "Nothing was stored: no draft passed, and `attempts` says why, or `store` is false.",
          ),
        }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const left = AbortSignal.any([leaving(reply), stopping.waits]);
      const { tool, warnings, draft: last, attempts, model } = await draft(principal, request.body, left);
      if (tool) void reply.status(201).header("location", `/api/v1/custom-tools/${tool.id}`);
      return ok(request, {
        model,
        repairs: attempts.length - 1,
        attempts,
        draft: last && shownDraft(last),
        tool: tool && (await showTool(tool, warnings)),
      });
    },
  );
}

type Draft = NonNullable<Awaited<ReturnType<typeof draftTool>>["draft"]>;

/** A draft as outsiders see it: the body of a creation, with what the model wrote and who wrote it. */
function shownDraft({ request, example }: Draft) {
  const { held: _held, metadata: _metadata, requiresApproval: _asks, ...said } = request;
  const tool = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
  return { tool, example };
}
