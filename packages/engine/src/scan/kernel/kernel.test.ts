import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

describe('the kernel', () => {
  it('is WebAssembly that is compiled once, and every instance has its own memory', async () => {
    const compile = vi.spyOn(WebAssembly, 'compile')
    const { loadKernel } = await import('./kernel.js')
    const [first, second] = [(await loadKernel())(), (await loadKernel())()]
    expect([first.name, second.name]).toEqual(['wasm', 'wasm'])
    expect(first.memory.u8.buffer).not.toBe(second.memory.u8.buffer)
    expect(compile).toHaveBeenCalledTimes(1)
  })

  it('is the TypeScript twin if WebAssembly does not support SIMD', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('SIMD unsupported'))
    const { loadKernel } = await import('./kernel.js')
    expect((await loadKernel())().name).toBe('plain')
  })
})
