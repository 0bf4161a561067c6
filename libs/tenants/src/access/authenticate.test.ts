import { expect, test } from "vitest";
import { writeAccessToken, type TokenClaims } from "./access-token-text.ts";
import { hashApiKey } from "./api-key-text.ts";
import { authenticate, type AuthenticateDeps } from "./authenticate.ts";
import { accessWorld } from "./fixtures/access-world.ts";
import { beginSession } from "./sessions.ts";

const HOUR_MS = 3_600_000;
const REFUSED = { code: "auth.invalid_key", detail: "No such key; it may have expired or been revoked." };

/** Without login codes, which have tests of their own. */
const begin = (access: AuthenticateDeps, key: string) =>
  beginSession({ ...access, loginCodes: { keep: async () => undefined, take: async () => null } }, { key });

const withAdminKey = (key: string) => ({ ...accessWorld().access, adminKeyHash: hashApiKey(key) });

test.each([
  ["without spaces", "k".repeat(32), `Bearer ${"k".repeat(32)}`],
  ["with spaces in it", "a whole  sentence, as keys go today", "Bearer a whole  sentence, as keys go today"],
  ["of 4,096 characters", "k".repeat(4_096), `Bearer ${"k".repeat(4_096)}`],
  ["behind another spelling of the scheme", "k".repeat(32), `bearer   ${"k".repeat(32)}`],
  ["that looks like an access token", `bht_1.${"k".repeat(32)}`, `Bearer bht_1.${"k".repeat(32)}`],
])("an administrator's key %s is taken", async (_, key, authorization) => {
  expect(await authenticate(withAdminKey(key), { authorization })).toMatchObject({ role: "admin" });
});

test.each([
  ["nothing", undefined, "auth.required"],
  ["no key", "Bearer ", "auth.invalid_key"],
  ["another scheme", `Basic ${"k".repeat(32)}`, "auth.invalid_key"],
  ["only the key's first word", "Bearer a", "auth.invalid_key"],
  ["more than the key", "Bearer a b c", "auth.invalid_key"],
])("a header with %s is refused", async (_, authorization, code) => {
  await expect(authenticate(withAdminKey("a b"), { authorization })).rejects.toMatchObject({ code });
});

/** The world, and a token of its key that is good for an hour. */
function tokenWorld(fields: Partial<TokenClaims> = {}) {
  const { world, access, change } = accessWorld();
  const token = writeAccessToken(access.accessKeys, {
    id: "tok_1",
    tenantId: "ten_1",
    keyId: "key_1",
    goodUntil: new Date(world.now + HOUR_MS),
    operations: ["read"],
    ...fields,
  });
  const ask = () => authenticate(access, { authorization: `Bearer ${token}` });
  return { world, access, change, token, ask };
}

test("a token asks as its key, with its scope and its own end, and reads the store once", async () => {
  const { world, ask, access, token } = tokenWorld({ executions: ["exe_1"] });
  const principal = {
    role: "owner",
    keyId: "key_1",
    tenantId: "ten_1",
    accessToken: { id: "tok_1", operations: ["read"], executions: ["exe_1"] },
    goodUntil: new Date(world.now + HOUR_MS),
  };
  for (let count = 0; count < 3; count += 1) expect(await ask()).toMatchObject(principal);
  expect(await authenticate(access, { accessToken: token })).toMatchObject(principal);
  expect(world).toMatchObject({ reads: 1, used: ["key_1", "key_1", "key_1", "key_1"] });
});

test("a token has the role that its key has now, and lives through another secret of it", async () => {
  const { world, ask, change } = tokenWorld();
  await ask();
  change({ role: "viewer" });
  world.secret = "bh_another";
  expect(await ask()).toMatchObject({ role: "viewer" });
});

test("a token ends with its key, by deletion and by expiry", async () => {
  const { world, ask, change } = tokenWorld();
  await ask();
  change({ expiresAt: new Date(world.now + 1) });
  expect(await ask()).toMatchObject({ goodUntil: new Date(world.now + 1) });
  world.now += 1;
  await expect(ask()).rejects.toMatchObject(REFUSED);
  change(null);
  await expect(ask()).rejects.toMatchObject(REFUSED);
});

test.each<[string, Partial<TokenClaims>, number]>([
  ["whose time is over", {}, HOUR_MS],
  ["of another tenant", { tenantId: "ten_2" }, 0],
  ["of another key", { keyId: "key_2" }, 0],
  ["that says it lives for longer than any", { goodUntil: new Date(Date.UTC(2030, 0, 2, 0, 6)) }, 0],
  ["that has no end", { goodUntil: new Date(Number.NaN) }, 0],
])("a token %s is refused as an unknown key", async (_, claims, laterMs) => {
  const { world, ask } = tokenWorld(claims);
  world.now += laterMs;
  await expect(ask()).rejects.toMatchObject(REFUSED);
});

test("a token whose end is a little further off than any, since clocks differ, is taken", async () => {
  const { ask } = tokenWorld({ goodUntil: new Date(Date.UTC(2030, 0, 2, 0, 4)) });
  expect(await ask()).toMatchObject({ keyId: "key_1" });
});

test("a token begins no session, a key is no token elsewhere, and a session is no key", async () => {
  const { world, access, token } = tokenWorld();
  await expect(begin(access, token)).rejects.toMatchObject(REFUSED);
  await expect(authenticate(access, { accessToken: world.secret })).rejects.toMatchObject(REFUSED);
  const { session } = await begin(access, world.secret);
  await expect(authenticate(access, { authorization: `Bearer ${session}` })).rejects.toMatchObject(REFUSED);
  await expect(authenticate(access, { session: token })).rejects.toMatchObject(REFUSED);
  await expect(authenticate(access, { session: world.secret })).rejects.toMatchObject(REFUSED);
});

test("a session asks as its key for half a day, and no longer than the key's secret", async () => {
  const { world, access, change } = accessWorld();
  const { session, goodUntil } = await begin(access, world.secret);
  expect(goodUntil).toEqual(new Date(world.now + 12 * HOUR_MS));
  const ask = () => authenticate(access, { session });
  expect(await ask()).toMatchObject({ keyId: "key_1", role: "owner", goodUntil });
  expect(await ask()).not.toHaveProperty("accessToken");
  world.now += 12 * HOUR_MS;
  await expect(ask()).rejects.toMatchObject(REFUSED);
  world.now -= 12 * HOUR_MS;
  change({ expiresAt: new Date(world.now + HOUR_MS) });
  expect((await begin(access, world.secret)).goodUntil).toEqual(new Date(world.now + HOUR_MS));
  world.secret = "bh_another";
  change({});
  await expect(ask()).rejects.toMatchObject(REFUSED);
});

test("an administrator's session ends with the administrator's key", async () => {
  const { access } = accessWorld();
  const admin = { ...access, adminKeyHash: hashApiKey("the first") };
  const { session } = await begin(admin, "the first");
  expect(await authenticate(admin, { session })).toMatchObject({ role: "admin" });
  const next = { ...access, adminKeyHash: hashApiKey("the second") };
  await expect(authenticate(next, { session })).rejects.toMatchObject(REFUSED);
});

test("a key in the header goes before a token elsewhere, and that before a session, right or wrong", async () => {
  const { world, access, token } = tokenWorld();
  const { session } = await begin(access, world.secret);
  const authorization = `Bearer ${world.secret}`;
  const asKey = await authenticate(access, { authorization, accessToken: "bht_1.x", session: "x" });
  expect(asKey).not.toHaveProperty("accessToken");
  expect(await authenticate(access, { accessToken: token, session })).toHaveProperty("accessToken");
  const wrong = { authorization: "Bearer other", accessToken: token, session };
  await expect(authenticate(access, wrong)).rejects.toMatchObject(REFUSED);
  await expect(authenticate(access, { accessToken: "", session })).rejects.toMatchObject(REFUSED);
});
