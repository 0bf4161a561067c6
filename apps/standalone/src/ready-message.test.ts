import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { readyMessage } from "./ready-message.ts";

const METRICS = { api: "http://127.0.0.1:9464/metrics", worker: "http://127.0.0.1:9465/metrics" };
const lines = (host: string, demoKey = "bh_demo"): string[] =>
  readyMessage({ host, port: 3_000, demoKey, loginCode: "bhl_code", metrics: METRICS }).split("\n");

test("the first line is the one that programs wait for", () => {
  expect(lines("127.0.0.1")[0]).toBe("bulkhead ready on http://127.0.0.1:3000");
});

test("the console's link goes where a browser reaches it", () => {
  expect(lines("0.0.0.0").join("\n")).toContain(" http://127.0.0.1:3000/console/#code=bhl_code ");
});

test("the demo tenant's key is shown and is the one in both commands", () => {
  const text = lines("127.0.0.1").join("\n");
  expect(text).toContain("key: bh_demo");
  expect(text.match(/Bearer bh_demo/gu)).toHaveLength(2);
});

test.each([
  { host: "0.0.0.0", ready: "http://0.0.0.0:3000", command: "http://127.0.0.1:3000" },
  { host: "::", ready: "http://[::]:3000", command: "http://[::1]:3000" },
  { host: "::1", ready: "http://[::1]:3000", command: "http://[::1]:3000" },
])("served on $host the commands go to $command", ({ host, ready, command }) => {
  const printed = lines(host);
  expect(printed[0]).toBe(`bulkhead ready on ${ready}`);
  const commands = printed.filter((line) => line.startsWith("curl"));
  expect(commands).toHaveLength(2);
  for (const line of commands) expect(line).toContain(` ${command}/api/v1/custom-tools`);
});

test("what stands between single quotes is JSON that any shell leaves alone", () => {
  const bodies = lines("127.0.0.1").flatMap(
    (line) => /^curl .* -d '(.*)'(?:; echo)?$/u.exec(line)?.[1] ?? [],
  );
  expect(bodies).toHaveLength(2);
  for (const body of bodies) {
    expect(body).not.toMatch(/['\\]/u);
    expect(JSON.parse(body)).toBeTypeOf("object");
  }
});

test("a key of any characters comes whole through a shell", () => {
  const key = String.raw`it's "mine", $HOME \`it\` \ and so on, 32 or more`;
  const [create = ""] = lines("127.0.0.1", key).filter((line) => line.startsWith("curl"));
  const printArguments = `curl() { for it; do printf '%s\\n' "$it"; done; }; ${create}`;
  const printed = execFileSync("/bin/sh", ["-c", printArguments], { encoding: "utf8" }).split("\n");
  expect(printed).toContain(`Authorization: Bearer ${key}`);
});
