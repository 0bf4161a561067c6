import { expect, test } from "vitest";
import { allToggled, keeping, NOTHING, parted, type Selection, toggled } from "./selection.ts";

type Row = { id: string; isNew?: boolean };
const shown: Row[] = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const [a, b, c, d, e] = shown as [Row, Row, Row, Row, Row];
const idsOf = ({ rows }: Selection<Row>): string[] => [...rows.keys()].sort();
const selected = (...rows: Row[]): Selection<Row> => allToggled<Row>(NOTHING, rows);

test("a row is selected, and the second time no more", () => {
  const one = toggled(NOTHING, b, shown, false);
  expect(idsOf(one)).toEqual(["b"]);
  expect(idsOf(toggled(one, b, shown, false))).toEqual([]);
});

test("a range goes from the last one, in both directions", () => {
  const down = toggled(toggled(NOTHING, b, shown, false), d, shown, true);
  expect(idsOf(down)).toEqual(["b", "c", "d"]);
  const up = toggled(toggled(NOTHING, e, shown, false), d, shown, true);
  expect(idsOf(up)).toEqual(["d", "e"]);
});

test("a range that ends on a selected one takes the rest out", () => {
  expect(idsOf(toggled({ ...selected(...shown), last: "b" }, d, shown, true))).toEqual(["a", "e"]);
});

test("without a last one, a range is the row alone", () => {
  expect(idsOf(toggled(NOTHING, d, shown, true))).toEqual(["d"]);
});

test("what has gone is selected no more", () => {
  expect(idsOf(keeping(selected(a, b), (id) => id !== "a"))).toEqual(["b"]);
});

test("all that are shown are selected or not, and what is not shown stays", () => {
  const all = allToggled(selected(a), [b, c]);
  expect(idsOf(all)).toEqual(["a", "b", "c"]);
  expect(idsOf(allToggled(all, [b, c]))).toEqual(["a"]);
});

test("what the list shows is as it is by now, and what it does not is told apart", () => {
  const now = { id: "b", isNew: true };
  expect(parted(selected(a, b), [now, c])).toEqual({ seen: [now], unseen: [a] });
});
