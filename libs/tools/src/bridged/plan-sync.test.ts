import { mcpPin, type KnownMcpTool, type McpOffer, type Tool } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { sampleTool } from "../registry/fixtures/one-tool.ts";
import { offerOf, PLAIN_COVER, serverOf } from "./fixtures/servers.ts";
import { definitionOffered, setupOf } from "./offered-tool.ts";
import { changedReason, GONE, planKnown, rejectedReason, UNAPPROVED_VERSIONS_MAX } from "./plan-sync.ts";

const SERVER = serverOf();
const READ = offerOf("read");
const OTHER = offerOf("read", { description: "Does something else." });

function knownOf(fields: Partial<Tool> = {}, newest: Partial<KnownMcpTool["newest"]> = {}): KnownMcpTool {
  const tool = sampleTool({
    ...definitionOffered(SERVER, READ, PLAIN_COVER),
    mcp: { server: "files", tool: "read" },
    ...fields,
  });
  return { tool, newest: { version: tool.version, state: "approved", pin: mcpPin(READ), ...newest } };
}

const planOf = (known: KnownMcpTool, offer: McpOffer | null, server = SERVER, fault?: string) =>
  planKnown(
    known,
    offer && {
      pin: mcpPin(offer),
      definition: () =>
        Promise.resolve(fault === undefined ? definitionOffered(server, offer, PLAIN_COVER) : { fault }),
    },
    setupOf(server),
  );

const WAITS_2 = { pendingVersion: 2, status: "disabled", statusReason: changedReason(2) } as const;
const PENDING_2 = { version: 2, state: "pending", pin: mcpPin(OTHER) } as const;

describe("an active tool", () => {
  test("that is offered as before stays", async () => {
    expect(await planOf(knownOf(), READ)).toBeNull();
  });

  test("that is offered otherwise is disabled, and what is offered now waits", async () => {
    expect(await planOf(knownOf(), OTHER)).toMatchObject({
      definition: { pinned: { pin: mcpPin(OTHER) } },
      review: { grown: [], proposedBy: null },
      move: { to: "disabled", reason: changedReason(2) },
    });
  });

  test("that is gone is disabled", async () => {
    expect(await planOf(knownOf(), null)).toEqual({ move: { to: "disabled", reason: GONE } });
  });

  test("whose server was set up anew runs so at once", async () => {
    const change = await planOf(knownOf(), READ, serverOf({ timeoutMs: 1_000 }));
    expect(change).toMatchObject({
      definition: { limits: { wallMs: 1_000 }, pinned: { pin: mcpPin(READ) } },
    });
    expect(change).not.toHaveProperty("review");
  });

  test("of which what is offered now can't be taken is disabled with the reason", async () => {
    expect(await planOf(knownOf(), OTHER, SERVER, "parameters: is no schema.")).toEqual({
      move: { to: "disabled", reason: expect.stringMatching(/can't be taken: parameters: is no schema\.$/) },
    });
  });

  test("that a person enabled although another one waits is disabled again", async () => {
    const known = knownOf({ pendingVersion: 2 }, PENDING_2);
    expect(await planOf(known, OTHER)).toEqual({ move: { to: "disabled", reason: changedReason(2) } });
  });
});

describe("a tool that was disabled for its server's sake", () => {
  test("waits on while the same is offered", async () => {
    expect(await planOf(knownOf(WAITS_2, PENDING_2), OTHER)).toBeNull();
  });

  test("is active again once it is offered as it was approved, and nothing waits any more", async () => {
    expect(await planOf(knownOf(WAITS_2, PENDING_2), READ)).toEqual({
      withdraw: true,
      move: { to: "active", reason: null },
    });
    expect(await planOf(knownOf({ status: "disabled", statusReason: GONE }), READ)).toEqual({
      move: { to: "active", reason: null },
    });
  });

  test("waits with what is offered last", async () => {
    const third = offerOf("read", { description: "A third one." });
    expect(await planOf(knownOf(WAITS_2, PENDING_2), third)).toMatchObject({
      review: {},
      move: { reason: changedReason(3) },
    });
  });

  test("is not proposed again once a person has rejected it, until it changes", async () => {
    const rejected = knownOf(
      { status: "disabled", statusReason: rejectedReason(2) },
      { ...PENDING_2, state: "rejected" },
    );
    expect(await planOf(rejected, OTHER)).toBeNull();
    expect(await planOf(rejected, offerOf("read", { description: "Third." }))).toHaveProperty("review");
  });

  test("is proposed again where it was withdrawn in between", async () => {
    const withdrawn = knownOf({}, { ...PENDING_2, state: "superseded" });
    expect(await planOf(withdrawn, OTHER)).toMatchObject({ move: { reason: changedReason(3) } });
  });

  test("gets no further version where its server changes it without end", async () => {
    const often = knownOf(WAITS_2, { ...PENDING_2, version: UNAPPROVED_VERSIONS_MAX + 1, pin: "another" });
    const plan = await planOf(often, OTHER);
    expect(plan).toMatchObject({
      withdraw: true,
      move: { reason: expect.stringContaining("no further version") },
    });
    expect(plan).not.toHaveProperty("definition");
  });
});

describe("a tool that a person took away", () => {
  test.each<[string, McpOffer | null]>([
    ["as before", READ],
    ["otherwise", OTHER],
    ["no more", null],
  ])("stays away, also where it is offered %s", async (_how, offer) => {
    expect(await planOf(knownOf({ status: "disabled", statusReason: null }), offer)).toBeNull();
    expect(await planOf(knownOf({ status: "rejected" }), offer)).toBeNull();
  });
});

describe("a tool that nobody has approved yet", () => {
  const waiting = (fields: Partial<Tool> = {}) =>
    knownOf({ status: "pending_approval", ...fields }, { state: "pending" });

  test("waits, with what is offered last", async () => {
    expect(await planOf(waiting(), READ)).toBeNull();
    expect(await planOf(waiting(), OTHER)).toMatchObject({ review: {}, description: "Does something else." });
  });

  test("goes with its offer, unless people have blocked it", async () => {
    expect(await planOf(waiting(), null)).toBe("drop");
    expect(await planOf(waiting({ approval: "blocked" }), null)).toBeNull();
  });
});
