import { lazily } from "./lazily.ts";

declare const require: (path: string) => unknown;

/** Only some bodies need these: most are a text that is read whole. */
export const streams = lazily(() => require("./streams.ts") as typeof import("./streams.ts"));
export const blobs = lazily(() => require("./blob.ts") as typeof import("./blob.ts"));
export const forms = lazily(() => require("./form-data.ts") as typeof import("./form-data.ts"));
export const mediaTypes = lazily(() => require("./media-type.ts") as typeof import("./media-type.ts"));
export const multipart = lazily(() => require("./multipart.ts") as typeof import("./multipart.ts"));
