import { Ajv } from "ajv";
import { CHART, defaults, overlay } from "./chart.ts";
import { read } from "./files.ts";

const check = new Ajv({ strict: true, strictTypes: false, allErrors: true }).compile(
  JSON.parse(read(`${CHART}/values.schema.json`)) as object,
);

/** What the chart's schema has against these values over the defaults. */
export const faultsOf = (values: Record<string, unknown>): string[] =>
  check(overlay(defaults(), values))
    ? []
    : (check.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);

export const isValid = (values: Record<string, unknown>): boolean => faultsOf(values).length === 0;
