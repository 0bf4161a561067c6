import type { Page } from "playwright-core";
import type { Seeded } from "./seed.ts";

interface Screen {
  name: string;
  path: (seeded: Seeded) => string;
  /** Who looks: an owner unless said; one of a tenant that has nothing yet, the platform's administrator, or nobody. */
  by?: "newcomer" | "admin" | "nobody";
  /** What is done on the page before the picture. */
  act?: (page: Page) => Promise<void>;
}

/** Every screen of the console, as a picture shows it. */
export const SCREENS: readonly Screen[] = [
  { name: "login", path: () => "/", by: "nobody" },
  { name: "tools", path: () => "/tools" },
  { name: "tools-list", path: () => "/tools?view=list" },
  { name: "tools-none-found", path: () => "/tools?q=nothing+like+it" },
  { name: "tools-empty", path: () => "/tools", by: "newcomer" },
  { name: "tool", path: ({ toolId }) => `/tools/${toolId("route_planner")}` },
  { name: "tool-pending", path: ({ toolId }) => `/tools/${toolId("archive_orders")}` },
  { name: "tool-code", path: ({ toolId }) => `/tools/${toolId("route_planner")}?tab=code` },
  {
    name: "tool-test",
    path: ({ toolId }) => `/tools/${toolId("route_planner")}?tab=test`,
    act: async (page) => {
      await page.getByLabel("Arguments").fill('{ "stops": ["Kiel", "Bremen", "Oldenburg"] }');
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  { name: "keys", path: () => "/keys" },
  {
    name: "keys-new",
    path: () => "/keys",
    act: async (page) => {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("Nightly report");
      await page.getByRole("button", { name: "Make the key" }).click();
      await page.getByText("The key is made").waitFor();
    },
  },
  { name: "audit", path: () => "/audit" },
  {
    name: "audit-entry",
    path: () => "/audit?about=tool",
    act: async (page) => {
      await page.getByRole("table").getByRole("link").first().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "settings", path: () => "/settings" },
  {
    name: "settings-rules",
    path: () => "/settings",
    act: async (page) => {
      await page.getByRole("button", { name: "Add a tool" }).click();
      await page.getByRole("button", { name: "Add a rule" }).click();
    },
  },
  { name: "system", path: () => "/", by: "admin" },
  { name: "system-tenants", path: () => "/system?tab=tenants", by: "admin" },
  {
    name: "palette",
    path: () => "/tools",
    act: async (page) => {
      await page.getByRole("list", { name: "Tools" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("listbox").waitFor();
    },
  },
];
