import { expect, test, vi } from "vitest";
import { WAITING_MAX, WAITING_PER_TENANT_MAX } from "./bounds.ts";
import { JobQueue } from "./job-queue.ts";

const job = (name: string) => ({ name, leave: vi.fn<() => void>() });
const fill = (queue: JobQueue<ReturnType<typeof job>>, tenantId: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const joined = job(`${tenantId}${at}`);
    return { ...joined, isIn: queue.join(tenantId, joined) };
  });

test("tenants have their turn one after another, however many jobs one has", () => {
  const queue = new JobQueue<ReturnType<typeof job>>();
  fill(queue, "a", 3);
  fill(queue, "b", 2);
  const order: (string | undefined)[] = [];
  for (let at = 0; at < 6; at++) {
    order.push(queue.next()?.name);
    queue.done("a");
    queue.done("b");
  }
  expect(order).toEqual(["a0", "b0", "a1", "b1", "a2", undefined]);
});

test("a tenant has one job done at a time", () => {
  const queue = new JobQueue<ReturnType<typeof job>>();
  fill(queue, "a", 2);
  expect([queue.next()?.name, queue.next()]).toEqual(["a0", null]);
  queue.done("a");
  expect(queue.next()?.name).toBe("a1");
});

test("a tenant's queue is bounded, and a full queue makes room for who has least", () => {
  const queue = new JobQueue<ReturnType<typeof job>>();
  const full = Math.floor(WAITING_MAX / WAITING_PER_TENANT_MAX);
  const own = Array.from({ length: full }, (_, at) =>
    fill(queue, `t${at}`, WAITING_PER_TENANT_MAX + 1),
  ).flat();
  expect(own.filter(({ isIn }) => !isIn)).toHaveLength(full);
  expect(queue.join("late", job("late"))).toBe(true);
  expect(own.filter(({ leave }) => leave.mock.calls.length > 0).map(({ name }) => name)).toEqual([
    `t0${WAITING_PER_TENANT_MAX - 1}`,
  ]);
});

test("a job that is dropped never has its turn", () => {
  const queue = new JobQueue<ReturnType<typeof job>>();
  const [first] = [job("first"), job("second")].filter((each) => queue.join("a", each));
  if (first) queue.drop("a", first);
  expect(queue.next()?.name).toBe("second");
});
