import { Worker } from 'node:worker_threads'
import type { SigningKey } from '../key-ring.js'
import { type Sign, textSignatureOf } from './sign.js'
import type { SigningTask } from './signing-thread.js'
import { type AskersSlots, askersSlots, newSlotMemory } from './slots.js'

const ENTRY = new URL('./signing-thread.js', import.meta.url)

/** A helper that nobody needs any more gives its memory back. */
const IDLE_MS = 10_000

/** Fewer are signed before a helper is awake. */
const CROWD = 4

/** It holds a key and a few buffers. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

export interface SharedSigningOptions {
  /** The program of the helper. */
  readonly entry?: URL
  readonly idleMs?: number
}

/**
 * Signs with the help of another thread while there is much to sign: a signature takes half as long as everything else that a
 * request needs. What is asked for in one turn of the event loop is signed together: by the helper from the front and by this
 * thread from the back. This thread waits for nobody: whatever the helper does not get to, for lack of a processor or because it
 * could not start, is signed here.
 *
 * @example
 * const sign = createSharedSigning()
 * await sign(key, 'header.payload')
 */
export function createSharedSigning({ entry = ENTRY, idleMs = IDLE_MS }: SharedSigningOptions = {}): Sign {
  const signers = new WeakMap<SigningKey, Signer>()
  return (key, text) => {
    const known = signers.get(key)
    if (known !== undefined) return known(text)
    const signer = createSigner(key, { entry, idleMs })
    signers.set(key, signer)
    return signer(text)
  }
}

type Signer = (text: string) => Promise<string>

/** A text, and who waits for its signature. */
interface Question {
  readonly text: string
  resolve(signature: string): void
  reject(error: unknown): void
}

function createSigner(key: SigningKey, options: Required<SharedSigningOptions>): Signer {
  const findHelper = createHelper(key, options)
  let together: Question[] = []

  const begin = () => {
    const questions = together
    together = []
    const helper = questions.length < CROWD ? undefined : findHelper()
    if (helper === undefined) finish(key, questions)
    else {
      const slots = questions.map(({ text }) => helper.write(text))
      helper.tell()
      finish(key, questions, { helper, slots })
    }
  }
  return (text) =>
    new Promise((resolve, reject) => {
      if (together.push({ text, resolve, reject }) === 1) process.nextTick(begin)
    })
}

/** What the helper was given: a slot for each question, as far as there were any. */
interface Shared {
  readonly helper: AskersSlots
  readonly slots: readonly (number | undefined)[]
}

/** Answers all questions together: those who are answered come back together, and share the way to the database. */
function finish(key: SigningKey, questions: readonly Question[], shared?: Shared): void {
  try {
    const signatures = shared === undefined ? [] : collect(key, questions, shared)
    for (const [i, { text }] of questions.entries()) signatures[i] ??= textSignatureOf(key, text)
    for (const [i, { resolve }] of questions.entries()) resolve(signatures[i]!)
  } catch (error) {
    for (const { reject } of questions) reject(error)
  }
}

/** All signatures but those that the helper is about to finish. */
function collect(key: SigningKey, questions: readonly Question[], { helper, slots }: Shared): (string | undefined)[] {
  const signatures = new Array<string | undefined>(questions.length).fill(undefined)
  for (let i = questions.length - 1; i >= 0; i--) {
    const slot = slots[i]
    if (slot === undefined || helper.takeBack(slot)) signatures[i] = textSignatureOf(key, questions[i]!.text)
  }
  for (const [i, slot] of slots.entries()) if (signatures[i] === undefined) signatures[i] = helper.take(slot!)
  return signatures
}

/** Finds the slots of the helper that runs; starts one where there is none. */
function createHelper(
  { privateKey }: SigningKey,
  { entry, idleMs }: Required<SharedSigningOptions>,
): () => AskersSlots | undefined {
  let slots: AskersSlots | undefined
  let canStart = true

  const start = () => {
    // What has failed once would fail for every crowd.
    canStart = false
    const memory = newSlotMemory()
    const thread = startThread(entry, { memory, key: privateKey, idleMs })
    thread?.once('online', () => {
      slots = askersSlots(memory)
    })
    thread?.once('exit', (status) => {
      slots = undefined
      canStart = status === 0
    })
  }
  return () => {
    if (canStart) start()
    return slots
  }
}

/** Undefined where the system has no thread to give. */
function startThread(entry: URL, workerData: SigningTask): Worker | undefined {
  try {
    const thread = new Worker(entry, { workerData, resourceLimits: RESOURCE_LIMITS })
    // What it cannot do is done without it.
    thread.on('error', () => {})
    // It must not keep a service that ends.
    thread.unref()
    return thread
  } catch {
    return undefined
  }
}
