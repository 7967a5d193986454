/** The version of the service, as its package says. A test holds the two together. */
export const VERSION = '0.1.0'
