export type { RegexNode } from './node.js'
export { parseRegex } from './parse.js'
export { planRegex } from './plan.js'
export { createRegexExtract, createRegexTest } from './search.js'
