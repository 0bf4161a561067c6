import { expect, it } from "vitest";
import { laxLimits, limitFlags, parseLimits, resourceLimits } from "./resource-limits.ts";

const TEXT = `Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              3600                 3600                 seconds   
Max file size             0                    0                    bytes     
Max data size             2147483648           2684354560           bytes     
Max stack size            8388608              unlimited            bytes     
Max core file size        0                    0                    bytes     
Max processes             68                   68                   processes 
Max open files            64                   64                   files     
Max nice priority         0                    0                    
`;

it("reads the hard limits of a process", () => {
  const limits = parseLimits(TEXT);
  expect(limits.get("Max open files")).toBe(64);
  expect(limits.get("Max data size")).toBe(2_684_354_560);
  expect(limits.get("Max stack size")).toBe(Infinity);
  expect(limits.has("Limit")).toBe(false);
});

it("finds nothing lax where every limit holds, and names those that don't", () => {
  const limits = resourceLimits(512, 2, true);
  expect(laxLimits(limits, TEXT)).toEqual([]);
  expect(laxLimits(limits, TEXT.replace(/64 {2,}64/, "64                   1024"))).toEqual([
    "Max open files is 1024",
  ]);
  expect(laxLimits(limits, "")).toContain("Max file size is unknown");
});

it("limits no processes where the user is shared: threads of others would count", () => {
  expect(limitFlags(resourceLimits(512, 2, false)).join(" ")).not.toContain("nproc");
});
