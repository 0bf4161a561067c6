import { toolArchive } from "@bulkhead/tools/packages";
import type { Answer, Client } from "./client.ts";

/** The folder of a tool that has nothing wrong, but for what `more` puts into its manifest. */
export const folder = (more: object = {}, code: object = { "tool.js": "return args;" }) => ({
  "manifest.json": { description: "d", ...more },
  ...code,
});

/** A zip of files by path: text as it is, anything else as JSON. */
export const zipOf = (files: Record<string, unknown>): Buffer =>
  Buffer.from(
    toolArchive.write(
      Object.entries(files).map(([path, content]) => ({
        path,
        bytes: Buffer.from(typeof content === "string" ? content : JSON.stringify(content)),
      })),
    ),
  );

export async function sendZip(
  { url, key }: Client,
  path: string,
  zip: Uint8Array,
  type = "application/zip",
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": type };
  const response = await fetch(url + path, { method: "POST", headers, body: Buffer.from(zip) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
