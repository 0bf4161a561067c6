import { apply, PromiseCtor, promiseThen } from "./primordials.ts";

const settled = PromiseCtor.resolve();

export function queueMicrotask(callback: unknown): void {
  if (typeof callback !== "function") throw new TypeError("queueMicrotask needs a function");
  void promiseThen(settled, () => {
    apply(callback as () => unknown, undefined, []);
  });
}
