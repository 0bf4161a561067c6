import { defineProperty, globalScope, weakSetAdd, weakSetHas, WeakSetCtor } from "./primordials.ts";

const LanguageProxy = Proxy;
const { revocable } = Proxy;
const made = new WeakSetCtor<object>();

function remember<T extends object>(proxy: T): T {
  weakSetAdd(made, proxy);
  return proxy;
}

function construct(target: object, handler: ProxyHandler<object>): object {
  if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
  return remember(new LanguageProxy(target, handler));
}

/** As an arrow it can't be constructed, as the one that it replaces can't. */
const watchedRevocable = (target: object, handler: ProxyHandler<object>): object => {
  const pair = revocable(target, handler);
  remember(pair.proxy);
  return pair;
};

/**
 * Makes the tool's proxies here, since the language can't tell proxies apart, and they come from nowhere else. Call it
 * before the tool.
 */
export function watchProxies(): void {
  // Bound, it has no `prototype`, as the language's has none.
  const Watched: object = construct.bind(undefined);
  const put = (on: object, name: string, value: unknown, writable: boolean): boolean =>
    defineProperty(on, name, { value, writable, configurable: true, enumerable: false });
  put(Watched, "name", "Proxy", false);
  put(watchedRevocable, "name", "revocable", false);
  put(Watched, "revocable", watchedRevocable, true);
  put(globalScope, "Proxy", Watched, true);
}

/** Whether the tool made this object with `Proxy`, also where that is revoked. */
export const isProxy = (value: object): boolean => weakSetHas(made, value);
