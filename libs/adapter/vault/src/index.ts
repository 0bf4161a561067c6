export { admitMasterKeys, type AdmitDeps } from "./admit-master-keys.ts";
export { openLocalKeys, type LocalKeys, type MasterKeys } from "./local-keys.ts";
export { makeMasterKey, readOldMasterKeys, replaceKeptMasterKey, writeKeyFile } from "./master-key-files.ts";
export { openLocalVault } from "./open-local-vault.ts";
export { openVault } from "./open-vault.ts";
export { rotateKeys, type Rotation } from "./rotate-keys.ts";
