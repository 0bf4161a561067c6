import {
  LARGE_JSON_CHARS,
  readJson,
  type Clock,
  type LogLine,
  type RunLimits,
  type Scrubber,
} from "@bulkhead/core";
import { isUtf8 } from "node:buffer";
import { CUT_MARK } from "@bulkhead/sandbox/wire";
import type { AttemptLog } from "../attempt/attempt-log.ts";
import type { RunVerdict } from "../attempt/run-verdict.ts";
import { failed, type Judged } from "../attempt/judge.ts";
import type { Report } from "../end/report.ts";
import { CoveredLog } from "./covered-log.ts";
import { coverReport } from "./cover-report.ts";
import type { RunSecrets } from "./open-secrets.ts";
import { ToldScrubber } from "./told-scrubber.ts";

export interface CoverDeps {
  clock: Clock;
  report: Report;
}

/** The run whose words are covered. */
export interface CoveredRun {
  tenantId: string;
  deadlineAt: Date;
}

/**
 * Everything that one run lets out passes through here and has its secrets covered: lines and emitted values on their way
 * to the log, the result or error, the arguments of its calls as rows hold them, texts for traces and records, and what
 * the worker reports of it.
 */
export class Cover {
  readonly secrets: RunSecrets;
  /** Reports of this run. */
  readonly report: Report;
  readonly #tenantId: string;
  readonly #log: Pick<AttemptLog, "say" | "sayAll">;
  /** Counts what was covered in what the run told. */
  readonly #told: ToldScrubber;
  readonly #lines: CoveredLog;
  /** A result that was covered while its process waited; `json` is null where nobody could cover it. */
  #large: { json: string | null } | null = null;

  constructor(
    { clock, report }: CoverDeps,
    { tenantId, deadlineAt }: CoveredRun,
    secrets: RunSecrets,
    log: Pick<AttemptLog, "say" | "sayAll">,
  ) {
    this.secrets = secrets;
    this.report = coverReport(report, secrets.scrubber);
    this.#tenantId = tenantId;
    this.#log = log;
    const scrubber = new ToldScrubber(secrets.scrubber);
    this.#told = scrubber;
    this.#lines = new CoveredLog({
      log,
      scrubber,
      tenantId,
      secrets,
      report: this.report,
      clock,
      deadlineAt,
    });
  }

  /** Tells lines that the tool wrote at one moment. */
  lines(lines: readonly LogLine[]): void {
    this.#lines.lines(lines);
  }

  /** Tells a value that the tool emitted. */
  progress(json: string): void {
    this.#lines.progress(json);
  }

  /** Tells all that waits; no line and no value is told after it. */
  async finishLines(): Promise<void> {
    await this.#lines.end();
  }

  /** Covers a result that is too large to be covered between two other things; false where it is no JSON. Never rejects. */
  async largeResult(json: string): Promise<boolean> {
    this.#large = { json: null };
    try {
      const document = await this.#told.document(this.#tenantId, json);
      if (document === null) return false;
      this.#large = { json: document.json };
    } catch (error) {
      this.report("covering a large result failed", error);
    }
    return true;
  }

  /** The end of the run, within its bound for results; the same object where nothing was covered. */
  end(verdict: RunVerdict, judged: Judged, { resultBytes }: Pick<RunLimits, "resultBytes">): Judged {
    const { error } = judged;
    if (error !== null) {
      const message = coverMessage(this.#told, error.message);
      return message === error.message ? judged : { ...judged, error: { ...error, message } };
    }
    if (verdict.outcome !== "returned") return judged;
    const json = this.#large ? this.#large.json : this.#told.json(verdict.json);
    if (json === null) return NOT_COVERED;
    if (json === verdict.json) return judged;
    if (Buffer.byteLength(json) > resultBytes) return tooLarge(resultBytes);
    return { ...judged, result: readJson(json) };
  }

  /**
   * Text or bytes that stay behind the run, such as a file's; the same value where nothing was covered. Rejects where nobody
   * could cover it.
   */
  async kept(content: string | Uint8Array): Promise<string | Uint8Array> {
    if (typeof content === "string") return this.keptText(content);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (isUtf8(bytes)) {
      const text = bytes.toString();
      const covered = await this.keptText(text);
      return covered === text ? content : Buffer.from(covered);
    }
    const stream = this.secrets.scrubber.bytes();
    const covered = Buffer.concat([stream.push(bytes), stream.end()]);
    return covered.equals(bytes) ? content : covered;
  }

  /** The same of JSON. */
  async keptJson(json: string): Promise<string> {
    if (json.length <= LARGE_JSON_CHARS) return this.#told.json(json);
    const document = await this.#told.document(this.#tenantId, json);
    if (document === null) throw new Error("what is kept nests too deep to be covered");
    return document.json;
  }

  /** The same of text. */
  async keptText(text: string): Promise<string> {
    if (text.length <= LARGE_JSON_CHARS) return this.#told.text(text);
    return JSON.parse(await this.keptJson(JSON.stringify(text))) as string;
  }

  /** Says in the run's last line how much was covered in what it told, where anything was. */
  sayCounts(): void {
    const notice = this.#told.notice();
    if (notice !== null) this.#log.say(notice);
  }

  /** A text for a trace or a record, which does not count as told by the run. */
  text(text: string): string {
    return this.secrets.scrubber.text(text);
  }

  /** JSON for a row, which does not count as told by the run. */
  json(json: string): string {
    return this.secrets.scrubber.json(json);
  }
}

/** The start of a secret just before a cut is covered too. */
function coverMessage(scrubber: Pick<Scrubber, "text" | "lines">, text: string): string {
  // Only an error's place follows the mark: an earlier mark is the tool's own text.
  const at = text.lastIndexOf(CUT_MARK);
  if (at < 0) return scrubber.text(text);
  const lines = scrubber.lines();
  const start = [...lines.push(text.slice(0, at)), ...lines.settle(), ...lines.end()];
  return start.map((line) => line.text).join("") + scrubber.text(text.slice(at));
}

const NOT_COVERED = failed(
  "failed",
  "tool.output_invalid",
  "The result could not be searched for secrets in time. Call the tool again, or return less.",
);

const tooLarge = (resultBytes: number): Judged =>
  failed(
    "failed",
    "tool.result_too_large",
    `With its secrets covered the result has more than ${resultBytes} bytes (limits.resultBytes).`,
  );
