import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SUITE = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);
const EXPECTED_FAILURES = fileURLToPath(new URL("../e2e/mcp-expected-failures.yml", import.meta.url));

const PIXEL =
  "{ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==' }";
const resource = (uri: string, mimeType: string, text: string) =>
  JSON.stringify({ type: "resource", resource: { uri, mimeType, text } });

/** The tools that the suite calls, as far as a tool can do what they do. */
export const CONFORMANCE_TOOLS: Record<string, string> = {
  test_simple_text: "return 'This is a simple text response for testing.';",
  test_error_handling: "throw new Error('This tool intentionally returns an error for testing');",
  test_tool_with_logging:
    "console.log('Tool execution started'); console.log('Tool processing data'); console.log('Tool execution completed'); return 'logged';",
  test_logging_tool: "console.log('one line'); return 'logged';",
  test_tool_with_progress:
    "for (const progress of [0, 50, 100]) emit({ progress, total: 100 }); return 'progressed';",
  test_image_content: `return utils.content([${PIXEL}]);`,
  test_audio_content:
    "return utils.content([{ type: 'audio', data: new TextEncoder().encode('RIFF'), mimeType: 'audio/wav' }]);",
  test_embedded_resource: `return utils.content([${resource("test://embedded-resource", "text/plain", "embedded")}]);`,
  test_multiple_content_types: `return utils.content([{ type: 'text', text: 'several:' }, ${PIXEL}, ${resource("test://mixed", "application/json", "{}")}]);`,
};

/** Runs the suite for one revision against an API; the proxy in between adds the key, which the suite knows nothing of. */
export async function runConformance(
  url: string,
  key: string | null,
  revision: string,
): Promise<{ code: number; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url: path = "" } = incoming;
    const outgoing = request(url + path, { method, headers }, (came) => {
      answer.writeHead(came.statusCode ?? 502, came.headers);
      answer.flushHeaders();
      came.pipe(answer);
    });
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  try {
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
    const args = [SUITE, "server", "--url", at, "--requirements", revision, "-o", "results"];
    const child = spawn(process.execPath, [...args, "--expected-failures", EXPECTED_FAILURES], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) printed += await failuresIn(folder);
    return { code: code ?? -1, printed };
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What failed, by the ids of the single checks. */
async function failuresIn(folder: string): Promise<string> {
  let told = "";
  for await (const file of glob(`${folder}/results/**/checks.json`)) {
    const checks = JSON.parse(await readFile(file, "utf8")) as {
      id: string;
      status: string;
      errorMessage?: string;
    }[];
    for (const { id, status, errorMessage } of checks)
      if (status === "FAILURE" || status === "WARNING")
        told += `\n${basename(dirname(file))}:${id}: ${status} ${errorMessage}`;
  }
  return told;
}
