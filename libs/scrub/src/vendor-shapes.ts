import { AUDIENCES } from "./vendors/audiences.ts";
import { CLOUDS } from "./vendors/clouds.ts";
import { CODE_HOSTS } from "./vendors/code-hosts.ts";
import { COMMERCE } from "./vendors/commerce.ts";
import { MODELS } from "./vendors/models.ts";
import { SERVICES } from "./vendors/services.ts";
import type { VendorShape } from "./vendors/vendor-shape.ts";

/** Tokens whose shape identifies their vendor. */
export const VENDOR_SHAPES: readonly VendorShape[] = [
  ...CODE_HOSTS,
  ...CLOUDS,
  ...MODELS,
  ...SERVICES,
  ...COMMERCE,
  ...AUDIENCES,
];
