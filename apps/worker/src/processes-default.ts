import { totalmem } from "node:os";

/** The memory of one sandbox process with its tool, for an operator's estimate. */
const PROCESS_MIB = 100;
/** The share of the memory that sandboxes may take where nobody says more: the stores may be on the same machine. */
const MEMORY_SHARE = 1 / 4;
const FEWEST = 16;
const MOST = 64;

/**
 * How many sandbox processes a worker may have where nothing else is set, by the memory that it may use itself, in MiB. A tenant
 * that finds its own still there is answered in milliseconds; a new one costs a tenth of a second of a processor.
 */
export const processesDefault = (memoryMib: number = usableMib()): number =>
  Math.min(MOST, Math.max(FEWEST, Math.floor((memoryMib * MEMORY_SHARE) / PROCESS_MIB)));

/** The machine's memory, or its container's limit. */
function usableMib(): number {
  const constrained = process.constrainedMemory();
  return Math.min(totalmem(), constrained > 0 ? constrained : Number.POSITIVE_INFINITY) / 2 ** 20;
}
