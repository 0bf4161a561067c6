import { describe, expect, test } from "vitest";
import { onlySeenBy, seesCallOf } from "./execution-scope.ts";
import type { TenantRole } from "../tenant/principal.ts";

const key = (role: TenantRole, agentId: string | null = null) => ({ role, agentId });

describe("whose calls a key sees", () => {
  test.each([
    ["an agent's key, those of its own agent", key("agent", "one"), { one: true, two: false, none: false }],
    ["an agent's key without an agent, all", key("agent"), { one: true, two: true, none: true }],
    ["a person's key, all", key("viewer"), { one: true, two: true, none: true }],
    [
      "a person's key, all, whatever agent it names",
      key("owner", "one"),
      { one: true, two: true, none: true },
    ],
  ])("%s", (_, principal, seen) => {
    expect({
      one: seesCallOf(principal, "one"),
      two: seesCallOf(principal, "two"),
      none: seesCallOf(principal, undefined) || seesCallOf(principal, null),
    }).toEqual(seen);
  });

  test("a page is narrowed for an agent's key alone", () => {
    expect(onlySeenBy(key("agent", "one"))).toEqual({ agentId: "one" });
    for (const all of [key("agent"), key("owner", "one")]) expect(onlySeenBy(all)).toEqual({});
  });
});
