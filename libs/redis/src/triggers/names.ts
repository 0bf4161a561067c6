/** All keys of the triggers start with it; its hash tag keeps them on one node of a cluster. */
export const PREFIX = "{bh:schedules}";
/** BullMQ's queue of triggers. */
export const QUEUE = "schedules";
/** Stands beside the triggers and is lost with them; what it holds means nothing. */
export const MARK = `${PREFIX}:filled`;
