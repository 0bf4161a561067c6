/** A timer that is so late was not merely busy. */
const PAUSE_MS_MIN = 1_000;

/**
 * Until when a process must have greeted. A deadline that comes late itself means that this worker was paused: the
 * greeting may wait to be read, and gets the time once more.
 */
export class StartDeadline {
  #timer: NodeJS.Timeout;

  /** `startedAt` as performance.now() tells it. */
  constructor(startedAt: number, startMsMax: number, onMissed: () => void) {
    this.#timer = setTimeout(() => {
      const late = performance.now() - startedAt - startMsMax;
      if (late < PAUSE_MS_MIN) onMissed();
      else this.#timer = setTimeout(onMissed, startMsMax);
    }, startMsMax);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
