import { idOrName, Template, TemplateList } from "@bulkhead/contracts";
import { Fault } from "@bulkhead/core";
import { requireTenant } from "@bulkhead/tenants";
import type { ToolTemplate } from "@bulkhead/tools/templates";
import { z } from "zod";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

export interface TemplateRouteDeps {
  /** Those that come with the product, by name. */
  templates: readonly ToolTemplate[];
}

const tags = ["templates"];
const config = { action: "tools.read" } as const;

/** Tools to begin with, which people and models copy. */
export function templateRoutes(app: ApiScope, { templates }: TemplateRouteDeps): void {
  app.get(
    "/templates",
    {
      config,
      schema: { tags, summary: "Tools to begin with", response: answers({ 200: TemplateList }) },
    },
    async (request) => {
      requireTenant(request.principal, "tools.read");
      return ok(request, { templates: templates.map(summaryOf), nextCursor: null });
    },
  );

  app.get(
    "/templates/:name",
    {
      config,
      schema: {
        tags,
        summary: "One of them, with its files, its examples and the body that creates it",
        params: z.strictObject({ name: idOrName.describe("The template's name.") }),
        response: answers({ 200: Template }),
      },
    },
    async (request) => {
      requireTenant(request.principal, "tools.read");
      const { name } = request.params;
      const template = templates.find((each) => each.name === name);
      if (!template)
        throw new Fault("template.not_found", {
          detail: `There is no template ${name}; GET /api/v1/templates lists them.`,
        });
      return ok(request, presentTemplate(template));
    },
  );
}

/** One of them as outsiders see it. */
export function presentTemplate(template: ToolTemplate) {
  const { needsBundling, tool, files, examples } = template;
  return {
    ...summaryOf(template),
    needsBundling,
    ...(tool === null ? {} : { tool }),
    files,
    examples,
  };
}

/** One of a list, likewise. */
export const summaryOf = ({
  name,
  title,
  description,
  tags: words,
  permissions,
  services,
}: ToolTemplate) => ({
  name,
  title,
  description,
  tags: words,
  permissions,
  services,
});
