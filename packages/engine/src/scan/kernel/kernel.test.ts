import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

describe('the kernel', () => {
  it('is WebAssembly, compiled once, each with a memory of its own', async () => {
    const compile = vi.spyOn(WebAssembly, 'compile')
    const { loadKernel } = await import('./kernel.js')
    const [first, second] = [(await loadKernel())(), (await loadKernel())()]
    expect([first.name, second.name]).toEqual(['wasm', 'wasm'])
    expect(first.memory.u8.buffer).not.toBe(second.memory.u8.buffer)
    expect(compile).toHaveBeenCalledTimes(1)
  })

  it('is plain TypeScript where WebAssembly refuses the SIMD instructions', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValue(new WebAssembly.CompileError('SIMD unsupported'))
    const { loadKernel } = await import('./kernel.js')
    expect((await loadKernel())().name).toBe('plain')
  })
})
