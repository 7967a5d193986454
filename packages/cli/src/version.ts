/** The version of the tool, as its package says. A test holds the two together. */
export const VERSION = '0.1.0'
