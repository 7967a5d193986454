/** How messages of the tool, the service and the engine show values, suggest names and report failures. */
export { defineFailure, type FailureOptions } from './failure.js'
export { nearest } from './nearest.js'
export { orList, quote, quoteAll } from './quote.js'
