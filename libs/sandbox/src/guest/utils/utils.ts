import { lazily } from "../lazily.ts";
import { hasCapability } from "../run-facts.ts";

declare const require: (path: string) => unknown;

const cases = lazily(() => require("./cases.ts") as typeof import("./cases.ts"));
const config = lazily(() => require("./config.ts") as typeof import("./config.ts"));
const content = lazily(() => require("./content.ts") as typeof import("./content.ts"));
const csv = lazily(() => require("./csv.ts") as typeof import("./csv.ts"));
const data = lazily(() => require("./data.ts") as typeof import("./data.ts"));
const dates = lazily(() => require("./dates.ts") as typeof import("./dates.ts"));
const encoding = lazily(() => require("./encoding.ts") as typeof import("./encoding.ts"));
const files = lazily(() => require("./files.ts") as typeof import("./files.ts"));
const json = lazily(() => require("./json.ts") as typeof import("./json.ts"));
const lists = lazily(() => require("./lists.ts") as typeof import("./lists.ts"));
const numbers = lazily(() => require("./numbers.ts") as typeof import("./numbers.ts"));
const outside = lazily(() => require("./outside.ts") as typeof import("./outside.ts"));
const paths = lazily(() => require("./paths.ts") as typeof import("./paths.ts"));
const commands = lazily(() => require("./commands.ts") as typeof import("./commands.ts"));
const secrets = lazily(() => require("./secrets.ts") as typeof import("./secrets.ts"));
const signing = lazily(() => require("./signing.ts") as typeof import("./signing.ts"));
const texts = lazily(() => require("./texts.ts") as typeof import("./texts.ts"));
const tools = lazily(() => require("./tools.ts") as typeof import("./tools.ts"));
const validation = lazily(() => require("./validation.ts") as typeof import("./validation.ts"));

/**
 * The global `utils` of tools; FUNCTIONS.md beside this file has a line for each function. Most tools use few of them, so
 * each group is loaded on its first touch: all at once take a tenth of a millisecond, in every run.
 */
export const utils = {
  get callTool() {
    return tools().callTool;
  },
  get listTools() {
    return tools().listTools;
  },
  get fs() {
    return hasCapability("files") ? files().fs : undefined;
  },
  get exec() {
    return hasCapability("shell") ? commands().exec : undefined;
  },
  get data() {
    return hasCapability("data") ? data().data : undefined;
  },
  get db() {
    return hasCapability("db") ? outside().db : undefined;
  },
  get email() {
    return hasCapability("email") ? outside().email : undefined;
  },
  get schedule() {
    return hasCapability("schedule") ? outside().schedule : undefined;
  },
  get content() {
    return content().content;
  },
  get output() {
    return content().output;
  },
  get getApiKey() {
    return config().getApiKey;
  },
  get getServiceConfig() {
    return config().getServiceConfig;
  },
  get getConfigEntry() {
    return config().getConfigEntry;
  },
  get getConfigEntries() {
    return config().getConfigEntries;
  },
  get getFieldValue() {
    return config().getFieldValue;
  },
  get hash() {
    return secrets().hash;
  },
  get hmac() {
    return signing().hmac;
  },
  get uuid() {
    return secrets().uuid;
  },
  get generatePassword() {
    return secrets().generatePassword;
  },
  get base64Encode() {
    return encoding().base64Encode;
  },
  get base64Decode() {
    return encoding().base64Decode;
  },
  get urlEncode() {
    return encoding().urlEncode;
  },
  get urlDecode() {
    return encoding().urlDecode;
  },
  get hexEncode() {
    return encoding().hexEncode;
  },
  get hexDecode() {
    return encoding().hexDecode;
  },
  get now() {
    return dates().now;
  },
  get timestamp() {
    return dates().timestamp;
  },
  get dateDiff() {
    return dates().dateDiff;
  },
  get dateAdd() {
    return dates().dateAdd;
  },
  get formatDate() {
    return dates().formatDate;
  },
  get slugify() {
    return texts().slugify;
  },
  get truncate() {
    return texts().truncate;
  },
  get countWords() {
    return texts().countWords;
  },
  get removeDiacritics() {
    return texts().removeDiacritics;
  },
  get camelCase() {
    return cases().camelCase;
  },
  get snakeCase() {
    return cases().snakeCase;
  },
  get kebabCase() {
    return cases().kebabCase;
  },
  get titleCase() {
    return cases().titleCase;
  },
  get isEmail() {
    return validation().isEmail;
  },
  get isUrl() {
    return validation().isUrl;
  },
  get isJson() {
    return validation().isJson;
  },
  get isUuid() {
    return validation().isUuid;
  },
  get clamp() {
    return numbers().clamp;
  },
  get round() {
    return numbers().round;
  },
  get randomInt() {
    return numbers().randomInt;
  },
  get sum() {
    return numbers().sum;
  },
  get avg() {
    return numbers().avg;
  },
  get parseJson() {
    return json().parseJson;
  },
  get toJson() {
    return json().toJson;
  },
  get parseCsv() {
    return csv().parseCsv;
  },
  get flatten() {
    return paths().flatten;
  },
  get getPath() {
    return paths().getPath;
  },
  get unique() {
    return lists().unique;
  },
  get chunk() {
    return lists().chunk;
  },
  get shuffle() {
    return lists().shuffle;
  },
  get sample() {
    return lists().sample;
  },
  get groupBy() {
    return lists().groupBy;
  },
};
