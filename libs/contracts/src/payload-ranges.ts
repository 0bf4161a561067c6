import { PAYLOAD_RANGE_BYTES_MAX } from "@bulkhead/core";
import { z } from "zod";
import { wholeNumber } from "./fields.ts";

/** Further than any payload reaches. */
const BYTE_MAX = 2 ** 30;

/** Which bytes of a payload's JSON text are asked for. */
export const PayloadQuery = z
  .strictObject({
    from: wholeNumber(0, BYTE_MAX).default(0).describe("The first byte, counted from 0."),
    to: wholeNumber(0, BYTE_MAX)
      .optional()
      .describe(
        `The last byte, as in \`Content-Range\`; fewer are answered where the text ends before. At most ${PAYLOAD_RANGE_BYTES_MAX} bytes at a time, so many also where it is left out.`,
      ),
  })
  .superRefine(({ from, to = from }, issues) => {
    const fault = (message: string): void => issues.addIssue({ code: "custom", path: ["to"], message });
    if (to < from) fault("must not be before from");
    if (to - from >= PAYLOAD_RANGE_BYTES_MAX)
      fault(`must leave ${PAYLOAD_RANGE_BYTES_MAX} bytes at most; ask for the next ones behind them`);
  });
