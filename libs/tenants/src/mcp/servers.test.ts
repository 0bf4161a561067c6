import {
  APPROVAL_SETTINGS_DEFAULT,
  Fault,
  TENANT_LIMITS_DEFAULT,
  type McpServer,
  type Principal,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { switchMcpServer } from "./servers.ts";

const OWNER: Principal = {
  role: "owner",
  keyId: "key_1",
  tenantId: "ten_1",
  agentId: null,
  limits: TENANT_LIMITS_DEFAULT,
  limitsAsOf: new Date(0),
  approval: APPROVAL_SETTINGS_DEFAULT,
};

test("a switch that fails at its tools is recorded once, however often it is repeated", async () => {
  const deeds: string[] = [];
  let server = { tenantId: "ten_1", name: "files", url: null, command: "/x", enabled: true, revision: 1 };
  const failures = [new Fault("service.unavailable")];
  const deps = {
    mcpServers: {
      find: async () => server,
      update: async (_key: object, change: Partial<McpServer>) =>
        (server = { ...server, ...change, revision: server.revision + 1 } as typeof server),
    },
    mcpServerTools: {
      switchAll: async () => {
        const failure = failures.pop();
        if (failure) throw failure;
      },
    },
    bridge: { drop: async () => undefined },
    audit: {
      record: async (_by: object, _tenantId: string, { action }: { action: string }) => deeds.push(action),
    },
  } as unknown as Parameters<typeof switchMcpServer>[0];
  const disable = () => switchMcpServer(deps, OWNER, { name: "files" }, false);
  await expect(disable()).rejects.toMatchObject({ code: "service.unavailable" });
  await disable();
  expect(deeds).toEqual(["mcp_server.disabled"]);
});
