import type { Page } from "playwright-core";
import { writeCode } from "../../support/console.ts";
import type { Screen } from "./screens.ts";

const editorOf = (page: Page): Promise<void> => page.locator(".monaco-editor").first().waitFor();
const checked = (page: Page): Promise<void> =>
  page
    .getByText(/\b(No|\d+) problems?\b/)
    .filter({ visible: true })
    .first()
    .waitFor();

/** Each time something else is saved, or there would be no conflict from the second time on. */
let conflicts = 0;

/** The builder of tools, from its beginning to what can come between. */
export const BUILDER_SCREENS: readonly Screen[] = [
  {
    name: "builder-start",
    path: () => "/tools/new",
    act: (page) => page.getByText("Start from a template").waitFor(),
  },
  {
    name: "builder-template",
    path: () => "/tools/new?from=template&of=clean_text",
    act: async (page) => {
      await editorOf(page);
      await checked(page);
    },
  },
  {
    name: "builder-command",
    path: () => "/tools/new?from=command",
    act: async (page) => {
      await writeCode(page, "grep -rn -- {{.words}} ./reports | head -n 20");
      await page.getByLabel("Another variable").fill("REPORTS_TOKEN");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByLabel("Value of REPORTS_TOKEN").fill("short");
      await page.getByText("1 problem").first().waitFor();
    },
  },
  {
    name: "builder-problems",
    path: ({ toolId }) => `/tools/${toolId("route_planner")}/edit?side=permissions`,
    act: async (page) => {
      await writeCode(page, "const legs = ;\nreturn legs;\n");
      await page.getByText("1 problem").first().waitFor();
    },
  },
  {
    name: "builder-parameters",
    path: ({ toolId }) => `/tools/${toolId("route_planner")}/edit?tab=parameters`,
    act: checked,
  },
  {
    name: "builder-parameters-json",
    path: () => "/tools/new?from=blank&tab=parameters",
    act: async (page) => {
      await page.getByRole("group").getByRole("button", { name: "JSON", exact: true }).click();
      await page.getByRole("region", { name: "Parameters" }).locator(".monaco-editor").waitFor();
    },
  },
  {
    name: "builder-parameters-example",
    path: () => "/tools/new?from=blank&tab=parameters",
    act: async (page) => {
      await page.getByRole("button", { name: "From an example" }).click();
      const dialog = page.getByRole("dialog");
      const sample = { since: "2026-02-03", rows: [{ id: 1, note: "first" }, { id: 2.5 }] };
      await dialog.getByRole("textbox").fill(JSON.stringify(sample));
      await dialog.getByRole("listitem").nth(1).waitFor();
    },
  },
  {
    name: "builder-details",
    path: ({ toolId }) => `/tools/${toolId("customer_lookup")}/edit?tab=details`,
    act: checked,
  },
  {
    name: "builder-services",
    path: ({ toolId }) => `/tools/${toolId("customer_lookup")}/edit?side=permissions&at=side`,
    act: (page) => page.getByText("Not filled in").first().waitFor(),
  },
  {
    name: "builder-run",
    path: () => "/tools/new?from=template&of=clean_text&at=side",
    act: async (page) => {
      await page.getByRole("button", { name: "pasted" }).first().click();
      await page.getByRole("button", { name: "Run draft" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  {
    name: "builder-draft",
    path: ({ toolId }) => `/tools/${toolId("route_planner")}/edit`,
    act: async (page) => {
      await writeCode(
        page,
        "const km = 12.75;\nreturn { legs: args.stops, totalKm: km * args.stops.length };",
      );
      await page.getByText("Not saved").waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Continue with the draft" }).waitFor();
    },
  },
  {
    name: "builder-conflict",
    path: ({ toolId }) => `/tools/${toolId("plan_week")}/edit`,
    act: async (page) => {
      const other = await page.context().newPage();
      conflicts += 1;
      await other.goto(page.url());
      for (const [one, text] of [
        [other, `Monday, at ${conflicts}`],
        [page, "Monday, late"],
      ] as const) {
        await writeCode(one, `return { week: args.week, begins: "${text}" };`);
        await one.getByRole("button", { name: "Save" }).click();
        if (one === other) await one.getByText("Saved.").waitFor();
      }
      await other.close();
      await page.getByText("Somebody else has changed the tool").waitFor();
    },
  },
];
