import type { ExecutionSummary, ListExecutionsAnswer } from "@bulkhead/client";
import { expect, test } from "vitest";
import { type Ended, withEnds, withNewest } from "./merge-executions.ts";

const row = (id: string, status = "running"): ExecutionSummary => ({ id, status }) as ExecutionSummary;
const page = (ids: string[], nextCursor: string | null = "c"): ListExecutionsAnswer => ({
  executions: ids.map((id) => row(id)),
  nextCursor,
});
const idsOf = (pages: ListExecutionsAnswer[]) =>
  pages.map(({ executions }) => executions.map(({ id }) => id));

test("what has come is put on top, once, and what has changed is changed where it stands", () => {
  const newest = { executions: [row("5"), row("4"), row("3", "failed")], nextCursor: "c" };
  const pages = withNewest([page(["4", "3"]), page(["2", "1"], null)], newest);
  expect(idsOf(pages)).toEqual([
    ["5", "4", "3"],
    ["2", "1"],
  ]);
  expect(pages[0]?.executions[2]?.status).toBe("failed");
  expect(idsOf(withNewest(pages, newest))).toEqual(idsOf(pages));
});

test("a list begins anew where more came than one page tells", () => {
  expect(idsOf(withNewest([page(["2", "1"])], page(["9", "8"])))).toEqual([["9", "8"]]);
});

test("what came into an empty list is there, also where the page was its last", () => {
  expect(idsOf(withNewest([page([], null)], page(["1"], null)))).toEqual([["1"]]);
});

test("an end is told of the row that has it, and of no other", () => {
  const data = {
    executionId: "1",
    at: "2026-11-26T12:00:00Z",
    status: "failed",
    code: "tool.threw",
    durationMs: 7,
  };
  const ended = [{ event: "execution.ended", data } as unknown as Ended];
  const pages = [page(["2", "1"])];
  const [after] = withEnds(pages, ended);
  expect(after?.executions).toEqual([
    row("2"),
    {
      id: "1",
      status: "failed",
      isError: true,
      error: { code: "tool.threw", message: "" },
      finishedAt: data.at,
      durationMs: 7,
    },
  ]);
  expect(withEnds(after === undefined ? [] : [page(["2"])], ended)[0]?.executions).toHaveLength(1);
  const untouched = [page(["7"])];
  expect(withEnds(untouched, ended)).toBe(untouched);
});
