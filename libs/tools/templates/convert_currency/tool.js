const TRIES_MAX = 4;
const PAUSE_MS = 250;
/** Longer than this nobody waits within one run: the error then tells when to come back. */
const PAUSE_MS_MAX = 4_000;

export async function run({ amount, from, to }) {
  if (from === to) return { amount, rate: 1, date: utils.now().slice(0, 10) };
  const query = new URLSearchParams({ base: from, symbols: to });
  const { rates, date } = await getPatiently(`https://api.frankfurter.dev/v1/latest?${query}`);
  const rate = rates?.[to];
  if (typeof rate !== "number") throw new Error(`There is no rate from ${from} to ${to}.`);
  return { amount: utils.round(amount * rate), rate, date };
}

/** Tries again what another moment may mend, and nothing else: a refused request is refused the next time too. */
async function getPatiently(url) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await api.rest({ url });
    } catch (error) {
      const pause = pauseBefore(error, tries);
      if (!isPassing(error) || tries === TRIES_MAX || pause > PAUSE_MS_MAX) throw error;
      console.warn(`Try ${tries} failed (${error.message}); the next one is in ${Math.round(pause)} ms.`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Too many requests, a server's own fault, or a network that failed (`code`, and no status). */
const isPassing = ({ status, code }) =>
  status === 429 || status >= 500 || code === "failed" || code === "timeout";

/** The server's own wish, else 250 ms, 500 ms, 1 s with up to half as much again by chance: callers don't come back at once. */
const pauseBefore = ({ retryAfter }, tries) =>
  typeof retryAfter === "number" ? retryAfter * 1_000 : PAUSE_MS * 2 ** (tries - 1) * (1 + Math.random() / 2);
