/** How its numbers want to be read. */
export const FRAME =
  "Times drift with the machine and with who else uses it; ratios are taken within one round, where both sides met the same machine. " +
  "A figure is the median of its rounds, beside it the lowest and the highest. Load and product share the same processors.";

/** Above this share of processors in use by others, times are doubtful. */
export const BUSY_MAX = 0.1;
