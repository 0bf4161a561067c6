import { REDACTED } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { openScrubbers } from "./open-scrubbers.ts";
import { secretParts } from "./secret-parts.ts";

const KUBECONFIG = `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t
    server: https://kube.internal.example:6443
  name: cluster-1
current-context: admin@cluster-1
users:
- name: admin
  user:
    username: admin-user
    password: "Regen-Schirm41" # turned in May
    token: eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9`;

describe("what is a secret by itself in a value that is more", () => {
  test.each<[string, string, string[]]>([
    ["a URL's password", "postgresql://app:Wald-Meister55@db/x", ["app:Wald-Meister55", "Wald-Meister55"]],
    [
      "a URL's password with escapes",
      "amqp://app:Wald%2FMeister55@mq.example:5672/%2f",
      ["app:Wald%2FMeister55", "app:Wald/Meister55", "Wald%2FMeister55", "Wald/Meister55"],
    ],
    ["a URL's key", "https://k3y0fSentry99@o1.ingest.example/7", ["k3y0fSentry99"]],
    ["a member of JSON", '{"password":"Regen-Schirm41"}', ["Regen-Schirm41"]],
    ["words under a secret's name", '{"db":{"password":"correct-horse-battery"}}', ["correct-horse-battery"]],
    ["made up under any name", '{"hosts":["db.example"],"pin":"Regen-Schirm41"}', ["Regen-Schirm41"]],
    ["a URL in JSON", '{"dsn":"redis://:Quell-Nymphe7@cache:6379"}', [":Quell-Nymphe7", "Quell-Nymphe7"]],
    ["KEY=value", "DB_PASSWORD=Xw9-pond-Kranich", ["Xw9-pond-Kranich"]],
    ["export with quotes", "export API_TOKEN='abcdefgh ijkl'", ["abcdefgh ijkl"]],
    ["a connection string", "Server=db.example;User=app;Password=long-enough-1;", ["long-enough-1"]],
    ["a header's token", "Bearer all-small-letters", ["all-small-letters"]],
    [
      "a header's user and password",
      "Basic c3ZjLXVzZXI6VHVybS1GYWxrZTkzeA==",
      ["c3ZjLXVzZXI6VHVybS1GYWxrZTkzeA==", "svc-user:Turm-Falke93x", "Turm-Falke93x"],
    ],
    ["user:password", "svc-user:all-small-letters", ["all-small-letters"]],
    ["a user's name and a password", "svc-user\nTurm-Falke93x", ["Turm-Falke93x"]],
    ["the same of small letters, with other line ends", "svc-user\r\nturmfalke-klein", ["turmfalke-klein"]],
    ["lines", "first Line 7\nTurm-Falke93x\n\nx", ["Turm-Falke93x"]],
    [
      "a kubeconfig",
      KUBECONFIG,
      ["LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0t", "Regen-Schirm41", "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMyJ9"],
    ],
    [
      "a key in JSON",
      JSON.stringify({ type: "service_account", private_key: "-----BEGIN-----\nMIIEvQIBADANBgkqhkiG9w0B\n" }),
      ["-----BEGIN-----\nMIIEvQIBADANBgkqhkiG9w0B", "MIIEvQIBADANBgkqhkiG9w0B"],
    ],
  ])("%s", (_, value, parts) => {
    expect(secretParts(value)).toEqual(parts);
  });

  test.each([
    "Regen-Schirm41",
    "https://db.example/path?x=1",
    '{"admin":true,"user":"administrator","host":"db-1.internal.example","mail":"Someone1@example.com"}',
    "host=db-1.internal.example",
    "localhost:5432",
    "Server=tcp:db.example,1433;Encrypt=true",
    "{ no JSON",
    "[".repeat(20_000),
    `${'{"a":'.repeat(5_000)}"Regen-Schirm41"${"}".repeat(5_000)}`,
  ])("and what is none stays: %.40s", (value) => {
    expect(secretParts(value)).toEqual([]);
  });

  test("so many at most, of whatever size, in a moment", () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `Line-${n}-of-Keys`).join("\n");
    expect(secretParts(lines)).toHaveLength(64);
    for (const text of ["a:".repeat(16_000), "a://".repeat(8_000), " ".repeat(32_000), "a".repeat(32_000)])
      expect(secretParts(text)).toEqual([]);
  });
});

describe("a part is covered where it stands alone", () => {
  const covered = (value: string, text: string): string =>
    openScrubbers()
      .open({ needles: [{ value, wholeWordsOnly: false }], patterns: [] })
      .text(text);

  test.each([
    [
      "postgresql://app:Wald-Meister55@db/x",
      "login with Wald-Meister55 failed",
      `login with ${REDACTED} failed`,
    ],
    ['{"password":"Regen-Schirm41"}', '["Regen-Schirm41"]', `["${REDACTED}"]`],
    ["DB_PASSWORD=Xw9-pond-Kranich", "Xw9-pond-Kranich", REDACTED],
    ["svc-user\nTurm-Falke93x", "Turm-Falke93x for svc-user", `${REDACTED} for svc-user`],
    ["svc-user\nTurm-Falke93x", "svc-user\r\nTurm-Falke93x", REDACTED],
    ["one of\nthree small\nlines", "<one of three small lines>", `<${REDACTED}>`],
    ["one of\r\nthree small\r\nlines", String.raw`one of\nthree small\nlines`, REDACTED],
    [KUBECONFIG, "kube.internal.example as admin-user", "kube.internal.example as admin-user"],
  ])("%.30j: %j", (value, text, left) => {
    expect(covered(value, text)).toBe(left);
  });
});
