// Log lines name the source position that wrote them. Bundling loses it, so it is inserted as a string before bundling.

/** Only a module with this word is parsed. */
const MENTIONS_HERE = /\bhere\b/

/**
 * A plugin for rolldown that replaces every call of the imported `here()` by its source position as a string:
 * `"load-rules.ts:23"`. Other functions of that name are not changed.
 *
 * @example
 * rolldown({ input, plugins: [replacePositions()] })
 */
export function replacePositions() {
  return {
    name: 'replace-positions',
    transform(code, id) {
      const [path] = id.split('?')
      if (!/\.[cm]?ts$/.test(path) || !MENTIONS_HERE.test(code)) return null
      const program = this.parse(code, { lang: 'ts' })
      const name = importedName(program)
      if (name === undefined) return null
      const file = path.slice(path.lastIndexOf('/') + 1)
      const calls = findCalls(program, name)
      return calls.length === 0 ? null : { code: replaceCalls(code, calls, file), map: null }
    },
  }
}

/** The local name of the `here` that the module imports from console/log. */
function importedName(program) {
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration' || !/(?:^|\/)log\.js$/.test(node.source.value)) continue
    for (const specifier of node.specifiers) {
      if (specifier.type === 'ImportSpecifier' && specifier.imported.name === 'here') return specifier.local.name
    }
  }
  return undefined
}

/** The calls of `here()`, in the order of the source. */
function findCalls(program, name) {
  const calls = []
  const open = [program]
  while (open.length > 0) {
    const node = open.pop()
    if (node.type === 'CallExpression' && node.callee.name === name && node.arguments.length === 0) calls.push(node)
    for (const child of Object.values(node)) {
      for (const item of Array.isArray(child) ? child : [child]) if (typeof item?.type === 'string') open.push(item)
    }
  }
  return calls.sort((a, b) => a.start - b.start)
}

/** Neither adds nor removes a line, so that later line numbers stay correct. */
function replaceCalls(code, calls, file) {
  let written = ''
  let end = 0
  let line = 1
  for (const call of calls) {
    const between = code.slice(end, call.start)
    line += between.split('\n').length - 1
    written += `${between}${JSON.stringify(`${file}:${line}`)}`
    line += code.slice(call.start, call.end).split('\n').length - 1
    end = call.end
  }
  return written + code.slice(end)
}
