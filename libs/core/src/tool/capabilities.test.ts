import { describe, expect, test } from "vitest";
import { capabilitiesOf, grownCapabilities, type Capabilities, type Growth } from "./capabilities.ts";
import { RUN_LIMITS_DEFAULT } from "../limit/limits.ts";
import type { ToolDefinition } from "./tool-definition.ts";

const LEAST: Capabilities = {
  permissions: [],
  hosts: [],
  services: [],
  tools: [],
  limits: RUN_LIMITS_DEFAULT,
};

type Change = Partial<Capabilities>;

describe("capabilities grow", () => {
  test.each<[string, Change, Change, Growth[]]>([
    ["not where nothing changes", {}, {}, []],
    [
      "by a permission",
      { permissions: ["network"] },
      { permissions: ["email", "network"] },
      [{ kind: "permission", target: "email" }],
    ],
    ["not by giving one up", { permissions: ["network", "email"] }, { permissions: ["network"] }, []],
    [
      "by a host",
      { hosts: ["a.example"] },
      { hosts: ["a.example", "b.example"] },
      [{ kind: "host", target: "b.example" }],
    ],
    ["by the first host", { hosts: [] }, { hosts: ["a.example"] }, [{ kind: "host", target: "a.example" }]],
    ["by any public host", { hosts: ["a.example"] }, { hosts: null }, [{ kind: "host", target: "*" }]],
    ["not below any public host", { hosts: null }, { hosts: ["a.example", "*.b.example:8443"] }, []],
    ["not where any host stays any", { hosts: null }, { hosts: null }, []],
    [
      "not by a name below a wildcard",
      { hosts: ["*.a.example"] },
      { hosts: ["x.a.example", "x.y.a.example"] },
      [],
    ],
    ["not by a narrower wildcard", { hosts: ["*.a.example"] }, { hosts: ["*.x.a.example"] }, []],
    [
      "by the name above its wildcard",
      { hosts: ["*.a.example"] },
      { hosts: ["a.example"] },
      [{ kind: "host", target: "a.example" }],
    ],
    [
      "by a wildcard over a name",
      { hosts: ["x.a.example"] },
      { hosts: ["*.a.example"] },
      [{ kind: "host", target: "*.a.example" }],
    ],
    [
      "by a wildcard at the name itself",
      { hosts: ["a.example"] },
      { hosts: ["*.a.example"] },
      [{ kind: "host", target: "*.a.example" }],
    ],
    [
      "by a wider wildcard",
      { hosts: ["*.x.a.example"] },
      { hosts: ["*.a.example"] },
      [{ kind: "host", target: "*.a.example" }],
    ],
    [
      "by a name that only ends alike",
      { hosts: ["*.a.example"] },
      { hosts: ["xa.example"] },
      [{ kind: "host", target: "xa.example" }],
    ],
    ["not by one port of all", { hosts: ["a.example"] }, { hosts: ["a.example:8443"] }, []],
    [
      "by all ports of one",
      { hosts: ["a.example:8443"] },
      { hosts: ["a.example"] },
      [{ kind: "host", target: "a.example" }],
    ],
    [
      "by another port",
      { hosts: ["*.a.example:1"] },
      { hosts: ["x.a.example:2"] },
      [{ kind: "host", target: "x.a.example:2" }],
    ],
    ["by a service", { services: ["a"] }, { services: ["a", "b"] }, [{ kind: "service", target: "b" }]],
    ["by a called tool", { tools: ["a"] }, { tools: ["a", "b"] }, [{ kind: "tool", target: "b" }]],
    ["by calls of any tool", { tools: ["a"] }, { tools: null }, [{ kind: "tool", target: "*" }]],
    ["not below calls of any tool", { tools: null }, { tools: ["a"] }, []],
    [
      "by a higher limit, not by a lower one",
      {},
      { limits: { ...RUN_LIMITS_DEFAULT, cpuMs: 6_000, wallMs: 10 } },
      [{ kind: "limit", target: "cpuMs", before: 5_000, after: 6_000 }],
    ],
    [
      "by everything that is more, in order",
      {},
      { permissions: ["network"], hosts: null, services: ["s"], tools: ["t"] },
      [
        { kind: "permission", target: "network" },
        { kind: "host", target: "*" },
        { kind: "service", target: "s" },
        { kind: "tool", target: "t" },
      ],
    ],
  ])("%s", (_what, before, now, grown) => {
    expect(grownCapabilities({ ...LEAST, ...before }, { ...LEAST, ...now })).toEqual(grown);
  });
});

test("without the permission network no host is a capability; with it, no list is any host", () => {
  const definition: ToolDefinition = {
    code: "return 1",
    language: "javascript",
    compiled: null,
    parameters: { type: "object" },
    outputSchema: null,
    permissions: [],
    services: ["b", "a"],
    limits: RUN_LIMITS_DEFAULT,
    allowedHosts: null,
  };
  expect(capabilitiesOf(definition, ["t"])).toEqual({ ...LEAST, services: ["a", "b"], tools: ["t"] });
  expect(capabilitiesOf({ ...definition, allowedHosts: ["a.example"] }, []).hosts).toEqual([]);
  expect(capabilitiesOf({ ...definition, permissions: ["network"] }, null)).toMatchObject({
    hosts: null,
    tools: null,
  });
});
