/** Tells operators of something that went wrong but harms no one, because something slower heals it. */
export type Report = (what: string, error: unknown) => void;
