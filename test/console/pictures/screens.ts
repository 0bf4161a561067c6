import type { Page } from "playwright-core";
import { BUILDER_SCREENS } from "./builder-screens.ts";
import type { Seeded } from "./seed.ts";
import { WORKSPACE_SCREENS } from "./workspace-screens.ts";

export interface Screen {
  name: string;
  path: (seeded: Seeded) => string;
  /** Who looks: an owner unless said; one of a tenant that has nothing yet, the platform's administrator, or nobody. */
  by?: "newcomer" | "admin" | "nobody";
  /** What is done on the page before the picture. */
  act?: (page: Page) => Promise<void>;
}

const reached = (page: Page): Promise<void> => page.getByText("Hosts", { exact: true }).waitFor();

/** The boxes of the rows that are shown, whichever those are: other screens call and change tools. */
const rowBoxes = (page: Page) => page.getByRole("checkbox", { name: /^Select (?!all )/ });

/** Every screen of the console, as a picture shows it. */
export const SCREENS: readonly Screen[] = [
  ...BUILDER_SCREENS,
  ...WORKSPACE_SCREENS,
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
      await page.getByLabel("Arguments as JSON").fill('{ "stops": ["Kiel", "Bremen", "Oldenburg"] }');
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  { name: "executions", path: () => "/executions?period=hour" },
  { name: "executions-table", path: () => "/executions?chart=table&status=failed" },
  { name: "executions-none-found", path: () => "/executions?tool=nothing_like_it&min=5000&source=mcp" },
  { name: "executions-empty", path: () => "/executions?period=any", by: "newcomer" },
  {
    name: "executions-filters",
    path: () => "/executions",
    act: async (page) => {
      await page.getByRole("button", { name: "Filters" }).click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "executions-chosen",
    path: () => "/executions",
    act: async (page) => {
      for (const nth of [0, 1]) await rowBoxes(page).nth(nth).click();
      await page.getByRole("button", { name: "Columns" }).click();
    },
  },
  {
    name: "executions-replay-all",
    path: () => "/executions",
    act: async (page) => {
      await page.getByRole("button", { name: "Replay all" }).click();
      await page.getByText("can be replayed.").waitFor();
    },
  },
  { name: "execution", path: ({ executionId }) => `/executions/${executionId("plan_week")}` },
  { name: "execution-failed", path: ({ executionId }) => `/executions/${executionId("slow_export")}` },
  { name: "execution-waits", path: ({ executionId }) => `/executions/${executionId("reorder_parts")}` },
  {
    name: "execution-events",
    path: ({ executionId }) => `/executions/${executionId("plan_week")}?tab=events`,
  },
  {
    name: "execution-tries",
    path: ({ executionId }) => `/executions/${executionId("slow_export")}?tab=attempts`,
  },
  {
    name: "execution-deliveries",
    path: ({ executionId }) => `/executions/${executionId("slow_export")}?tab=deliveries`,
  },
  {
    name: "execution-edited",
    path: ({ executionId }) => `/executions/${executionId("plan_week")}`,
    act: async (page) => {
      await page.getByRole("button", { name: "More to do" }).click();
      await page.getByRole("menuitem", { name: "Replay with other arguments" }).click();
    },
  },
  {
    name: "compare",
    path: () => "/executions?tool=plan_week",
    act: async (page) => {
      for (const nth of [0, 1]) await rowBoxes(page).nth(nth).click();
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("region", { name: "Result" }).waitFor();
    },
  },
  {
    name: "tool-dry-run",
    path: ({ toolId }) => `/tools/${toolId("weather_digest")}?tab=test`,
    act: async (page) => {
      await page.getByRole("button", { name: "Dry run" }).click();
      await page.getByText("What it reached for").waitFor();
    },
  },
  { name: "tool-runs", path: ({ toolId }) => `/tools/${toolId("parse_invoice")}?tab=executions` },
  { name: "tool-versions", path: ({ toolId }) => `/tools/${toolId("parse_invoice")}?tab=versions` },
  { name: "tool-version-waits", path: ({ toolId }) => `/tools/${toolId("weather_digest")}?tab=versions` },
  { name: "tool-access", path: ({ toolId }) => `/tools/${toolId("customer_lookup")}?tab=access` },
  {
    name: "tools-marked",
    path: () => "/tools",
    act: async (page) => {
      for (const nth of [0, 1]) await rowBoxes(page).nth(nth).click();
    },
  },
  {
    name: "tools-import",
    path: () => "/tools",
    act: async (page) => {
      await page.getByRole("button", { name: "Import" }).click();
      await page.locator("input[webkitdirectory]").setInputFiles("libs/tools/templates");
      await page.getByRole("list", { name: "What would be done" }).waitFor();
    },
  },
  {
    name: "tools-agent",
    path: () => "/tools",
    by: "newcomer",
    act: (page) => page.getByRole("button", { name: "Show how" }).click(),
  },
  { name: "keys", path: () => "/keys" },
  {
    name: "keys-new",
    path: () => "/keys",
    act: async (page) => {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByLabel("Name").fill("Nightly report");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByText("The key is created").waitFor();
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
  { name: "usage", path: () => "/usage" },
  { name: "usage-table", path: () => "/usage?period=month&chart=table" },
  { name: "settings", path: () => "/settings" },
  {
    name: "settings-rules",
    path: () => "/settings",
    act: async (page) => {
      await page.getByRole("button", { name: "Add a tool" }).click();
      await page.getByRole("button", { name: "Add a rule" }).click();
    },
  },
  { name: "policy", path: () => "/policy?agent=dispatcher" },
  {
    name: "policy-draft",
    path: () => "/policy?agent=dispatcher&show=changed",
    act: async (page) => {
      await page
        .getByLabel("The policy as JSON")
        .fill(
          JSON.stringify({ agents: { dispatcher: { deny: ["route_planner", "parse_invoice"] } } }, null, 2),
        );
      await page.getByText("Saving gives").waitFor();
    },
  },
  { name: "agents", path: () => "/agents" },
  { name: "agent", path: () => "/agents/one?agent=dispatcher" },
  { name: "agent-tools", path: () => "/agents/one?agent=dispatcher&tab=tools" },
  { name: "agent-connect", path: () => "/agents/one?agent=dispatcher&tab=connect" },
  { name: "mcp-servers", path: () => "/mcp-servers" },
  { name: "mcp-servers-empty", path: () => "/mcp-servers", by: "newcomer" },
  { name: "mcp-requests", path: () => "/mcp-servers?tab=requests" },
  {
    name: "mcp-servers-new",
    path: () => "/mcp-servers",
    act: async (page) => {
      await page.getByRole("button", { name: "Add a server" }).click();
      await page.getByRole("button", { name: "Add a header" }).click();
    },
  },
  { name: "mcp-server", path: () => "/mcp-servers/notes" },
  { name: "mcp-server-changed", path: () => "/mcp-servers/notes?tool=write-note" },
  { name: "mcp-server-access", path: () => "/mcp-servers/notes?tab=access" },
  { name: "mcp-server-setup", path: () => "/mcp-servers/notes?tab=setup" },
  { name: "system", path: () => "/", by: "admin" },
  { name: "system-tenants", path: () => "/system?tab=tenants", by: "admin" },
  { name: "secrets", path: () => "/secrets" },
  { name: "secrets-empty", path: () => "/secrets", by: "newcomer" },
  { name: "secrets-rules", path: () => "/secrets?tab=rules" },
  { name: "secrets-new", path: () => "/secrets?create=true" },
  { name: "secret", path: () => "/secrets/stripe" },
  { name: "secret-revealed", path: () => "/secrets/partner_api" },
  { name: "secret-missing", path: () => "/secrets?missing=maps" },
  { name: "schedules", path: () => "/schedules" },
  { name: "schedules-empty", path: () => "/schedules", by: "newcomer" },
  {
    name: "schedule",
    path: () => "/schedules",
    act: async (page) => {
      await page.getByRole("link", { name: "Morning report" }).click();
      await page.getByRole("list", { name: "Next times" }).waitFor();
    },
  },
  {
    name: "schedule-new",
    path: () => "/schedules",
    act: async (page) => {
      await page.getByRole("button", { name: "New schedule" }).click();
      await page.getByRole("combobox", { name: "Tool" }).fill("invoice");
      await page.getByRole("option", { name: "parse_invoice" }).waitFor();
    },
  },
  {
    name: "run-table",
    path: ({ toolId }) => `/tools/${toolId("customer_lookup")}?tab=test`,
    act: async (page) => {
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  {
    name: "run-markdown",
    path: ({ toolId }) =>
      `/tools/${toolId("daily_report_with_a_name_that_is_as_long_as_names_of_tools_may")}?tab=test`,
    act: async (page) => {
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  {
    name: "run-failed",
    path: ({ toolId }) => `/tools/${toolId("parse_invoice")}?tab=test`,
    act: async (page) => {
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("tool.threw").waitFor();
    },
  },
  { name: "approvals", path: () => "/approvals" },
  { name: "approvals-empty", path: () => "/approvals", by: "newcomer" },
  { name: "approval", path: ({ approvals }) => `/approvals/${approvals.waiting}`, act: reached },
  {
    name: "approval-denied",
    path: ({ approvals }) => `/approvals/${approvals.denied}?tab=answered`,
    act: reached,
  },
  {
    name: "approval-allowed",
    path: ({ approvals }) => `/approvals/${approvals.allowed}?tab=answered`,
    act: reached,
  },
  {
    name: "approval-always",
    path: ({ approvals }) => `/approvals/${approvals.waiting}`,
    act: async (page) => {
      await reached(page);
      await page.keyboard.press("Shift+A");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "approval-new-tool",
    path: ({ approvals }) => `/approvals/${approvals.proposed}`,
    act: (page) => page.getByText("The tool that it makes").waitFor(),
  },
  { name: "approvals-standing", path: () => "/approvals?tab=standing" },
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
