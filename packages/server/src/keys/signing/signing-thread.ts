// Runs in a thread of its own, for one key. See shared-signing.ts.
import type { KeyObject } from 'node:crypto'
import { workerData } from 'node:worker_threads'
import { signatureOf } from './sign.js'
import { helpSigning } from './slots.js'

export interface SigningTask {
  readonly memory: SharedArrayBuffer
  readonly key: KeyObject
  readonly idleMs: number
}

const { memory, key, idleMs } = workerData as SigningTask
// Node.js hands OpenSSL no memory that another thread could change, so it is given a copy.
helpSigning(memory, (text) => signatureOf(key, Buffer.from(text)), idleMs)
