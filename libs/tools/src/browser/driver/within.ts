import type { Page, Request } from "playwright-core";
import { PAGE_QUIET_MS, PAGE_SETTLE_MS_MAX } from "../action-bounds.ts";

/** The page did not answer in time: its script doesn't end, or its process is gone. */
export class StuckError extends Error {
  override readonly name = "StuckError";

  constructor() {
    super("the page does not answer");
  }
}

/** Rejects with a StuckError where the work takes longer; what it comes to then is nobody's any more. */
export async function within<T>(msMax: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StuckError()), msMax);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Null where it takes longer, or fails. */
export const settledWithin = <T>(msMax: number, work: Promise<T>): Promise<T | null> =>
  within(msMax, work).catch(() => null);

/** Does it, and waits until what it set going in the page is over: no request of it is under way for a moment. */
export async function andSettle<T>(page: Page, work: () => Promise<T>): Promise<T> {
  const open = new Set<Request>();
  let quietSince = performance.now();
  const began = (request: Request): void => void open.add(request);
  const ended = (request: Request): void => {
    open.delete(request);
    quietSince = performance.now();
  };
  page.on("request", began);
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  try {
    const done = await work();
    const until = performance.now() + PAGE_SETTLE_MS_MAX;
    quietSince = performance.now();
    while (performance.now() < until && (open.size > 0 || performance.now() - quietSince < PAGE_QUIET_MS))
      await new Promise((resolve) => setTimeout(resolve, PAGE_QUIET_MS / 3));
    await settledWithin(PAGE_QUIET_MS * 2, page.waitForLoadState("domcontentloaded"));
    return done;
  } finally {
    page.off("request", began);
    page.off("requestfinished", ended);
    page.off("requestfailed", ended);
  }
}
