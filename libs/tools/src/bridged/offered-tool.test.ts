import { mcpPin, RUN_LIMITS_MAX } from "@bulkhead/core";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { offerOf, PLAIN_COVER, serverOf } from "./fixtures/servers.ts";
import { definitionOffered, followingOf, nameFault, servicesNamed, setupOf } from "./offered-tool.ts";

test("a server's setup is the setup of its tools", () => {
  const headers = {
    authorization: { config: "github.token" },
    "x-open": "yes",
    "x-more": { config: "crm.key" },
  };
  expect(setupOf(serverOf({ headers }))).toMatchObject({
    permissions: ["network"],
    allowedHosts: ["mcp.example.com:8443"],
    services: ["crm", "github"],
    limits: { wallMs: 20_000, resultBytes: RUN_LIMITS_MAX.resultBytes },
  });
  const process = {
    transport: "stdio",
    url: null,
    command: "/bin/x",
    env: { A: { config: "b.c" } },
  } as const;
  expect(setupOf(serverOf(process))).toMatchObject({ permissions: [], allowedHosts: [], services: ["b"] });
  expect(servicesNamed(serverOf())).toEqual([]);
});

test("what a server says is covered and bounded, while the pin is of what it said", () => {
  const offer = offerOf("read", {
    title: `  ${"t".repeat(200)}`,
    description: `Mind s3cret.\u0000\nNext\u202e ${"d".repeat(5_000)}`,
    inputSchema: { type: "object", properties: { a: { default: "s3cret" } } },
  });
  const cover = (text: string) => text.replaceAll("s3cret", "[REDACTED]");
  const made = definitionOffered(serverOf(), offer, { text: cover, json: cover });
  expect(made.pinned).toMatchObject({ server: "files", tool: "read", pin: mcpPin(offer) });
  expect(made.pinned?.description).toMatch(/^Mind \[REDACTED\]\.\nNext/);
  expect(made.pinned?.description.length).toBeLessThanOrEqual(4_096);
  expect(made.pinned?.title).toHaveLength(98);
  expect(JSON.stringify(made.parameters)).not.toContain("s3cret");
});

test("what nobody would see of a server's words is left out, also within a secret", () => {
  const said = "Reads.\u{e006f}\u{e0062}\u202e\ufeff s3c\u200bret";
  const offer = offerOf("read", {
    title: said,
    description: said,
    inputSchema: { type: "object", description: said },
  });
  const cover = (text: string) => text.replaceAll("s3cret", "[REDACTED]");
  const { pinned, parameters } = definitionOffered(serverOf(), offer, { text: cover, json: cover });
  const seen = [pinned?.title, pinned?.description, parameters["description"]];
  expect(seen).toEqual(seen.map(() => "Reads. [REDACTED]"));
});

test.each([
  [null, { requiresApproval: true, idempotent: false, retry: null }],
  [{ destructiveHint: false }, { requiresApproval: true, idempotent: false }],
  [{ idempotentHint: true }, { requiresApproval: true, idempotent: true, retry: { attempts: 3 } }],
  [{ readOnlyHint: true }, { requiresApproval: false, idempotent: true, retry: { attempts: 3 } }],
])("with the hints %j a tool asks and is retried accordingly", (annotations, expected) => {
  const { pinned } = definitionOffered(serverOf(), offerOf("read", { annotations }), PLAIN_COVER);
  expect(pinned && followingOf(pinned)).toMatchObject(expected);
});

test("where its code ran after all, it would fail", () => {
  const { code } = definitionOffered(serverOf(), offerOf('read"; return "x'), PLAIN_COVER);
  expect(() => runInNewContext(code)).toThrow(
    'Calls of "read"; return "x" go to the MCP server files, and not here.',
  );
});

test("a tool of which nothing is said has a description all the same", () => {
  const { pinned } = definitionOffered(serverOf(), offerOf("read", { description: " \u0007 " }), PLAIN_COVER);
  expect(pinned && followingOf(pinned).description).toBe("The tool read, of which its server says nothing.");
});

test.each(["", "a".repeat(129), "a\nb", "a\u202eb", "a\u2028b", "a\u0000"])(
  "%j is no tool's name",
  (name) => {
    expect(nameFault(name)).not.toBeNull();
  },
);

test.each(["read", "a/b.c-d", "Find it", "查询"])("%j is one", (name) => {
  expect(nameFault(name)).toBeNull();
});
