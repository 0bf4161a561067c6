/** Words that end in one of these: `apikey`, `accessTokens`. */
const SECRET_WORD =
  /(?:key|token|secret|password|passwd|passphrase|pwd|credential|bearer|cookie|authorization)s?$/;

/** Whether a field of this name is likely meant for a secret; a wrong guess only hides a value that might be shown. */
export const namesSecret = (field: string): boolean =>
  field
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .some((word) => SECRET_WORD.test(word));
