import { expect, test } from "vitest";
import { install } from "./support/chart.ts";
import { isValid } from "./support/values.ts";

const everything = {
  existingSecret: "bulkhead-secrets",
  keda: { enabled: true },
  serviceMonitor: { enabled: true },
};

/** A name that a Service may have. */
const SERVICE = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

// Helm takes names of 53 characters, with dots in them.
test.each([
  "blue",
  "b".repeat(53),
  "blue.green",
  `b.${"g".repeat(51)}`,
  `${"b".repeat(45)}--${"b".repeat(6)}`,
])("the release %s has names that Kubernetes takes", (release) => {
  const { manifests } = install(everything, release);
  expect(manifests.length).toBeGreaterThan(10);
  for (const { metadata } of manifests) expect(metadata.name).toMatch(SERVICE);
});

test("a release whose Services could have no name is refused", () => {
  expect(() => install(everything, "1blue")).toThrow("the release's name must begin with a letter");
});

test("fewer workers at most than at least are refused", () => {
  const keda = (minReplicas: number, maxReplicas: number) =>
    install({ ...everything, keda: { enabled: true, minReplicas, maxReplicas } });
  expect(() => keda(10, 9)).toThrow("keda.minReplicas must not be above keda.maxReplicas");
  expect(() => keda(9, 9)).not.toThrow();
});

test.each<[string, Record<string, unknown>]>([
  ["a window over an hour", { keda: { cooldownSeconds: 3_601 } }],
  ["a budget in words", { podDisruptionBudget: { maxUnavailable: "some" } }],
  ["a budget over all", { podDisruptionBudget: { maxUnavailable: "101%" } }],
  ["a budget below none", { podDisruptionBudget: { maxUnavailable: -1 } }],
  ["a number as a budget's text", { podDisruptionBudget: { maxUnavailable: "1" } }],
  ...["10.0.0.0", "10.0.0.0/33", "10.0.0/8", "256.0.0.0/8", "0.0.0.0/0", "fc00::/7", "private"].map(
    (range): [string, Record<string, unknown>] => [
      `${range} of IPv4`,
      { networkPolicy: { exceptV4: [range] } },
    ],
  ),
  ...["fc00::", "fc00::/129", "::/0", "1::2::3/64", "1:2:3/48", "10.0.0.0/8", "fe80::%1/10"].map(
    (range): [string, Record<string, unknown>] => [
      `${range} of IPv6`,
      { networkPolicy: { exceptV6: [range] } },
    ],
  ),
])("%s is refused", (_, values) => {
  expect(isValid(values)).toBe(false);
});

test.each<Record<string, unknown>>([
  { keda: { cooldownSeconds: 3_600 } },
  { podDisruptionBudget: { maxUnavailable: "25%" } },
  { podDisruptionBudget: { maxUnavailable: "100%" } },
  { podDisruptionBudget: { maxUnavailable: 2 } },
  { networkPolicy: { exceptV4: ["203.0.113.7/32", "128.0.0.0/1"], exceptV6: [] } },
  {
    networkPolicy: { exceptV4: [], exceptV6: ["2001:DB8::1/128", "::1/128", "1:2:3:4:5:6:7:8/64", "1::8/1"] },
  },
])("%j is taken", (values) => {
  expect(isValid(values)).toBe(true);
});
