import { dateNow as now, defineProperty, globalScope, objectFreeze } from "./primordials.ts";

/** The parts of the language's own Temporal that this file names. */
interface Instant {
  toZonedDateTimeISO(timeZone: string): {
    toPlainDateTime(): unknown;
    toPlainDate(): unknown;
    toPlainTime(): unknown;
  };
}
interface LanguageTemporal {
  Instant: { fromEpochMilliseconds(ms: number): Instant };
}

/** The language's Temporal with clocks that tick in whole milliseconds, as `Date` does: finer ones help to spy. */
export function coarseTemporal(): unknown {
  const { Temporal } = globalScope as { Temporal?: LanguageTemporal };
  if (Temporal === undefined) return undefined;
  const { Instant: InstantCtor } = Temporal;
  const fromMs = InstantCtor.fromEpochMilliseconds.bind(InstantCtor);
  const instant = (): Instant => fromMs(now());
  const zoned = (zone = "UTC") => instant().toZonedDateTimeISO(zone);
  const value = objectFreeze({
    instant,
    timeZoneId: () => "UTC",
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone?: string) => zoned(zone).toPlainDateTime(),
    plainDateISO: (zone?: string) => zoned(zone).toPlainDate(),
    plainTimeISO: (zone?: string) => zoned(zone).toPlainTime(),
  });
  defineProperty(Temporal, "Now", { value, writable: false, configurable: false, enumerable: false });
  return Temporal;
}
