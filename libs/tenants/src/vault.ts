export { type AccessKeys, openAccessKeys } from "./vault/access-keys.ts";
export { type MasterKeys, openLocalKeys } from "./vault/local-keys.ts";
export {
  makeMasterKey,
  readOldMasterKeys,
  replaceKeptMasterKey,
  writeKeyFile,
} from "./vault/master-key-files.ts";
export { openLocalVault } from "./vault/open-local-vault.ts";
export { type Rotation, rotateKeys } from "./vault/rotate-keys.ts";
