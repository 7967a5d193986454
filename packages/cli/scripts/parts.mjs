// Bundles the tool into parts: CommonJS, because that loads faster, and several, because code that few runs need (YAML, jq, the
// rule compiler, libraries) is loaded on first use. See docs/decisions/0008-code-cache.md.
import { createHash } from 'node:crypto'
import { rolldown } from 'rolldown'
import { replacePositions } from './positions.mjs'

/** In the parts and in the launchers `__dirname` is the folder of the built tool. */
const DEFINE = { DIST: '__dirname' }

const PROGRAMS = ['omen.ts', 'threads/worker.ts']

/** A module belongs to the first of these parts whose entries all import it, directly or through others. */
const GROUPS = {
  both: ['omen.ts', 'threads/worker.ts'],
  start: ['omen.ts'],
  thread: ['threads/worker.ts'],
  run: ['run.ts'],
}

/** The files that contain several parts: all that `omen -v` loads, and all that a scan loads. */
const SHARED_FILES = ['omen.js', 'run.js']

/**
 * Bundles the program and its worker thread. Returns the parts, each with its name, its code, its modules and the file that it
 * is written to.
 *
 * @example
 * const parts = await bundleParts({ source: 'packages/cli/src', engine: 'packages/engine/src', minify: true })
 */
export async function bundleParts({ source, engine, minify }) {
  const build = await rolldown({
    ...options(engine, DEFINE),
    input: { omen: `${source}/omen.ts`, worker: `${source}/threads/worker.ts` },
    plugins: [replacePositions()],
  })
  const { output } = await build.generate({
    format: 'cjs',
    // The parts are scripts without a module loader: `import(…)` becomes `require`, also for modules of Node.js.
    dynamicImportInCjs: false,
    minify,
    entryFileNames: '[name].js',
    chunkFileNames: partName,
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

/** Parts that are always loaded together share a file, because each file costs a third of a millisecond. */
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
  for (const file of SHARED_FILES) for (const part of partsWith(file)) if (!files.has(part)) files.set(part, file)
  return (part) => files.get(part) ?? part
}

/**
 * Combines parts into files. A file is a script whose value is an object with one function for each part. Returns pairs of a file
 * name and its content.
 *
 * @example
 * for (const [name, text] of filesWith(parts)) writeFileSync(name, text)
 */
export function filesWith(parts) {
  const files = new Map(parts.map(({ file }) => [file, []]))
  for (const { name, file, code } of parts) files.get(file).push(`${JSON.stringify(name)}:${code}`)
  return [...files].map(([file, functions]) => [file, `({${functions.join(',\n')}})`])
}

/** Bundles the file that a shell or a thread starts, which contains the loader of the parts. */
export async function bundleLauncher({ entry, engine, parts, file, minify }) {
  const sharing = parts.filter(({ name, file }) => file !== name).map(({ name, file }) => [name, file])
  const define = {
    ...DEFINE,
    BUILD: JSON.stringify(digestOf(parts)),
    FILES: JSON.stringify(Object.fromEntries(sharing)),
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
 * Groups the modules that are loaded together into one part; the bundler splits the others at each `import(…)`. The two programs
 * are in no group, because loading a program starts it.
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

/** The modules that a module imports, directly or through others. */
function closureOf(entry, context) {
  const reached = new Set([entry])
  for (const id of reached) for (const next of context.getModuleInfo(id)?.importedIds ?? []) reached.add(next)
  return reached
}

/** A part that consists of a library has the name of the library. */
function partName({ name, facadeModuleId }) {
  const library = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(facadeModuleId ?? '')?.[1]
  return `${library?.replaceAll(/[@/]+/g, '-') ?? name}.js`
}

/** The function that the loader calls. The `#!` line is only needed in the launcher. */
function asFunction(code) {
  return `(function(exports,require,module,__filename,__dirname){${code.replace(/^#!.*\n/, '')}\n})`
}

/** Escapes all other characters: V8 then needs half the memory for a source, and reads it without decoding. */
function asciiOnly(code) {
  if (/\braw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error('a raw template literal cannot be escaped: use an ordinary string')
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function digestOf(parts) {
  const digest = createHash('sha256')
  for (const { name, file, code } of parts) digest.update(`${file}\n${name}\n${code}\n`)
  return digest.digest('hex').slice(0, 12)
}
