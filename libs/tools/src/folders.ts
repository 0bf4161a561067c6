export { CODE_BYTES_MAX } from "./code-check/bounds.ts";
export { requestOf } from "./packages/prepare-package.ts";
export { BUNDLED_APPROVAL, type BundledPackage, bundledLines } from "./packages/bundled-packages.ts";
export { diffLines } from "./versions/diff-lines.ts";
export { splitExtras } from "./packages/package-metadata.ts";
export { readPackage } from "./packages/read-package.ts";
export { checkApprovalCode } from "./registry/check-approval-code.ts";
export { checkCode } from "./registry/check-code.ts";
export { compileCode } from "./registry/compile-code.ts";
