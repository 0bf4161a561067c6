/** Tells the host something and goes on at once. Bound per context before anything else runs. */
export type Post = (operation: string, id: number, text: string, more: string) => void;
/** Asks the host and waits for its answer, which is text; it never throws. */
export type Ask = (operation: string, text: string, more: string) => string;

/** The two host functions; parameters of the bundle, so that no name of the tool's scope leads here. */
export declare const post: Post;
export declare const ask: Ask;
