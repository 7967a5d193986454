/** The present. It is passed in everywhere, so that tests can stand at the edge of an expiry. */
export type Clock = () => Date
