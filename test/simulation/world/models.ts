import { Dispatcher } from "../model/dispatcher.ts";
import { StoreModel, type StoreFacts } from "../model/store.ts";
import { StreamModel } from "../model/stream.ts";
import type { History } from "../history.ts";

/** The stores of a world; a mutant puts a broken one in its place. */
export interface Models {
  store(facts: StoreFacts): StoreModel;
  dispatcher(now: () => number): Dispatcher;
  stream(history: History): StreamModel;
}

export const HONEST: Models = {
  store: (facts) => new StoreModel(facts),
  dispatcher: (now) => new Dispatcher(now),
  stream: (history) => new StreamModel(history),
};
