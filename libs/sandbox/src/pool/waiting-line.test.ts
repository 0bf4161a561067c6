import { afterEach, describe, expect, it, vi } from "vitest";
import { WaitingLine, type Waiter } from "./waiting-line.ts";

const waiter = (tenantId: string, isolateKey: string, depth = 1): Waiter => ({
  tenantId,
  isolateKey,
  depth,
  impatient: false,
  desperate: false,
});
afterEach(() => void vi.useRealTimers());
const order = (line: WaitingLine<Waiter>): string[] => line.inTurn().map(({ isolateKey }) => isolateKey);

describe("a waiting line", () => {
  it("serves a tenant's own in their order and lets tenants take turns", () => {
    const line = new WaitingLine<Waiter>();
    for (const [tenant, name] of [
      ["a", "a1"],
      ["a", "a2"],
      ["a", "a3"],
      ["b", "b1"],
      ["c", "c1"],
    ]) {
      line.add(waiter(tenant ?? "", name ?? ""));
    }
    expect(order(line)).toEqual(["a1", "b1", "c1", "a2", "a3"]);
  });

  it("lets what another run waits for go before the others of its tenant", () => {
    const line = new WaitingLine<Waiter>();
    for (const each of [waiter("a", "a1"), waiter("a", "n1", 2), waiter("a", "a2"), waiter("a", "n2", 3)])
      line.add(each);
    expect(order(line)).toEqual(["n1", "n2", "a1", "a2"]);
  });

  it("sends a tenant that was served to the end, but not one that gave up", () => {
    const line = new WaitingLine<Waiter>();
    const [a1, a2, b1] = [waiter("a", "a1"), waiter("a", "a2"), waiter("b", "b1")];
    for (const each of [a1, a2, b1]) line.add(each);
    line.remove(a1, false);
    expect(order(line)).toEqual(["a2", "b1"]);
    line.add(waiter("a", "a3"));
    line.remove(a2, true);
    expect(order(line)).toEqual(["b1", "a3"]);
    expect(line.size).toBe(2);
  });

  it("stands for as long as somebody waits, whoever it is, for each tenant alone", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const line = new WaitingLine<Waiter>();
    const [a1, a2] = [waiter("a", "a1"), waiter("a", "a2")];
    line.add(a1);
    vi.advanceTimersByTime(60);
    line.add(a2);
    line.remove(a1, true);
    vi.advanceTimersByTime(50);
    expect(line.standsMs("a")).toBe(110);
    expect(line.standsMs("b")).toBe(0);
    line.remove(a2, false);
    line.add(a1);
    expect(line.standsMs("a")).toBe(0);
  });
});
