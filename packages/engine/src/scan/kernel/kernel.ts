import type { ClockFunctions } from '../clock.js'
import type { FilterFunctions } from '../filter/abi.js'
import type { ReadingFunctions } from '../reading/abi.js'
import { KernelMemory } from './memory.js'
import { KERNEL_WASM_BASE64 } from './wasm.generated.js'

/** The loops that touch every byte, and the memory they work on. */
export interface Kernel {
  readonly name: 'wasm' | 'plain'
  readonly memory: KernelMemory
  readonly reading: ReadingFunctions
  readonly filter: FilterFunctions
  readonly clock: ClockFunctions
}

/** Makes kernels: compiled code that is shared, each with a memory of its own. */
export type KernelFactory = () => Kernel

let compiled: Promise<KernelFactory> | undefined

/**
 * Compiles the WebAssembly kernel once and gives what makes instances of it. Where WebAssembly has no SIMD the plain
 * kernel takes its place, with equal results.
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
    const instance = new WebAssembly.Instance(module, { env: { memory: memory.memory } })
    const functions = instance.exports as unknown as KernelExports
    if (functions.heapBase() > KERNEL_STATIC_BYTES) throw new Error('the kernel has more constants than room for them')
    return { name: 'wasm', memory, reading: functions, filter: functions, clock: functions }
  }
}

type KernelExports = ReadingFunctions & FilterFunctions & ClockFunctions & { heapBase(): number }

/** Room for the kernel's own constants, at the front of its memory. */
const KERNEL_STATIC_BYTES = 32_768

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer> } }
  // Node.js has `atob` too, but takes 2 ms for it, which a tool that is started often has not.
  if (Buffer) return Buffer.from(text, 'base64')
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i)
  return bytes
}
