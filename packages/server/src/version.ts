/** The version of the service, as in its package.json; a test compares the two. */
export const VERSION = '0.1.0'
