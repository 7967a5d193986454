export { compileJq, findJqFlaw, type JqFilter, type JqOptions, type JqOutcome } from './filter.js'
export type { JqNode } from './parse/ast.js'
export { parseJq } from './parse/parse.js'
export { planJq } from './plan/plan.js'
