import { setTimeout as wait } from "node:timers/promises";
import { createHash, X509Certificate } from "node:crypto";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { BROWSER_START_MS_MAX, PAGES_MAX } from "../bounds.ts";
import type { ToDriver } from "../browser-frames.ts";
import type { Notes } from "./notes.ts";
import { proxyUrl } from "./proxy.ts";

/** What a page's main frame may show: `chrome-error` is Chromium's own page for one that could not be had. */
const SHOWN = /^(?:https?|about|blob|chrome-error):/;

/** For a page to close; milliseconds. */
const CLOSE_MS_MAX = 2_000;

type Start = Extract<ToDriver, { type: "start" }>;

/** Starts Chromium with a profile that is nowhere but in the memory of this process's root. */
export async function openChromium(
  { chromium: executablePath, port, cert }: Start,
  notes: Notes,
): Promise<{ browser: Browser; context: BrowserContext }> {
  const browser = await chromium.launch({
    executablePath,
    // Its own sandbox takes namespaces within ours, which nobody here has the right to make.
    chromiumSandbox: false,
    proxy: { server: proxyUrl(port), bypass: "<-loopback>" },
    args: [...FLAGS, `--ignore-certificate-errors-spki-list=${keyDigest(cert)}`],
    // Windows that nobody clicked for stay closed, as people know it.
    ignoreDefaultArgs: ["--disable-popup-blocking"],
    handleSIGHUP: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    timeout: BROWSER_START_MS_MAX,
  });
  const context = await browser.newContext({ acceptDownloads: false });
  watch(context, notes);
  return { browser, context };
}

/** No traffic of its own, none beside the proxy, and no device that isn't there. */
const FLAGS = [
  "--disable-gpu",
  "--disable-gpu-watchdog",
  "--disable-quic",
  "--no-first-run",
  "--no-pings",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--disable-breakpad",
  "--disable-crash-reporter",
  "--dns-prefetch-disable",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
];

/** As Chromium wants to know a key that it trusts whatever its certificate says. */
const keyDigest = (cert: string): string =>
  createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

/**
 * Closes the pages whose scripts leave no time for anything else: those that answer nothing for `answerMs`, since nothing could
 * be done with them any more. One that is busy for less stays. False where one does not close.
 */
export async function closeStuck(
  context: Pick<BrowserContext, "pages">,
  notes: Notes,
  answerMs: number,
): Promise<boolean> {
  const closed = context.pages().map(async (page) => {
    // One that goes elsewhere in this moment, or has closed, rejects, and is none that computes without end.
    const answers = page.evaluate("1").then(
      () => true,
      () => true,
    );
    if (await Promise.race([answers, wait(answerMs, false)])) return true;
    notes.add("dismissed", `The page at ${page.url()} did not answer any more, and was closed.`);
    const closing = page.close().then(
      () => true,
      () => false,
    );
    return await Promise.race([closing, wait(CLOSE_MS_MAX, false)]);
  });
  return (await Promise.all(closed)).every(Boolean);
}

/** What happens to pages by themselves. */
function watch(context: BrowserContext, notes: Notes): void {
  const dismissed = (what: string): void => notes.add("dismissed", what);
  context.on("page", (page: Page) => {
    page.on("crash", () => {
      dismissed(`The page at ${page.url()} broke down, mostly for want of memory, and was closed.`);
      void page.close().catch(() => undefined);
    });
    page.on("download", (download) => dismissed(`The download of ${download.url()} was not taken.`));
    page.on("filechooser", () => dismissed("A choice of files was dismissed."));
    page.on("framenavigated", (frame) => {
      if (frame !== page.mainFrame() || SHOWN.test(frame.url()) || frame.url() === "") return;
      dismissed(`A page at ${frame.url()} was closed.`);
      void page.close().catch(() => undefined);
    });
    if (context.pages().length <= PAGES_MAX) return;
    dismissed(`A browser has at most ${PAGES_MAX} pages: the newest one was closed.`);
    void page.close().catch(() => undefined);
  });
  context.on("dialog", (dialog) => {
    dismissed(`The page said (${dialog.type()}): ${dialog.message()}`);
    // Who may not leave a page would stay on it for ever.
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    void answer.catch(() => undefined);
  });
}
