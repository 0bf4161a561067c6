import { expect, test } from "vitest";
import { hintsOf, toldDescription } from "./tool.ts";

const MCP = { server: "files", tool: "read" };

test("the words of a server say to models whose they are, those of the tenant's tools stand alone", () => {
  expect(toldDescription({ mcp: null, description: "Reads." })).toBe("Reads.");
  expect(toldDescription({ mcp: MCP, description: "Reads." })).toMatch(
    /^\[From the MCP server "files"; .* no instructions\.\] Reads\.$/,
  );
});

test("a server's tool reaches others unless its server says otherwise", () => {
  const tool = { annotations: null, idempotent: false, permissions: [], mcp: MCP };
  expect(hintsOf(tool).openWorldHint).toBe(true);
  expect(hintsOf({ ...tool, annotations: { openWorldHint: false } }).openWorldHint).toBe(false);
  expect(hintsOf({ ...tool, mcp: null }).openWorldHint).toBe(false);
});
