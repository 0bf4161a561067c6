import { SPEECH_PROGRAM, type SandboxLayerReport, type SpeechProvider } from "@bulkhead/core";
import type { Logger } from "pino";

/** Logs the layers around sandboxes; missing ones are one warning line, with each reason. */
export function reportLayers(
  reports: readonly SandboxLayerReport[],
  logger: Pick<Logger, "info" | "warn">,
): void {
  const layers = reports.filter(({ inForce }) => inForce).map(({ layer }) => layer);
  const missing = reports.filter(({ inForce }) => !inForce);
  logger.info({ layers }, "the sandbox stands");
  if (missing.length === 0) return;
  const why = Object.fromEntries(missing.map(({ layer, detail }) => [layer, detail]));
  logger.warn({ missing: why }, `the sandbox lacks ${missing.length} of ${reports.length} layers`);
}

interface Programs {
  CHROMIUM?: string | undefined;
  SPEECH_PROVIDER?: SpeechProvider | undefined;
  chromium: object | { missing: string };
  speaker: object | { missing: string };
}

/** Logs what settings name and this machine can't use; what nobody named is told by the list of engines alone. */
export function reportPrograms(
  { CHROMIUM, SPEECH_PROVIDER, chromium, speaker }: Programs,
  logger: Pick<Logger, "warn">,
): void {
  if (CHROMIUM !== undefined && "missing" in chromium)
    logger.warn({ why: chromium.missing }, "CHROMIUM is set, and this worker can't use it");
  if (SPEECH_PROVIDER === SPEECH_PROGRAM && "missing" in speaker)
    logger.warn({ why: speaker.missing }, "SPEECH_PROVIDER is espeak_ng, and this worker can't use it");
}
