export { openTypeStripper } from "./type-stripper.ts";
