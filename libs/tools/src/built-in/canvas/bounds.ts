const KIB = 1_024;
const MIB = 1_024 * KIB;

/** UTF-16 units of a source in arguments, within the bound of a call's arguments; and of one that is a file. */
export const SOURCE_CHARS_MAX = 128 * KIB;
export const FILE_SOURCE_CHARS_MAX = 1 * MIB;
/** Elements of an SVG, and those within each other. */
export const ELEMENTS_MAX = 20_000;
export const DEPTH_MAX = 256;

/** A side of a picture in CSS pixels, as it is asked for. */
export const SIDE_MAX = 8_192;
export const SCALE_MIN = 0.1;
export const SCALE_MAX = 4;
/** Pixels of a picture, its scale included. */
export const PIXELS_MAX = 16 * MIB;
/** The size of what says none, as browsers have it, and of a page of HTML. CSS pixels. */
export const SVG_SIZE_DEFAULT = { width: 300, height: 150 } as const;
export const HTML_SIZE_DEFAULT = { width: 800, height: 600 } as const;
/** Characters of a colour. */
export const COLOUR_CHARS_MAX = 64;

/** Bytes of a picture as an answer brings it; with `saveAs` it may have more. */
export const SHOWN_BYTES_MAX = 512 * KIB;
export const PICTURE_BYTES_MAX = 8 * MIB;

/** A process's time for one picture, in milliseconds; 16 Mpx take about 1,500. */
export const DRAW_MS_MAX = 10_000;
/** The same as a process keeps it itself, for when nobody is left to end it. */
export const DRAW_ALONE_MS_MAX = 20_000;
/** A process's heap, the memory in which pictures are drawn, and all that it takes. */
export const DRAW_HEAP_MIB_MAX = 128;
const DRAW_MIB_MAX = 384;
export const DRAW_MEMORY_BYTES_MAX = 768 * MIB;
/** A page of memory as WebAssembly counts it, in KiB. */
const WASM_PAGE_KIB = 64;
export const DRAW_WASM_PAGES_MAX = (DRAW_MIB_MAX * KIB) / WASM_PAGE_KIB;

/** Characters of a reason that a drawing program gives. */
export const WHY_CHARS_MAX = 500;
/** The largest source escaped as JSON, and the largest picture in base64. */
export const DRAW_JOB_BYTES_MAX = 8 * MIB;
export const DRAWN_BYTES_MAX = 12 * MIB;
