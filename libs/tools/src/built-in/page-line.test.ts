import { expect, test, vi } from "vitest";
import { WAITING_MAX, WAITING_PER_TENANT_MAX } from "./bounds.ts";
import { PageLine } from "./page-line.ts";

const page = (name: string) => ({ name, leave: vi.fn<() => void>() });
const fill = (line: PageLine<ReturnType<typeof page>>, tenantId: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const joined = page(`${tenantId}${at}`);
    return { ...joined, isIn: line.join(tenantId, joined) };
  });

test("tenants have their turn one after another, however many pages one has", () => {
  const line = new PageLine<ReturnType<typeof page>>();
  fill(line, "a", 3);
  fill(line, "b", 2);
  const order: (string | undefined)[] = [];
  for (let at = 0; at < 6; at++) {
    order.push(line.next()?.name);
    line.done("a");
    line.done("b");
  }
  expect(order).toEqual(["a0", "b0", "a1", "b1", "a2", undefined]);
});

test("a tenant has one page read at a time", () => {
  const line = new PageLine<ReturnType<typeof page>>();
  fill(line, "a", 2);
  expect([line.next()?.name, line.next()]).toEqual(["a0", null]);
  line.done("a");
  expect(line.next()?.name).toBe("a1");
});

test("a tenant's line is bounded, and a full line makes room for who has least", () => {
  const line = new PageLine<ReturnType<typeof page>>();
  const full = Math.floor(WAITING_MAX / WAITING_PER_TENANT_MAX);
  const own = Array.from({ length: full }, (_, at) =>
    fill(line, `t${at}`, WAITING_PER_TENANT_MAX + 1),
  ).flat();
  expect(own.filter(({ isIn }) => !isIn)).toHaveLength(full);
  expect(line.join("late", page("late"))).toBe(true);
  expect(own.filter(({ leave }) => leave.mock.calls.length > 0).map(({ name }) => name)).toEqual([
    `t0${WAITING_PER_TENANT_MAX - 1}`,
  ]);
});

test("a page that is dropped never has its turn", () => {
  const line = new PageLine<ReturnType<typeof page>>();
  const [first] = [page("first"), page("second")].filter((each) => line.join("a", each));
  if (first) line.drop("a", first);
  expect(line.next()?.name).toBe("second");
});
