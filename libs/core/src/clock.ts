/** The current time; a dependency, so that tests can hold it still. */
export type Clock = () => Date;
