import { expect, test, vi } from "vitest";
import { KeyedQueues } from "./keyed-queues.ts";

const openQueues = (waitingMax: number) => new KeyedQueues(waitingMax, () => new Error("full"));

test("works of one key follow each other in their order, and those of another do not wait for them", async () => {
  const queues = openQueues(10);
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) => async (waited: boolean) => {
    steps.push(`${name} starts${waited ? " late" : ""}`);
    await until;
    steps.push(`${name} ends`);
  };
  const all = [
    queues.inTurn("k", work("a", first.promise)),
    queues.inTurn("k", work("b", Promise.resolve())),
    queues.inTurn("k", work("c", Promise.resolve())),
  ];
  await queues.inTurn("other", work("x", Promise.resolve()));
  first.resolve();
  await Promise.all(all);
  const inOrder = ["a ends", "b starts late", "b ends", "c starts late", "c ends"];
  expect(steps).toEqual(["a starts", "x starts", "x ends", ...inOrder]);
});

test("one that fails tells its own caller alone, and stops nobody behind it", async () => {
  const queues = openQueues(10);
  const failed = queues.inTurn("k", () => Promise.reject(new Error("mine")));
  const threw = queues.inTurn("k", () => {
    throw new Error("at once");
  });
  const behind = queues.inTurn("k", () => Promise.resolve("made"));
  await expect(failed).rejects.toThrow("mine");
  await expect(threw).rejects.toThrow("at once");
  expect(await behind).toBe("made");
});

test("a full queue takes nobody, and takes again once one has gone", async () => {
  const queues = openQueues(1);
  const first = Promise.withResolvers<string>();
  const made = [queues.inTurn("k", () => first.promise), queues.inTurn("k", () => Promise.resolve("b"))];
  const refused = vi.fn(() => Promise.resolve("c"));
  await expect(queues.inTurn("k", refused)).rejects.toThrow("full");
  first.resolve("a");
  expect(await Promise.all(made)).toEqual(["a", "b"]);
  expect(await queues.inTurn("k", () => Promise.resolve("d"))).toBe("d");
  expect(refused).not.toHaveBeenCalled();
});

test("nothing stays of a key whose works have ended", async () => {
  const queues = openQueues(10);
  const works = Array.from({ length: 30 }, (_, n) =>
    queues.inTurn(`k${n % 10}`, () => (n % 3 ? Promise.resolve() : Promise.reject(new Error("no")))),
  );
  expect(queues.size).toBe(10);
  await Promise.allSettled(works);
  expect(queues.size).toBe(0);
});
