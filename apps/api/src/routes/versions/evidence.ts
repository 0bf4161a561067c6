import { requireTenant } from "@bulkhead/tenants";
import { TryVersion, VersionEvidence } from "@bulkhead/contracts";
import { ok } from "../../edge/envelope.ts";
import { answers, VersionParams, type ApiScope } from "../../edge/route-schema.ts";
import { presentEvidence } from "./present-evidence.ts";
import type { Tools } from "../tools/wire-tools.ts";
import type { Calls } from "../executions/wire-executions.ts";

export type EvidenceRouteDeps = Pick<Tools, "getVersion" | "readEvidence"> & Pick<Calls, "rehearseVersion">;

const tags = ["custom-tools"];

/** A person decides about a version by its evidence, and may try it out once more. */
export function evidenceRoutes(app: ApiScope, deps: EvidenceRouteDeps): void {
  app.get(
    "/custom-tools/:id/versions/:n/evidence",
    {
      config: { action: "tools.read" },
      schema: {
        tags,
        summary: "What a version may do, what grew, what its dry runs did, and who asked for it",
        params: VersionParams,
        response: answers({ 200: VersionEvidence }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "tools.read");
      const { id, n } = request.params;
      return ok(request, presentEvidence(await deps.readEvidence(principal, id, n)));
    },
  );

  app.post(
    "/custom-tools/:id/versions/:n/evidence",
    {
      config: { action: "tools.write", needsRedis: true },
      schema: {
        tags,
        summary: "Try a version out once more, with every effect refused; the evidence shows how it went",
        params: VersionParams,
        body: TryVersion,
        response: answers({ 202: VersionEvidence }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "tools.write");
      const { id, n } = request.params;
      const { tool, version } = await deps.getVersion(principal, id, n);
      const given = request.body?.arguments ?? null;
      await deps.rehearseVersion(principal, { tool, version: n, definition: version }, given);
      void reply.status(202);
      return ok(request, presentEvidence(await deps.readEvidence(principal, id, n)));
    },
  );
}
