import { Fault, type EgressPolicy, type McpServerSetup, type Scrubbers } from "@bulkhead/core";
import { expect, test } from "vitest";
import { checkSetup } from "./check-setup.ts";

const deps = {
  egressPolicy: {
    refusalOf: (url) => (url.startsWith("https://private") ? "it is private" : null),
  } satisfies EgressPolicy,
  // Knows one kind of token, by its form alone.
  scrubbers: {
    open: () => ({ text: (text: string) => text.replaceAll(/ghp_[a-z0-9]+/g, "[REDACTED]") }),
  } as unknown as Scrubbers,
};
type Reach = Parameters<typeof checkSetup>[1];
const http = (said: Partial<McpServerSetup> = {}): Reach => ({
  transport: "streamable-http",
  url: "https://files.example/mcp#top",
  command: null,
  args: [],
  env: {},
  headers: {},
  ...said,
});
const stdio = (said: Partial<McpServerSetup> = {}): Reach =>
  http({ transport: "stdio", url: null, command: "/opt/server", ...said });

test("what is well said is stored in one notation", () => {
  const headers = { Authorization: { config: "files.token" }, "X-Team": "blue" };
  expect(checkSetup(deps, http({ headers }))).toEqual(
    http({
      url: "https://files.example/mcp",
      headers: { authorization: { config: "files.token" }, "x-team": "blue" },
    }),
  );
  const process = stdio({ args: ["--root", "/data"], env: { TOKEN: { config: "a.b" }, LOG_LEVEL: "debug" } });
  expect(checkSetup(deps, process)).toEqual(process);
});

test.each<[string, Reach, string, RegExp]>([
  ["no URL", http({ url: null }), "url", /needed for streamable-http/],
  ["a URL that egress never lets out", http({ url: "https://private.example/" }), "url", /private/],
  ["a command of no process", http({ command: "/opt/x" }), "command", /stdio alone/],
  ["arguments of no process", http({ args: ["x"] }), "args", /stdio alone/],
  ["variables of no process", http({ env: { A: "b" } }), "env", /stdio alone/],
  ["no command", stdio({ command: null }), "command", /needed for stdio/],
  ["a command by its name", stdio({ command: "node" }), "command", /absolute/],
  ["a command that climbs", stdio({ command: "/opt/../bin/sh" }), "command", /absolute/],
  ["a folder as command", stdio({ command: "/opt/" }), "command", /absolute/],
  ["a URL of a process", stdio({ url: "https://files.example/" }), "url", /not for stdio/],
  ["headers of a process", stdio({ headers: { a: "b" } }), "headers", /not for stdio/],
  ["the platform's own variable", stdio({ env: { PATH: "/x" } }), "env.PATH", /platform/],
  ["no name of a variable", stdio({ env: { "a-b": "x" } }), "env.a-b", /no name/],
  ["no name of a header", http({ headers: { "a b": "x" } }), "headers.a b", /no name/],
  ["a header that ends the line", http({ headers: { "x-a": "b\r\nx-c: d" } }), "headers.x-a", /ASCII/],
  ["a header twice", http({ headers: { "x-a": "1", "X-A": "2" } }), "headers", /twice/],
  ...["Host", "content-length", "Mcp-Session-Id", "accept", "Proxy-Authorization", "connection"].map(
    (name): [string, Reach, string, RegExp] => [
      `the protocol's own header ${name}`,
      http({ headers: { [name]: "x" } }),
      `headers.${name.toLowerCase()}`,
      /protocol's own/,
    ],
  ),
])("%s is refused at its place", (_what, setup, path, message) => {
  expect(() => checkSetup(deps, setup)).toThrow(
    expect.objectContaining({
      code: "request.invalid",
      errors: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    }),
  );
});

test.each<[string, Reach, string]>([
  ["a header named as secrets are", http({ headers: { "X-Api-Key": "s3cr3t" } }), "headers.x-api-key"],
  ["a header that authorizes", http({ headers: { authorization: "Basic s3cr3t" } }), "headers.authorization"],
  ["a token under any name", http({ headers: { "x-hint": "use ghp_s3cr3t" } }), "headers.x-hint"],
  ["a variable named as secrets are", stdio({ env: { GITHUB_TOKEN: "s3cr3t" } }), "env.GITHUB_TOKEN"],
  ["a token in a URL", http({ url: "https://files.example/?t=ghp_s3cr3t" }), "url"],
  ["a token among arguments", stdio({ args: ["--token", "ghp_s3cr3t"] }), "args.1"],
])("%s has to go into the Config Center, and is not repeated", (_what, setup, path) => {
  const refused = (): Fault => {
    try {
      checkSetup(deps, setup);
    } catch (error) {
      if (error instanceof Fault) return error;
    }
    throw new Error("it was taken");
  };
  const fault = refused();
  expect(fault.errors).toEqual([{ path, message: expect.stringContaining('{"config": "service.field"}') }]);
  expect(JSON.stringify([fault.message, fault.errors])).not.toContain("s3cr3t");
});
