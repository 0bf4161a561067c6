import { expect, test } from "vitest";
import { engineStandings, type EngineFact } from "./engine.ts";

const fact = (engine: string, available: boolean, detail = ""): EngineFact => ({ engine, available, detail });

test("an engine is there once one worker has it, and says what that one found", () => {
  const standings = engineStandings(
    [[fact("shell", false, "no shell here")], [fact("shell", true, "bash")]],
    [],
  );
  expect(standings).toEqual([
    {
      engine: "shell",
      title: "Commands of a shell in JavaScript",
      available: true,
      detail: "bash",
      workers: 1,
    },
  ]);
});

test("where no worker has it, it says why by the first one's words", () => {
  expect(engineStandings([[fact("shell", false, "one")], [fact("shell", false, "two")]], [])).toEqual([
    expect.objectContaining({ available: false, detail: "one", workers: 0 }),
  ]);
});

test("the list goes by the table, what it doesn't know comes last under its own name, and no worker is no fault", () => {
  const standings = engineStandings(
    [[fact("from_the_future", true), fact("files", true)]],
    [fact("assist_model", false), fact("embeddings", true)],
  );
  expect(standings.map(({ engine, title, workers }) => [engine, title, workers])).toEqual([
    ["files", "Files of workspaces", 1],
    ["embeddings", "Model that memories are searched by", null],
    ["assist_model", "Model that drafts tools", null],
    ["from_the_future", "from_the_future", 1],
  ]);
  expect(engineStandings([], [])).toEqual([]);
});
