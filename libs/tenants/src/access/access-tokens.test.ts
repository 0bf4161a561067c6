import type { AuditDeed, TenantRole } from "@bulkhead/core";
import { expect, test } from "vitest";
import { createAccessToken, requireOperation } from "./access-tokens.ts";
import { authenticate, authenticateKey } from "./authenticate.ts";
import { accessWorld } from "./fixtures/access-world.ts";

const RUNS = { operations: ["execute"] } as const;

async function bench(role: TenantRole = "owner") {
  const { world, access, change } = accessWorld();
  change({ role });
  const deeds: AuditDeed[] = [];
  const audit = {
    record: async (_by: unknown, _of: string, ...said: AuditDeed[]) => void deeds.push(...said),
  };
  const principal = await authenticateKey(access, world.secret);
  const make = (scope: Parameters<typeof createAccessToken>[2]["scope"], expiresInSeconds = 60) =>
    createAccessToken({ access, audit }, principal, { scope, expiresInSeconds });
  const ask = (token: string) => authenticate(access, { authorization: `Bearer ${token}` });
  return { world, access, change, deeds, make, ask };
}

test("a token does what was asked for, and the audit log says what that is", async () => {
  const { world, make, ask, deeds } = await bench();
  const scope = { operations: ["execute", "stream"], tools: ["a"], executions: ["exe_1", "exe_2"] } as const;
  const { token, expiresAt } = await make(scope);
  const made = await ask(token);
  expect(made).toMatchObject({ keyId: "key_1", goodUntil: expiresAt, accessToken: scope });
  expect(expiresAt).toEqual(new Date(world.now + 60_000));
  expect(deeds).toEqual([
    {
      action: "access_token.created",
      id: expect.stringMatching(/^tok_[0-9a-f]{16}$/),
      details: {
        operations: ["execute", "stream"],
        tools: ["a"],
        executions: 2,
        expiresAt: expiresAt.toISOString(),
      },
    },
  ]);
  expect(JSON.stringify(deeds)).not.toContain(token);
});

test("a token lives no longer than its key", async () => {
  const { world, make, change } = await bench();
  change({ expiresAt: new Date(world.now + 1_000) });
  expect((await make(RUNS)).expiresAt).toEqual(new Date(world.now + 1_000));
});

test.each<[TenantRole, boolean]>([
  ["owner", true],
  ["developer", true],
  ["agent", true],
  ["viewer", false],
])("a key with the role %s makes tokens that run tools: %s", async (role, may) => {
  const { make } = await bench(role);
  const refused = { code: "request.invalid", errors: [{ path: "scope.operations" }] };
  if (may) await make(RUNS);
  else await expect(make(RUNS)).rejects.toMatchObject(refused);
  await make({ operations: ["read", "stream"], executions: ["exe_1"] });
});

test("a token that could do nothing is refused by the name of what it lacks", async () => {
  const { make } = await bench();
  await expect(make({ operations: ["read"] })).rejects.toMatchObject({
    code: "request.invalid",
    errors: [{ path: "scope.executions" }],
  });
});

test("a token may do what it names and nothing else, and who has none what the role says", async () => {
  const { world, access, make, ask } = await bench();
  const token = await ask((await make(RUNS)).token);
  requireOperation(token, "execute");
  for (const operation of ["read", "stream", null] as const)
    expect(() => requireOperation(token, operation)).toThrow(
      expect.objectContaining({ code: "access_token.out_of_scope", status: 403 }),
    );
  expect(() => requireOperation(token, null, "store")).toThrow(
    expect.objectContaining({
      detail: "No access token may ask for this; store takes a key.",
      errors: [{ path: "store", message: "takes a key" }],
    }),
  );
  const key = await authenticateKey(access, world.secret);
  for (const operation of ["execute", null] as const) requireOperation(key, operation);
  requireOperation({ role: "admin", keyId: "admin" }, null);
});
