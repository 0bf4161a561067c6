import { webInterface } from "./web-interface.ts";
import { defineProperty, ErrorCtor, toText } from "./primordials.ts";

/** The names that have a code, each at the place of its code; an empty one has none any more. */
const NAMES: readonly string[] = [
  "",
  "IndexSizeError",
  "",
  "HierarchyRequestError",
  "WrongDocumentError",
  "InvalidCharacterError",
  "",
  "NoModificationAllowedError",
  "NotFoundError",
  "NotSupportedError",
  "InUseAttributeError",
  "InvalidStateError",
  "SyntaxError",
  "InvalidModificationError",
  "NamespaceError",
  "InvalidAccessError",
  "",
  "TypeMismatchError",
  "SecurityError",
  "NetworkError",
  "AbortError",
  "URLMismatchError",
  "QuotaExceededError",
  "TimeoutError",
  "InvalidNodeTypeError",
  "DataCloneError",
];

/** The constants, in the order of their codes. */
const CONSTANTS: readonly string[] = [
  "INDEX_SIZE_ERR",
  "DOMSTRING_SIZE_ERR",
  "HIERARCHY_REQUEST_ERR",
  "WRONG_DOCUMENT_ERR",
  "INVALID_CHARACTER_ERR",
  "NO_DATA_ALLOWED_ERR",
  "NO_MODIFICATION_ALLOWED_ERR",
  "NOT_FOUND_ERR",
  "NOT_SUPPORTED_ERR",
  "INUSE_ATTRIBUTE_ERR",
  "INVALID_STATE_ERR",
  "SYNTAX_ERR",
  "INVALID_MODIFICATION_ERR",
  "NAMESPACE_ERR",
  "INVALID_ACCESS_ERR",
  "VALIDATION_ERR",
  "TYPE_MISMATCH_ERR",
  "SECURITY_ERR",
  "NETWORK_ERR",
  "ABORT_ERR",
  "URL_MISMATCH_ERR",
  "QUOTA_EXCEEDED_ERR",
  "TIMEOUT_ERR",
  "INVALID_NODE_TYPE_ERR",
  "DATA_CLONE_ERR",
];

let isMade: (value: object) => boolean;

/** The error of web APIs: an Error with the standard's name, and a code if that name has one. */
export class DOMException extends ErrorCtor {
  readonly #name: string;

  static {
    webInterface(this, "DOMException");
    isMade = (value) => #name in value;
    for (let i = 0; i < CONSTANTS.length; i++) {
      const constant = { value: i + 1, writable: false, configurable: false, enumerable: true };
      defineProperty(this, CONSTANTS[i] as string, constant);
      defineProperty(this.prototype, CONSTANTS[i] as string, constant);
    }
    defineProperty(this.prototype, "name", { enumerable: true });
    defineProperty(this.prototype, "code", { enumerable: true });
  }

  constructor(message: unknown = "", name: unknown = "Error") {
    super(toText(message));
    this.#name = toText(name);
  }

  /** An accessor, as in the standard; the message is the error's own, since V8 heads the stack with no other. */
  override get name(): string {
    return this.#name;
  }
  get code(): number {
    for (let i = 1; i < NAMES.length; i++) if (NAMES[i] === this.#name) return i;
    return 0;
  }
  get [Symbol.toStringTag](): string {
    return "DOMException";
  }
}

/** Whether the class made it, whatever its prototype is. */
export const isDomException = (value: object): value is DOMException => isMade(value);
