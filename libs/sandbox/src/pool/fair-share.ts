/** How many processes a tenant may hold for each one that is still free. */
const SHARE_FACTOR = 3;

/**
 * Whether a tenant that holds `own` processes may take another, where `running` of `processesMax` are in use: a dynamic
 * threshold (Choudhury and Hahne, 1998). One tenant alone gets three quarters of a large pool; the more are in use, the less
 * each may add, so that who comes next finds one free. A first process is everyone's.
 */
export const mayHoldMore = (own: number, running: number, processesMax: number): boolean =>
  own === 0 || own + 1 <= SHARE_FACTOR * (processesMax - running);
