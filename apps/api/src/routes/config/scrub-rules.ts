import {
  requireTenant,
  createScrubRule,
  deleteScrubRule,
  listScrubRules,
  type CreateRuleRequest,
  type ScrubRuleDeps,
} from "@bulkhead/tenants";
import { CreateScrubRule, Deleted, ScrubRule, ScrubRules, shownAs } from "@bulkhead/contracts";
import type { ScrubRule as Rule } from "@bulkhead/core";
import { ok } from "../../edge/envelope.ts";
import { answers, ScrubRuleParams, type ApiScope } from "../../edge/route-schema.ts";

const tags = ["scrub-rules"];

/** A tenant's rules for covering more than its secrets, and how often each covered something. */
export function scrubRuleRoutes(app: ApiScope, deps: ScrubRuleDeps): void {
  app.post(
    "/scrub-rules",
    {
      config: { action: "config.write" },
      schema: {
        tags,
        summary: "Cover a pattern or a value in all that executions let out",
        body: CreateScrubRule,
        response: answers({ 201: ScrubRule }),
      },
    },
    async (request, reply) => {
      const principal = requireTenant(request.principal, "config.write");
      // The contract lets through exactly one of the two.
      const rule = await createScrubRule(deps, principal, request.body as CreateRuleRequest);
      // No route reads one rule by itself.
      void reply.status(201).header("location", "/api/v1/scrub-rules");
      return ok(request, presentScrubRule(rule));
    },
  );

  app.get(
    "/scrub-rules",
    {
      config: { action: "config.read" },
      schema: {
        tags,
        summary: "List the tenant's rules, and how often what was covered",
        response: answers({ 200: ScrubRules }),
      },
    },
    async (request) => {
      const principal = requireTenant(request.principal, "config.read");
      const { rules, counts } = await listScrubRules(deps, principal);
      return ok(request, { rules: rules.map(presentScrubRule), nextCursor: null, counts });
    },
  );

  app.delete(
    "/scrub-rules/:id",
    {
      config: { action: "config.write" },
      schema: {
        tags,
        summary: "Delete a rule; it covers nothing from the next execution on",
        params: ScrubRuleParams,
        response: answers({ 200: Deleted }),
      },
    },
    async (request) => {
      await deleteScrubRule(deps, requireTenant(request.principal, "config.write"), request.params.id);
      return ok(request, { deleted: true as const });
    },
  );
}

/** A rule as outsiders see it: never its value. */
const presentScrubRule = (rule: Rule) =>
  shownAs(ScrubRule, rule, { kind: rule.pattern === null ? "value" : "pattern" });
