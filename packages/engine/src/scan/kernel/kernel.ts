import { KernelMemory } from './memory.js'
import { KERNEL_WASM_BASE64 } from './wasm.generated.js'

/** The loops that process every byte, and the memory they work on. Addresses are offsets into this memory. */
export interface Kernel {
  readonly name: 'wasm' | 'plain'
  readonly memory: KernelMemory
  readonly reading: ReadingFunctions
  readonly filter: FilterFunctions
  readonly envelopes: EnvelopeFunctions
  readonly clock: ClockFunctions
}

export interface ReadingFunctions {
  /** Reads lines with the state block at this address until the host must act; returns one of WANTS. */
  readLines(state: number): number
}

export interface EnvelopeFunctions {
  /**
   * Writes the text [start, end) with every JSON string in it decoded and without escape sequences of terminals, then that
   * text decoded again, and so on, up to `depth` times or until there is no backslash. The first one starts at `to`, each has
   * at most the length of the text. Stores the addresses of their starts and ends (u32), and returns their number.
   */
  decodeStrings(start: number, end: number, depth: number, to: number, starts: number, ends: number): number
}

export interface FilterFunctions {
  /**
   * Fills the tables of the plan for its needles. It looks for what is rare in the text [from, to), or rare in logs in
   * general if that range is empty.
   */
  filterFill(plan: number, from: number, to: number): void
  /** Continues the scan until the end of the text or until the pairs are full; returns the number of pairs found. */
  filterScan(plan: number): number
  /** Address of the first occurrence of a needle (address of its record) within [from, to), or -1. */
  filterFind(needle: number, from: number, to: number): number
}

export interface ClockFunctions {
  /**
   * Takes the timestamps of `count` entries: writes to `times` when each of them is delivered, and to the state block (CLOCK)
   * what it has found. An entry is delivered at its timestamp; one that is late or ignored, at the highest timestamp so far.
   * The timestamps of ignored entries are replaced by the lowest possible one.
   */
  takeTimes(state: number, timestamps: number, count: number, times: number): void
}

/** Creates kernels that share compiled code but not memory. */
export type KernelFactory = () => Kernel

let compiled: Promise<KernelFactory> | undefined

/**
 * Compiles the WebAssembly kernel once and returns its factory. Without SIMD in WebAssembly it is the factory of the plain
 * kernel, with the same results.
 *
 * @example
 * const makeKernel = await loadKernel()
 * const kernel = makeKernel()
 */
export function loadKernel(): Promise<KernelFactory> {
  compiled ??= compileWasm().catch(async () => (await import('./plain-kernel.js')).plainKernel)
  return compiled
}

async function compileWasm(): Promise<KernelFactory> {
  const module = await WebAssembly.compile(decodeBase64(KERNEL_WASM_BASE64))
  return () => {
    const memory = new KernelMemory(KERNEL_STATIC_BYTES)
    const env = {
      memory: memory.memory,
      findStretch: (block: number, local: bigint) => memory.localTimes.get(block)!.findStretch(Number(local)),
      findLimits: (block: number) => memory.localTimes.get(block)!.findLimits(),
    }
    const instance = new WebAssembly.Instance(module, { env })
    const functions = instance.exports as unknown as KernelExports
    if (functions.heapBase() > KERNEL_STATIC_BYTES)
      throw new Error('the static data of the kernel is larger than KERNEL_STATIC_BYTES')
    return { name: 'wasm', memory, reading: functions, filter: functions, envelopes: functions, clock: functions }
  }
}

type KernelExports = ReadingFunctions & FilterFunctions & EnvelopeFunctions & ClockFunctions & { heapBase(): number }

/** Bytes at the start of the memory that are reserved for the static data of the WebAssembly module. */
export const KERNEL_STATIC_BYTES = 32_768

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> } }
  // `atob` takes 2 ms in Node.js, which would slow down every start of the tool.
  if (Buffer) return Buffer.from(text, 'base64')
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
