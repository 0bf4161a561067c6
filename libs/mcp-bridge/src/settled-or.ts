/** Waits for the work, or until the signal fires. */
export async function settledOr(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const fired = Promise.withResolvers<void>();
  const onAbort = (): void => fired.resolve();
  if (signal.aborted) return;
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, fired.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
