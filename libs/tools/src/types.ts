export { openTypeStripper } from "./types/type-stripper.ts";
