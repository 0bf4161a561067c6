/** Resolves when the work is over, or the signal has fired, whichever is first. Rejects with what the work rejects with. */
export async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
