/** The execution that a report is about, by ids alone. */
export interface ReportedExecution {
  traceId: string;
  executionId: string;
  attempt: number;
}

/** What a report is about, by ids and names alone. */
type Reported = ReportedExecution | Readonly<Record<string, string | number>>;

/** Tells operators of something that went wrong but harms no one, because something slower heals it. */
export type Report = (what: string, error: unknown, about?: Reported) => void;

/** Reports as being about this execution what is not said to be about another. */
export const reportOf =
  (report: Report, { traceId, executionId, attempt }: ReportedExecution): Report =>
  (what, error, about = { traceId, executionId, attempt }) =>
    report(what, error, about);
