/**
 * The language as it was before the tool's code could change it. Code that keeps a bound or judges a run uses these only,
 * and no syntax that looks methods up on shared prototypes (spread of arrays, destructuring of arrays, `for…of`). Code
 * that only serves the tool may be more relaxed: there a tool can trick nobody but itself.
 */
/** The tool can't reach it by its name. */
export const globalScope = globalThis;
export const apply = Reflect.apply;
export const ownKeys = Reflect.ownKeys;
export const defineProperty = Reflect.defineProperty;
export const getOwnPropertyDescriptor = Reflect.getOwnPropertyDescriptor;
export const getPrototypeOf = Reflect.getPrototypeOf;
export const setPrototypeOf = Reflect.setPrototypeOf;

type AnyFunction = (...args: never[]) => unknown;
type Uncurried<F extends AnyFunction> = (self: unknown, ...args: Parameters<F>) => ReturnType<F>;

/** A method as a function of its receiver, out of reach of later changes to the prototype. */
export const uncurry = <F extends AnyFunction>(method: F): Uncurried<F> =>
  ((self: unknown, ...args: unknown[]) => apply(method, self, args)) as Uncurried<F>;

/** A method of a prototype as a function of its receiver. */
export const methodOf = <P extends object, K extends keyof P>(
  prototype: P,
  name: K,
): Uncurried<Extract<P[K], AnyFunction>> => uncurry(prototype[name] as Extract<P[K], AnyFunction>);

export const objectKeys = Object.keys;
export const objectFreeze = Object.freeze;
export const objectToString = methodOf(Object.prototype, "toString");
export const isArray = Array.isArray;
export const toText = String;
export const toNumber = Number;
export const isInteger = Number.isInteger;
export const isNaNumber = Number.isNaN;
export const parseJson = JSON.parse;
export const stringifyJson = JSON.stringify;
export const charCodeAt = methodOf(String.prototype, "charCodeAt");
export const slice = methodOf(String.prototype, "slice");
export const indexOf = methodOf(String.prototype, "indexOf");
export const lastIndexOf = methodOf(String.prototype, "lastIndexOf");
export const splitAt = methodOf(String.prototype, "split") as unknown as (
  self: string,
  separator: string,
) => string[];
export const toUpperCase = methodOf(String.prototype, "toUpperCase");
export const toLowerCase = methodOf(String.prototype, "toLowerCase");
export const trim = methodOf(String.prototype, "trim");
export const fromCharCodes = String.fromCharCode;
export const matchOf = methodOf(RegExp.prototype, "exec");
export const push = methodOf(Array.prototype, "push") as (self: unknown[], item: unknown) => number;
export const join = methodOf(Array.prototype, "join");
export const symbolText = methodOf(Symbol.prototype, "toString");
export const BigIntPrototype = BigInt.prototype;
export const DateCtor = Date;
export const dateNow = Date.now;
export const dateParse = Date.parse;
export const dateIso = methodOf(Date.prototype, "toISOString");
export const promiseThen = methodOf(Promise.prototype, "then");
export const ErrorCtor = Error;
export const SyntaxErrorCtor = SyntaxError;
export const PromiseCtor = Promise;
export const promisePrototype = Promise.prototype;
const reject = uncurry(
  getOwnPropertyDescriptor(Promise, "reject")?.value as (reason: unknown) => Promise<never>,
);
export const rejected = (reason: unknown): Promise<never> => reject(PromiseCtor, reason);

export const MapCtor = Map;
export const mapGet = methodOf(Map.prototype, "get");
export const mapSet = methodOf(Map.prototype, "set");
export const mapDelete = methodOf(Map.prototype, "delete");
export const mapEach = methodOf(Map.prototype, "forEach");
export const mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, "size")?.get as () => number);
export const WeakMapCtor = WeakMap;
export const weakMapGet = methodOf(WeakMap.prototype, "get");
export const weakMapSet = methodOf(WeakMap.prototype, "set");
export const WeakSetCtor = WeakSet;
export const weakSetAdd = methodOf(WeakSet.prototype, "add");
export const weakSetHas = methodOf(WeakSet.prototype, "has");
export const weakSetDelete = methodOf(WeakSet.prototype, "delete");
export const setEach = methodOf(Set.prototype, "forEach");
export const setSize = uncurry(getOwnPropertyDescriptor(Set.prototype, "size")?.get as () => number);

export const Bytes = Uint8Array;
const isViewOf = uncurry(
  getOwnPropertyDescriptor(ArrayBuffer, "isView")?.value as (value: unknown) => boolean,
);
export const isView = (value: unknown): value is ArrayBufferView => isViewOf(ArrayBuffer, value);
export const bytesSlice = methodOf(Uint8Array.prototype, "slice");

/** Compiles a function's body without running it; the constructor itself is taken away from the tool. */
export const AsyncFunction = (async () => undefined).constructor as new (body: string) => unknown;
