import { Worker } from 'node:worker_threads'
import type { SigningKey } from '../key-ring.js'
import { type Crowd, createCrowd } from './crowd.js'
import { type Sign, textSignatureOf } from './sign.js'
import type { SigningTask } from './signing-thread.js'
import { type AskersSlots, askersSlots, newSlotMemory } from './slots.js'

const ENTRY = new URL('./signing-thread.js', import.meta.url)

/** A helper that nobody needs any more gives its memory back. */
const IDLE_MS = 10_000

/** It holds a key and a few buffers. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 }

export interface SharedSigningOptions {
  /** The program of the helper. */
  readonly entry?: URL
  readonly idleMs?: number
}

/**
 * Signs with the help of another thread while there is much to sign: a signature takes half as long as everything else that a
 * request needs. What is asked for in one turn of the event loop is signed together. This thread waits for nobody: whatever the
 * helper does not get to, for lack of a processor or because it could not start, is signed here.
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

function createSigner(key: SigningKey, options: Required<SharedSigningOptions>): Signer {
  const findHelper = createHelper(key, options)
  const signHere = (text: string) => textSignatureOf(key, text)
  let open: Crowd | undefined

  const openCrowd = () => {
    const crowd = createCrowd(signHere, findHelper)
    process.nextTick(() => {
      open = undefined
      crowd.answer()
    })
    return crowd
  }
  return (text) =>
    new Promise((resolve, reject) => {
      open ??= openCrowd()
      open.add({ text, resolve, reject })
    })
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
