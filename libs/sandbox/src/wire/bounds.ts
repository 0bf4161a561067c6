const KIB = 1024;
const MIB = 1024 * KIB;

/** Raised with every change of a frame's shape; both sides refuse any other. */
export const WIRE_VERSION = 4;

/** Bytes of the length in front of each frame, big-endian. */
export const PREFIX_BYTES = 4;

/** The longest order to a sandbox, its code, arguments and config escaped as JSON; a part of a response is far shorter. */
export const TO_SANDBOX_BYTES_MAX = 48 * MIB;

/**
 * The size that every frame of a sandbox may have: a log line, or a request with its headers, however much of it is
 * escaped.
 */
export const FROM_SANDBOX_BYTES_MIN = 768 * KIB;

/** In UTF-16 units, as all `CHARS`. */
export const RESULT_CHARS_MAX = 4 * MIB;
/** A longer result comes as a frame of its own behind its head: JSON within JSON is escaped, and read twice. */
export const RESULT_APART_CHARS = 32 * KIB;
export const PROGRESS_CHARS_MAX = MIB;
export const BODY_CHARS_MAX = 24 * MIB;
export const URL_CHARS_MAX = 16 * KIB;
export const HEADERS_MAX = 256;
export const HEADER_NAME_CHARS_MAX = 256;
export const HEADER_VALUE_CHARS_MAX = 16 * KIB;

/** Lines of one frame, and the characters after which no further line joins it: as many as are covered in a few milliseconds. */
export const FRAME_LINES_MAX = 1_000;
export const FRAME_LINES_CHARS_MAX = 16 * KIB;

/** UTF-8 bytes of one log line, the mark of a cut included. */
export const LOG_LINE_BYTES_MAX = 8 * KIB;
/**
 * Lines and emitted values of one run together; beyond, as with the bytes, one warning and silence. The guest's warning has the
 * number, and the log of a run (`LOG_EVENTS_MAX` of the stream) has room for as many and more.
 */
export const LOG_LINES_MAX = 10_000;
/** Each line or value counts as its bytes and this: an empty line is not free. */
export const LOG_LINE_OVERHEAD_BYTES = 1;
/** The warning that the rest is cut off comes on top of the limit. */
export const LOG_CUT_OFF_BYTES_MAX = 256;

/** Ends a text that was cut off, so that nobody takes its end for the tool's; in an error's text its place follows. */
export const CUT_MARK = " … (cut)";

/** UTF-16 units of a verdict's message. */
/** The longest pause that an error can ask for; milliseconds. */
export const RETRY_AFTER_MS_MAX = 30 * 24 * 3_600_000;
export const MESSAGE_CHARS_MAX = 2 * KIB;

/** Effects of one run that may wait for their answer at one time. */
export const EFFECTS_PENDING_MAX = 64;
/** An effect without its body, as JSON: a URL and headers. */
export const EFFECT_HEAD_CHARS_MAX = 256 * KIB;
/** A call's arguments as JSON, in UTF-8 bytes; independent of the tool's network limits. */
export const CALL_ARGUMENTS_BYTES_MAX = 256 * KIB;
/** A tool's name in a call, before anybody looks it up. */
export const TOOL_NAME_CHARS_MAX = 256;
/** Bytes that one call of `utils.hmac` signs: a worker's thread does it in a millisecond. */
export const HMAC_DATA_BYTES_MAX = 256 * KIB;
/** Names of a service, an entry and a field in a request, before anybody looks them up. */
export const CONFIG_NAME_CHARS_MAX = 256;
/** Names of a family and an operation of a capability, before anybody looks them up. */
export const CAPABILITY_NAME_CHARS_MAX = 64;
/** Bytes that one request of a capability may bring along, such as what is written to a file. */
export const CAPABILITY_CONTENT_BYTES_MAX = MIB;
