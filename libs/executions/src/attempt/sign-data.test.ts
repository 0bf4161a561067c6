import { createHmac } from "node:crypto";
import type { HeldSecret, HmacRequest, OpenedService } from "@bulkhead/core";
import { expect, it } from "vitest";
import { signData } from "./sign-data.ts";

const secret = (entry: string, field: string, value: string): HeldSecret => ({
  service: "hooks",
  entry,
  field,
  value,
  hosts: [],
  revealed: false,
  inBody: false,
  wholeWordsOnly: false,
});
const about = {
  displayName: null,
  description: null,
  category: null,
  docsUrl: null,
  kind: "api" as const,
  multiEntry: true,
};
const SERVICES: OpenedService[] = [
  {
    ...about,
    name: "hooks",
    entries: [
      { label: "old", isDefault: false, values: {}, secrets: [secret("old", "signing", "key-old")] },
      {
        label: "main",
        isDefault: true,
        values: { base_url: "https://a.example" },
        secrets: [secret("main", "other", "key-other"), secret("main", "api_key", "schlüssel")],
      },
    ],
  },
  { ...about, name: "empty", entries: [] },
];
const ask = (change: Partial<HmacRequest> = {}) =>
  signData(SERVICES, {
    service: "hooks",
    entry: null,
    field: null,
    algorithm: "sha256",
    encoding: "hex",
    data: "größe",
    dataEncoding: "utf8",
    ...change,
  });
const signed = (key: string, algorithm = "sha256", encoding: "hex" | "base64" | "base64url" = "hex") => ({
  ok: true,
  body: createHmac(algorithm, key).update("größe").digest(encoding),
});

it.each<[string, Partial<HmacRequest>, object]>([
  ["api_key of the default entry", {}, signed("schlüssel")],
  ["a field by its name", { field: "other" }, signed("key-other")],
  ["the only secret of another entry", { entry: "old" }, signed("key-old")],
  [
    "another algorithm and encoding",
    { algorithm: "sha512", encoding: "base64" },
    signed("schlüssel", "sha512", "base64"),
  ],
  [
    "sha1 and base64url",
    { algorithm: "sha1", encoding: "base64url" },
    signed("schlüssel", "sha1", "base64url"),
  ],
  ["bytes", { data: Buffer.from("größe").toString("base64"), dataEncoding: "base64" }, signed("schlüssel")],
])("data is signed with %s", (_, change, answer) => {
  expect(ask(change)).toMatchObject(answer);
});

it.each<[Partial<HmacRequest>, string]>([
  [{ service: "unknown" }, 'declares no service "unknown"'],
  [{ service: "empty" }, 'the service "empty" has no entry'],
  [{ entry: "new" }, 'the service "hooks" has no entry "new"'],
  [{ field: "base_url" }, 'no secret "base_url" in its entry "main"'],
  [{ entry: "old", field: "api_key" }, 'no secret "api_key" in its entry "old"'],
])("%j has no key, and the refusal says what is missing", (change, message) => {
  const answer = ask(change);
  expect(answer).toMatchObject({
    ok: false,
    code: "invalid_request",
    message: expect.stringContaining(message),
  });
  expect(JSON.stringify(answer)).not.toMatch(/key-old|key-other|schlüssel/);
});
