/** Passes an error on unless the same one came within the last `everyMs`: an outage is one message, not a flood. */
export function calmly(onError: (error: Error) => void, everyMs = 10_000): (error: unknown) => void {
  let last = { message: "", at: Number.NEGATIVE_INFINITY };
  return (thrown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const at = performance.now();
    if (error.message === last.message && at - last.at < everyMs) return;
    last = { message: error.message, at };
    onError(error);
  };
}
