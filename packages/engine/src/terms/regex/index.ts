export type { RegexNode } from './parse/node.js'
export { parseRegex } from './parse/parse.js'
export { planRegex } from './plan/plan.js'
export { createRegexExtract, createRegexTest } from './run/search.js'
