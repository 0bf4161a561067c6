/** All keys of the triggers start with it; its hash tag keeps them on one node of a cluster. */
export const PREFIX = "{bh:schedules}";
/** BullMQ's queue of triggers. */
export const QUEUE = "schedules";
