/** The current time. It is passed in everywhere, so that tests can set it. */
export type Clock = () => Date
