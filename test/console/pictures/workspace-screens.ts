import type { Screen } from "./screens.ts";

/** Files, data and the built-in tools, as pictures show them. */
export const WORKSPACE_SCREENS: readonly Screen[] = [
  { name: "tools-built-in", path: () => "/tools/built-in" },
  {
    name: "tools-built-in-run",
    path: () => "/tools/built-in?tool=list_files",
    act: async (page) => {
      await page.getByRole("button", { name: "Run tool" }).click();
      await page.getByText("Succeeded").waitFor();
    },
  },
  { name: "files", path: () => "/files" },
  { name: "files-empty", path: () => "/files", by: "newcomer" },
  {
    name: "files-chosen",
    path: () => "/files?in=logs",
    act: async (page) => {
      await page.getByLabel("Select day-02.txt").click();
      await page.getByLabel("Select day-03.txt").click();
    },
  },
  { name: "files-found", path: () => "/files?q=planned+%5Cd%7B2%7D" },
  { name: "file", path: () => "/files?open=README.md" },
  { name: "file-code", path: () => "/files?open=scripts%2Ftidy.js" },
  {
    name: "file-versions",
    path: () => "/files?open=README.md&tab=versions",
    act: async (page) => {
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("button", { name: "Restore version 1" }).waitFor();
    },
  },
  {
    name: "file-edit",
    path: () => "/files?open=README.md",
    act: (page) => page.getByRole("button", { name: "Edit" }).click(),
  },
  { name: "devices", path: () => "/devices" },
  { name: "devices-empty", path: () => "/devices", by: "newcomer" },
  {
    name: "device",
    path: ({ deviceId }) => `/devices?open=${deviceId}`,
    act: (page) => page.getByText("read-log").last().waitFor(),
  },
  {
    name: "devices-pair",
    path: () => "/devices",
    act: async (page) => {
      await page.getByRole("button", { name: "Pair a device" }).click();
      await page.getByRole("button", { name: "Make a code" }).click();
      await page.getByText(/Works once/).waitFor();
    },
  },
  { name: "data", path: () => "/data" },
  { name: "data-empty", path: () => "/data", by: "newcomer" },
  { name: "data-collection", path: () => "/data?in=invoices" },
  { name: "data-document", path: () => "/data?in=invoices&open=INV-2005" },
  {
    name: "data-edit",
    path: () => "/data?in=invoices&open=INV-2005",
    act: (page) => page.getByRole("button", { name: "Edit" }).click(),
  },
  {
    name: "settings-files",
    path: () => "/settings",
    act: (page) => page.getByRole("button", { name: "Add an agent" }).click(),
  },
];
