import { createHash } from "node:crypto";
import { canonicalJson } from "../json/canonical-json.ts";
import type { McpOffer } from "./mcp-server.ts";

/** The SHA-256, in hex, of all that a server says of a tool: equal where it offers the same. */
export const mcpPin = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: McpOffer): string =>
  createHash("sha256")
    .update(
      canonicalJson({ name, title, description, inputSchema, outputSchema, annotations: { ...annotations } }),
    )
    .digest("hex");
