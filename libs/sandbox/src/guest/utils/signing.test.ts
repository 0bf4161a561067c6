import { beforeEach, expect, it, vi } from "vitest";
import { onAnswered, onRefused } from "../effects.ts";
import { hmac } from "./signing.ts";

const bridge = vi.hoisted(() => ({
  post: vi.fn<(operation: string, id: number, text: string, more: string) => void>(),
  ask: () => "null",
}));
vi.mock("../bridge.ts", () => bridge);
beforeEach(() => bridge.post.mockReset());

/** The request to the worker, which answers with a signature. */
async function signed(...call: Parameters<typeof hmac>) {
  const signature = hmac(...call);
  const [operation, id, head, data] = bridge.post.mock.calls[0] ?? [];
  onAnswered(id ?? 0, "{}", "5ig");
  expect(await signature).toBe("5ig");
  return { operation, data, ...(JSON.parse(head ?? "{}") as object) };
}

const PLAIN = { kind: "hmac", service: "a", entry: null, field: null, algorithm: "sha256", encoding: "hex" };

it("a text goes to the worker as it is, bytes as base64, and no key with them", async () => {
  expect(await signed("a", "größe")).toEqual({ ...PLAIN, operation: "sign", data: "größe" });
  bridge.post.mockReset();
  expect(await signed("a", new Uint8Array([255, 0]).buffer)).toEqual({
    ...PLAIN,
    operation: "sign64",
    data: "/wA=",
  });
});

it("options name the secret, the algorithm and the encoding, in any case", async () => {
  const options = { entry: "e", field: "f", algorithm: "SHA512", encoding: "base64URL" } as object;
  expect(await signed("a", "", options)).toMatchObject({
    entry: "e",
    field: "f",
    algorithm: "sha512",
    encoding: "base64url",
  });
});

it("a refusal rejects with its code", async () => {
  const signature = hmac("a", "x");
  onRefused(bridge.post.mock.calls[0]?.[1] ?? 0, "invalid_request", "no such key");
  await expect(signature).rejects.toMatchObject({ code: "invalid_request", message: "no such key" });
});

it.each<[unknown[], string]>([
  [["a", {}], "utils.hmac: data must be a string"],
  [[{}, "x"], "utils.hmac: service must be a string"],
  [["a", "x", { algorithm: "md5" }], "utils.hmac: algorithm must be one of sha256, sha1, sha512"],
  [["a", "x", { encoding: "utf8" }], "utils.hmac: encoding must be one of hex, base64, base64url"],
  [["a", "x", null], "utils.hmac: options must be an object"],
])("%j asks nothing of the worker", async (call, message) => {
  await expect(hmac(...(call as Parameters<typeof hmac>))).rejects.toThrow(message);
  expect(bridge.post).not.toHaveBeenCalled();
});
