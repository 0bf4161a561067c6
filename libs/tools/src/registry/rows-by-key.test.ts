import { expect, test, vi } from "vitest";
import { RowsByKey } from "./rows-by-key.ts";

const openRows = (waitingMax: number) => new RowsByKey(waitingMax, () => new Error("full"));

test("works of one key follow each other in their order, and those of another do not wait for them", async () => {
  const rows = openRows(10);
  const steps: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, until: Promise<void>) => async (waited: boolean) => {
    steps.push(`${name} starts${waited ? " late" : ""}`);
    await until;
    steps.push(`${name} ends`);
  };
  const all = [
    rows.inTurn("k", work("a", first.promise)),
    rows.inTurn("k", work("b", Promise.resolve())),
    rows.inTurn("k", work("c", Promise.resolve())),
  ];
  await rows.inTurn("other", work("x", Promise.resolve()));
  first.resolve();
  await Promise.all(all);
  const inOrder = ["a ends", "b starts late", "b ends", "c starts late", "c ends"];
  expect(steps).toEqual(["a starts", "x starts", "x ends", ...inOrder]);
});

test("one that fails tells its own caller alone, and stops nobody behind it", async () => {
  const rows = openRows(10);
  const failed = rows.inTurn("k", () => Promise.reject(new Error("mine")));
  const threw = rows.inTurn("k", () => {
    throw new Error("at once");
  });
  const behind = rows.inTurn("k", () => Promise.resolve("made"));
  await expect(failed).rejects.toThrow("mine");
  await expect(threw).rejects.toThrow("at once");
  expect(await behind).toBe("made");
});

test("a full row takes nobody, and takes again once one has gone", async () => {
  const rows = openRows(1);
  const first = Promise.withResolvers<string>();
  const made = [rows.inTurn("k", () => first.promise), rows.inTurn("k", () => Promise.resolve("b"))];
  const refused = vi.fn(() => Promise.resolve("c"));
  await expect(rows.inTurn("k", refused)).rejects.toThrow("full");
  first.resolve("a");
  expect(await Promise.all(made)).toEqual(["a", "b"]);
  expect(await rows.inTurn("k", () => Promise.resolve("d"))).toBe("d");
  expect(refused).not.toHaveBeenCalled();
});

test("nothing stays of a key whose works have ended", async () => {
  const rows = openRows(10);
  const works = Array.from({ length: 30 }, (_, n) =>
    rows.inTurn(`k${n % 10}`, () => (n % 3 ? Promise.resolve() : Promise.reject(new Error("no")))),
  );
  expect(rows.size).toBe(10);
  await Promise.allSettled(works);
  expect(rows.size).toBe(0);
});
