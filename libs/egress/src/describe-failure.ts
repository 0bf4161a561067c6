import { errors } from "undici";
import { Refusal } from "./refusal.ts";

const BY_CODE: Record<string, string> = {
  ECONNREFUSED: "it refused the connection",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
  EPIPE: "it closed the connection",
  EHOSTUNREACH: "it could not be reached",
  ENETUNREACH: "it could not be reached",
  EADDRNOTAVAIL: "it could not be reached",
  ETIMEDOUT: "it could not be reached in time",
  UND_ERR_CONNECT_TIMEOUT: "it could not be reached in time",
  UND_ERR_HEADERS_TIMEOUT: "it did not answer in time",
  UND_ERR_BODY_TIMEOUT: "it stopped answering",
  UND_ERR_HEADERS_OVERFLOW: "its response headers are too large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "its response is shorter or longer than it said",
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is not trusted",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not trusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not trusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not trusted",
};

/**
 * Turns a request's failure into a refusal that names the host as the tool gave it. The library's own texts name
 * addresses, so none of them is passed on.
 */
export function describeFailure(error: unknown, host: string): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal("failed", `the request to ${host} failed: ${failureReason(error)}`, error);
}

/** Whether the other side ended the connection, as opposed to an error in its data. */
export const isConnectionLoss = (error: unknown): boolean =>
  ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(readCode(error));

/** The failure in words that name no address. */
export function failureReason(error: unknown): string {
  const code = readCode(error);
  const known = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  if (known !== undefined) return known;
  if (error instanceof errors.HTTPParserError) return "its response is not valid HTTP";
  if (/^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return "it does not speak TLS as it should";
  if (/^(Z_|ERR_BROTLI|ERR_PADDING|ERR__ERROR_FORMAT|ZSTD|ERR_ZSTD)/.test(code))
    return "its response can't be decompressed";
  return "the connection or the response is broken";
}

function readCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return readCode(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
