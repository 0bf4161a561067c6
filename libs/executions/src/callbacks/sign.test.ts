import { expect, test } from "vitest";
import { mirrorVault, sampleClaimed, secretOf } from "./fixtures/deliveries.ts";
import { keysOf, signatureOf } from "./sign.ts";
import { readSigningSecret, writeSigningSecret } from "./signing-secret.ts";

test("a message is signed as the published example of the scheme is", () => {
  const key = readSigningSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signatureOf(message, [key ?? new Uint8Array()])).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("each key signs, the first one first", () => {
  const message = { id: "dlv_1", timestamp: 1, body: "{}" };
  const [one, two] = [secretOf(1), secretOf(2)];
  expect(signatureOf(message, [two, one])).toBe(
    `${signatureOf(message, [two])} ${signatureOf(message, [one])}`,
  );
});

test("the tenant's generations sign, unless the caller gave a secret", async () => {
  expect(await keysOf(mirrorVault, sampleClaimed({ generations: [3, 2] }))).toEqual([
    secretOf(3),
    secretOf(2),
  ]);
  const sealedSecret = await mirrorVault.seal(writeSigningSecret(secretOf(9)), { tenantId: "", purpose: "" });
  const keys = await keysOf(mirrorVault, sampleClaimed({ generations: [3, 2], sealedSecret }));
  expect(keys.map((key) => Buffer.from(key))).toEqual([Buffer.from(secretOf(9))]);
});

test("what opens to no secret signs nothing", async () => {
  const keys = keysOf(mirrorVault, sampleClaimed({ sealedSecret: "nonsense" }));
  await expect(keys).rejects.toMatchObject({ code: "vault.unreadable" });
});
