// `npm run console:pictures`: a PNG of each screen of the console, in both themes and at two widths, from a tenant that was
// filled for it. `-- --only tools,tool` takes some screens, `--out <folder>` says where to (`.data/pictures` unless given),
// `--serve` takes none, and prints a link to look by oneself until Ctrl-C.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBrowser, type Browser } from "../../support/browser.ts";
import { SmallServer } from "../../support/mcp-servers.ts";
import { startProduct } from "../../load/product.ts";
import { toldToEnd } from "../../load/closed-at-end.ts";
import { Bulkhead } from "@bulkhead/client";
import { SCREENS } from "./screens.ts";
import { seed, type Seeded } from "./seed.ts";

const SIZES = { wide: { width: 1_280, height: 800 }, narrow: { width: 360, height: 760 } } as const;
const THEMES = ["light", "dark"] as const;
/** What comes in after the page was there, as fonts and lists, has come by then; milliseconds. */
const SETTLED_MS = 400;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    out: { type: "string", default: ".data/pictures" },
    serve: { type: "boolean", default: false },
  },
});
const names = values.only?.split(",");
const screens = SCREENS.filter(({ name }) => names === undefined || names.includes(name));
const unknown = names?.filter((name) => !SCREENS.some((screen) => screen.name === name)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(
    `There is no screen ${unknown.join(", ")}. There are: ${SCREENS.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

const linkOf = async ({ url }: Seeded, key: string, path: string): Promise<string> => {
  const { code } = await new Bulkhead({ url, key }).sessions.code({ key });
  return `${url}/console${path}#code=${code}`;
};

async function takeOne(browser: Browser, seeded: Seeded, screen: (typeof SCREENS)[number]): Promise<void> {
  const { name, path, by = "owner", act } = screen;
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of THEMES) {
      const context = await browser.open({ viewport, colorScheme });
      const page = await context.newPage();
      const at = path(seeded);
      const key = { owner: seeded.key, newcomer: seeded.emptyKey, admin: seeded.adminKey, nobody: null }[by];
      await page.goto(key === null ? `${seeded.url}/console${at}` : await linkOf(seeded, key, at));
      await page.getByRole("heading").first().waitFor();
      await act?.(page);
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: join(values.out, `${name}-${size}-${colorScheme}.png`), fullPage: true });
      await context.close();
    }
  process.stdout.write(`${name}\n`);
}

// One of the tenant's MCP servers, which is on this machine.
const mcpServer = await new SmallServer().start();
const product = await startProduct({ EGRESS_ALLOW: "127.0.0.0/8" });
try {
  const seeded = await seed(product, mcpServer);
  if (values.serve) {
    process.stdout.write(`${await linkOf(seeded, seeded.key, "/")}\n`);
    await new Promise((resolve) => toldToEnd.addEventListener("abort", resolve, { once: true }));
  } else {
    await mkdir(values.out, { recursive: true });
    const browser = await startBrowser();
    try {
      for (const screen of screens) await takeOne(browser, seeded, screen);
    } finally {
      await browser.close();
    }
  }
} finally {
  await product.close();
  await mcpServer.close();
}
