// `npm run console:pictures`: a PNG of each screen of the console, in both themes and at two widths, from a tenant that was
// filled for it. `-- --only tools,tool` takes some screens, `--out <folder>` says where to (`.data/pictures` unless given),
// `--serve` takes none, and prints a link to look by oneself until Ctrl-C.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startBrowser, type Browser } from "../../support/browser.ts";
import { toldToEnd } from "../../load/closed-at-end.ts";
import { type Screen, SCREENS } from "./screens.ts";
import type { Seeded } from "./seed.ts";
import { linkOf, openScreen, startSeeded } from "./seeded-product.ts";

const SIZES = { wide: { width: 1_280, height: 800 }, narrow: { width: 360, height: 760 } } as const;
const THEMES = ["light", "dark"] as const;

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

async function takeOne(browser: Browser, seeded: Seeded, screen: Screen): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const colorScheme of THEMES) {
      const page = await openScreen(browser, seeded, screen, { viewport, colorScheme });
      const path = join(values.out, `${screen.name}-${size}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      await page.context().close();
    }
  process.stdout.write(`${screen.name}
`);
}

const { seeded, close } = await startSeeded();
try {
  if (values.serve) {
    process.stdout.write(`${await linkOf(seeded, seeded.key, "/")}
`);
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
  await close();
}
