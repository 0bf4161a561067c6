import type { ChannelListener } from "./subscriptions.ts";

/** Tells a follower that its log may have more; however often it rings, it holds nothing. */
export class Bell implements ChannelListener {
  #rung = false;
  #wake: () => void = () => undefined;

  onMessage(): void {
    this.ring();
  }

  onRestored(): void {
    this.ring();
  }

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Call this right before reading the log: the next wait hears every ring from here on. */
  mute(): void {
    this.#rung = false;
  }

  /** Waits until it rings, `ms` at most. */
  async wait(ms: number): Promise<void> {
    if (this.#rung) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }
}
