import { expect, test } from "vitest";
import { RecordedTurns, type RecordedFetch } from "./recorded-answers.ts";

const answer = (url: string, body: string, method = "GET"): RecordedFetch => ({
  method,
  url,
  status: 200,
  headers: {},
  body,
});

test("answers to the same request come in their order, and the last one stays", () => {
  const turns = new RecordedTurns({
    fetch: [answer("https://a.example/x", "1"), answer("https://a.example/x", "2")],
    calls: [
      { name: "greet", result: 1 },
      { name: "greet", result: 2 },
    ],
    commands: ["1", "2"].map((stdout) => ({ command: "date", stdout, stderr: "", exitCode: 0 })),
  });
  const bodies = [1, 2, 3].map(() => turns.fetch("get", "https://a.example/x")?.body);
  expect(bodies).toEqual(["1", "2", "2"]);
  expect([1, 2, 3].map(() => turns.call("greet")?.result)).toEqual([1, 2, 2]);
  expect([1, 2, 3].map(() => turns.command("date")?.stdout)).toEqual(["1", "2", "2"]);
});

test("a request is told from others by its method and its whole URL, however that is written", () => {
  const turns = new RecordedTurns({
    fetch: [answer("https://A.example:443?q=1", "1")],
    calls: [],
    commands: [],
  });
  expect(turns.fetch("GET", "https://a.example/?q=1")?.body).toBe("1");
  expect(turns.fetch("POST", "https://a.example/?q=1")).toBeNull();
  expect(turns.fetch("GET", "https://a.example/?q=2")).toBeNull();
  expect([turns.call("greet"), turns.command("date")]).toEqual([null, null]);
});
