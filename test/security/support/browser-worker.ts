/** A worker that has started a browser with a page; it prints the id of the process that made the browser's namespaces. */
import { readFileSync } from "node:fs";
import { openServerLauncher } from "@bulkhead/sandbox";
import { startBrowser } from "@bulkhead/tools/built-in";

const [, , chromium = ""] = process.argv;
try {
  const { signal } = new AbortController();
  const browser = await startBrowser({ launcher: openServerLauncher(), chromium }, "ten_a", signal);
  const way = { egress: null, nextBodyId: () => 1, timeoutMs: 5_000 };
  // Refused, since there is no network: but the page is there.
  await browser.act({ action: "open", url: "https://a.test/" }, way, signal);
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8");
  process.stdout.write(`${JSON.stringify({ children: children.trim().split(" ").map(Number) })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ refused: (error as Error).message })}\n`);
}
