// Bundles the tool into parts: CommonJS, because that loads faster, and several, because what is seldom needed (YAML, jq, the
// compiler of rules, libraries) is loaded when it is asked for.
import { createHash } from 'node:crypto'
import { rolldown } from 'rolldown'
import { replacePlaces } from './places.mjs'

/** The loader of the parts gives them the folder of the built tool as `__dirname`, which the launchers have anyhow. */
const DEFINE = { DIST: '__dirname' }

const PROGRAMS = ['omen.ts', 'threads/worker.ts']

/** The parts that are made of what comes with each of these modules, the first that fits: */
const GROUPS = {
  both: ['omen.ts', 'threads/worker.ts'],
  start: ['omen.ts'],
  thread: ['threads/worker.ts'],
  run: ['run.ts'],
}

/** The files that gather parts: what comes with `omen -v`, and what comes with a scan. */
const GATHERED = ['omen.js', 'run.js']

/**
 * Bundles the program and its worker thread. Returns the parts, each with its name, its code, the modules in it, and the file
 * it belongs into.
 *
 * @example
 * const parts = await bundleParts({ source: 'packages/cli/src', engine: 'packages/engine/src', minify: true })
 */
export async function bundleParts({ source, engine, minify }) {
  const build = await rolldown({
    ...options(engine, DEFINE),
    input: { omen: `${source}/omen.ts`, worker: `${source}/threads/worker.ts` },
    plugins: [replacePlaces()],
  })
  const { output } = await build.generate({
    format: 'cjs',
    // The parts are scripts without a loader for modules: what is imported later is required, also of Node.js.
    dynamicImportInCjs: false,
    minify,
    entryFileNames: '[name].js',
    chunkFileNames: nameOfPart,
    codeSplitting: { groups: groups(source), includeDependenciesRecursively: false },
  })
  const fileOf = filesOf(output)
  return output.map(({ fileName, code, moduleIds }) => ({
    name: fileName,
    file: fileOf(fileName),
    code: asciiOnly(asFunction(code)),
    modules: moduleIds,
  }))
}

/** Parts that are always loaded together lie in one file: each file costs a third of a millisecond. */
function filesOf(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const reach = (part, kinds) => {
    const reached = new Set([part])
    for (const name of reached)
      for (const kind of kinds) for (const next of chunks.get(name)[kind]) if (chunks.has(next)) reached.add(next)
    return reached
  }
  const partsWith = (part) => reach(part, ['imports'])
  if (reach('worker.js', ['imports', 'dynamicImports']).has('omen.js')) {
    throw new Error('a worker thread would start the whole program')
  }
  const files = new Map()
  for (const file of GATHERED) for (const part of partsWith(file)) if (!files.has(part)) files.set(part, file)
  return (part) => files.get(part) ?? part
}

/**
 * Puts parts into files: a script whose value is an object with the functions of its parts. Returns a list of pairs of a name
 * and a text.
 *
 * @example
 * for (const [name, text] of filesWith(parts)) writeFileSync(name, text)
 */
export function filesWith(parts) {
  const files = new Map(parts.map(({ file }) => [file, []]))
  for (const { name, file, code } of parts) files.get(file).push(`${JSON.stringify(name)}:${code}`)
  return [...files].map(([file, functions]) => [file, `({${functions.join(',\n')}})`])
}

/** Bundles what a shell or a thread starts, and what loads the parts. */
export async function bundleLauncher({ entry, engine, parts, file, minify }) {
  const elsewhere = parts.filter(({ name, file }) => file !== name).map(({ name, file }) => [name, file])
  const define = {
    ...DEFINE,
    BUILD: JSON.stringify(digestOf(parts)),
    FILES: JSON.stringify(Object.fromEntries(elsewhere)),
  }
  const build = await rolldown({ ...options(engine, define), input: entry })
  await build.write({ file, format: 'cjs', minify })
}

function options(engine, define) {
  return {
    platform: 'node',
    preserveEntrySignatures: false,
    resolve: { alias: aliases(engine), extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { define },
  }
}

/** The engine's entry points, bundled from their sources. The longer names come first: an alias also matches as a prefix. */
function aliases(engine) {
  return {
    '@omen/engine/messages': `${engine}/messages/index.ts`,
    '@omen/engine/versions': `${engine}/versions.ts`,
    '@omen/engine': `${engine}/index.ts`,
  }
}

/**
 * Modules that are loaded together are one part; everything else falls apart by itself where the source loads it later. The two
 * programs are no part of a group: whoever loads one of them starts it.
 */
function groups(source) {
  const closures = new Map()
  const comesWith = (entry, id, context) => {
    if (!closures.has(entry)) closures.set(entry, closureOf(`${source}/${entry}`, context))
    return closures.get(entry).has(id)
  }
  const isProgram = (id) => PROGRAMS.some((entry) => id === `${source}/${entry}`)
  return Object.entries(GROUPS).map(([name, entries]) => ({
    debugName: name,
    name: (id, context) => {
      const belongs = !isProgram(id) && entries.every((entry) => comesWith(entry, id, context))
      return belongs ? name : null
    },
  }))
}

/** The modules that come with another: what it imports, what that imports, and so on. */
function closureOf(entry, context) {
  const reached = new Set([entry])
  for (const id of reached) for (const next of context.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}

/** A part that is a library is named after it, not after a file of it. */
function nameOfPart({ name, facadeModuleId }) {
  const library = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(facadeModuleId ?? '')?.[1]
  return `${library?.replaceAll(/[@/]+/g, '-') ?? name}.js`
}

/** What the loader of the parts calls. The line for the shell is the launcher's. */
function asFunction(code) {
  return `(function(exports,require,module,__filename,__dirname){${code.replace(/^#!.*\n/, '')}\n})`
}

/** Escapes what is not ASCII: V8 then takes half the memory for a source, and reading it is copying. */
function asciiOnly(code) {
  if (/\braw`[^`]*[^\0-\x7f]/.test(code)) throw new Error('a raw template cannot be escaped: write it in another way')
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function digestOf(parts) {
  const digest = createHash('sha256')
  for (const { name, file, code } of parts) digest.update(`${file}\n${name}\n${code}\n`)
  return digest.digest('hex').slice(0, 12)
}
