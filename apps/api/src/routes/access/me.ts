import { FEATURES, Me, shownAs } from "@bulkhead/contracts";
import type { CapabilityName } from "@bulkhead/core";
import { whoAsks } from "@bulkhead/tenants";
import { hasConsole } from "../../edge/console.ts";
import { ok } from "../../edge/envelope.ts";
import { answers, type ApiScope } from "../../edge/route-schema.ts";

/** What this deployment has beside its REST API. Whoever builds one of these says so here, and nowhere else. */
const HAS: Readonly<Record<Exclude<(typeof FEATURES)[number], "assist">, boolean>> = {
  console: hasConsole(),
  mcp: true,
  files: true,
  data: true,
  memory: true,
  exec: true,
  db: true,
  email: true,
  schedule: true,
  nodes: true,
  gateway: true,
  // Where a worker has one.
  browser: true,
};

/** The feature that tells of a capability's engine. */
const ENGINES = {
  data: "data",
  files: "files",
  memory: "memory",
  shell: "exec",
  db: "db",
  email: "email",
  schedule: "schedule",
  nodes: "nodes",
  gateway: "gateway",
  browser: "browser",
} as const satisfies Record<CapabilityName, keyof typeof HAS>;

/** Whether the engine of a capability is there or may be, as the features tell. */
export const hasEngine = (capability: CapabilityName): boolean => HAS[ENGINES[capability]];

/** Tells whoever asks who that is, and what there is to be used. */
export function meRoute(
  app: ApiScope,
  {
    hasModel,
    hasBrowser,
    ...deps
  }: Parameters<typeof whoAsks>[0] & {
    hasModel: boolean;
    hasBrowser: () => boolean;
  },
): void {
  app.get(
    "/me",
    {
      config: { action: "me.read" },
      schema: {
        tags: ["access"],
        summary: "Who am I: the key that asks, its tenant, and what this deployment has",
        response: answers({ 200: Me }),
      },
    },
    async (request) => {
      const { principal } = request;
      const features = { ...HAS, browser: hasBrowser(), assist: hasModel };
      const found = await whoAsks(deps, principal);
      if (!found) {
        const key = { id: principal.keyId, name: principal.keyId, role: principal.role };
        return ok(request, { tenant: null, key, limits: null, settings: null, features });
      }
      const { key, tenant } = found;
      const { id, slug, name, limits, settings } = tenant;
      const shown = { tenant: { id, slug, name }, key: shownAs(Me.shape.key, key, {}) };
      const exec = features.exec && settings.shell.engine !== "off";
      return ok(request, { ...shown, limits, settings, features: { ...features, exec } });
    },
  );
}
