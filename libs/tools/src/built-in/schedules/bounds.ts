/** Characters of a schedule's id in arguments. */
export const SCHEDULE_ID_CHARS_MAX = 64;
/** Arguments of a schedule that answers show, as JSON; of larger ones they tell the size. */
export const SHOWN_ARGUMENTS_BYTES_MAX = 2_048;
