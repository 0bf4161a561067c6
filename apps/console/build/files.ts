import { fileURLToPath } from "node:url";

/** The folder of the built console, made at install; its files may be served as they are, those ending in .br and .gz beside their originals. */
export const CONSOLE_FILES = fileURLToPath(new URL("../dist", import.meta.url));
