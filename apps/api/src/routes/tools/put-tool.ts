import { PutTool, PutToolAnswer, PutToolParams } from "@bulkhead/contracts";
import { requireTenant } from "@bulkhead/tenants";
import { PutIf, readPutCondition, tagAnswer } from "../../edge/entity-tags.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";
import { invalidField } from "../../edge/validate.ts";
import { creationOf } from "./custom-tools.ts";
import type { Tools } from "./wire-tools.ts";

export type PutToolRouteDeps = Pick<Tools, "putTool" | "showTool">;

/** Makes the tool of a name what the body says, whether there is one or not. */
export function putToolRoute(app: ApiScope, { putTool, showTool }: PutToolRouteDeps): void {
  app.put(
    "/custom-tools/:id",
    {
      config: { action: "tools.write" },
      schema: {
        tags: ["custom-tools"],
        summary:
          "Create the tool of this name, or make it what the body says; the same again changes nothing",
        params: PutToolParams,
        headers: PutIf,
        body: PutTool,
        response: answers({ 200: PutToolAnswer, 201: PutToolAnswer }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { id: name } = request.params;
      const { name: said = name } = request.body;
      if (said !== name) throw invalidField("name", "must be the name in the path, or left out");
      const condition = readPutCondition(request.headers);
      const creation = creationOf({ ...request.body, name });
      const { tool, warnings, outcome } = await putTool(principal, creation, condition);
      if (outcome === "created") void reply.status(201).header("location", `/api/v1/custom-tools/${tool.id}`);
      const shown = await showTool(tool, warnings);
      tagAnswer(reply, tool, shown);
      return ok(request, { ...shown, changed: outcome !== "unchanged" });
    },
  );
}
