import { isNightly, leakCheck, until } from "@bulkhead/testing";
import { afterEach, expect, test } from "vitest";
import { PDF_PAGES_MAX } from "./bounds.ts";
import { ENCRYPTED, samplePdf } from "./fixtures/sample-pdf.ts";
import { PageReader } from "./page-reader.ts";

leakCheck();

const NEVER = new AbortController().signal;
/** More than a busy machine takes for one that is sound, in milliseconds. */
const AMPLE_MS = 30_000;
let reader = new PageReader(AMPLE_MS, AMPLE_MS, "pdf");
afterEach(async () => {
  await reader.close();
  reader = new PageReader(AMPLE_MS, AMPLE_MS, "pdf");
});

const read = (bytes: Uint8Array, textCharsMax = 10_000) =>
  reader.run(
    { bytes, contentType: "application/pdf", url: "https://a.example/", textCharsMax, format: "text" },
    { tenantId: "ten_a", signal: NEVER },
  );

test("a PDF becomes its text, page by page, and what is no PDF says so, in one process", async () => {
  expect(await read(samplePdf(["Ships sail\nfar away", "The end"]))).toEqual({
    outcome: "read",
    page: {
      title: "",
      text: "[Page 1]\nShips sail\nfar away\n\n[Page 2]\nThe end",
      links: [],
      truncated: false,
      pages: 2,
    },
  });
  expect(await read(samplePdf(["Ships", "sail"]), 12)).toMatchObject({
    page: { text: "[Page 1]\nShi", truncated: true, pages: 2 },
  });
  expect(await read(Buffer.from("%PDF-1.7 and nothing"))).toEqual({ outcome: "unreadable", why: "broken" });
  expect(await read(samplePdf(["secret"], ENCRYPTED))).toEqual({ outcome: "unreadable", why: "encrypted" });
  expect(await read(samplePdf(["well"]))).toMatchObject({ page: { text: "[Page 1]\nwell" } });
  expect(reader.pids).toHaveLength(1);
});

test.runIf(isNightly)("no more pages are read than the bound", async () => {
  const many = samplePdf(Array.from({ length: PDF_PAGES_MAX + 1 }, () => "x"));
  expect(await read(many, 1_000_000)).toMatchObject({ page: { truncated: true, pages: PDF_PAGES_MAX + 1 } });
});

test("one that takes too long is ended with its process, and the next one is read", async () => {
  await reader.close();
  reader = new PageReader(AMPLE_MS, 1, "pdf");
  expect(await read(samplePdf(["x"]))).toEqual({ outcome: "overran" });
  await until(() => Promise.resolve(reader.pids.length === 0), { what: "the process ends" });
});
