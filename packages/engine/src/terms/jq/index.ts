export type { JqNode } from './ast.js'
export { compileJq, type JqFilter, type JqOptions, type JqOutcome } from './filter.js'
export { parseJq } from './parser.js'
export { planJq } from './plan.js'
