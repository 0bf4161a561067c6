import { type Icon, Wrench } from "../design/icons.tsx";

export interface Place {
  to: string;
  name: string;
  icon: Icon;
  /** Behind `g`. */
  key: string;
}

/** Where one can go from everywhere: the navigation, the palette and the keys `g …` say the same. */
export const PLACES: readonly Place[] = [{ to: "/tools", name: "Tools", icon: Wrench, key: "t" }];
