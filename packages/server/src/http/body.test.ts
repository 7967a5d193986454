import { PassThrough } from 'node:stream'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../problem.js'
import { BODY_LIMIT, parseJson, readBody } from './body.js'

describe('parsing', () => {
  test('every value that JSON.parse accepts is parsed, also after a byte order mark', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, hasMark) => {
        const text = JSON.stringify(value)
        expect(parseJson(Buffer.from(hasMark ? `\ufeff${text}` : text), {})).toEqual(JSON.parse(text))
      }),
    )
  })

  test('any bytes are JSON or a problem, and the problem does not quote them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseJson(Buffer.from(bytes), {})
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
          expect((error as Problem).code).toBe('invalid_json')
        }
      }),
    )
  })

  test('a syntax error is reported by its position, without the text around it', () => {
    const text = '{\n  "client_id": "x",\n  "client_secret": "hush-hush" oops\n}'
    expect(() => parseJson(Buffer.from(text), {})).toThrow(/The body is not JSON.* line 3, column 32/)
    expect(() => parseJson(Buffer.from(text), {})).not.toThrow(/hush|oops/)
  })

  test.each([
    [{ 'content-encoding': 'gzip' }, 'compressed'],
    [{ 'content-encoding': 'br, gzip' }, 'compressed'],
  ])('a body with %j is not decompressed', (headers, word) => {
    expect(() => parseJson(Buffer.from('{}'), headers)).toThrow(word)
  })

  test('the last value of a repeated key counts', () => {
    expect(parseJson(Buffer.from('{"a":1,"a":2}'), { 'content-encoding': 'identity' })).toEqual({ a: 2 })
  })
})

describe('reading', () => {
  const read = promisify(readBody)
  const stream = (...chunks: readonly Buffer[]) => {
    const through = new PassThrough({ highWaterMark: 4 * 1024 * 1024 })
    for (const chunk of chunks) through.write(chunk)
    return through
  }

  test('chunks are joined', async () => {
    expect(String(await read(stream(Buffer.from('ab'), Buffer.from('cd')).end('e'), {}))).toBe('abcde')
  })

  test('a body over the limit is read to its end and rejected', async () => {
    const source = stream(Buffer.alloc(BODY_LIMIT), Buffer.alloc(1)).end()
    await expect(read(source, {})).rejects.toMatchObject({ code: 'body_too_large' })
  })

  test('a body far over the limit is rejected before its end', async () => {
    await expect(read(stream(Buffer.alloc(2 * 1024 * 1024)), {})).rejects.toMatchObject({ code: 'body_too_large' })
    const announced = { 'content-length': String(10 ** 9) }
    await expect(read(stream(), announced)).rejects.toMatchObject({ code: 'body_too_large' })
  })

  test('a client that disconnects leaves no request pending', async () => {
    const source = stream(Buffer.from('{'))
    const reading = read(source, {})
    source.destroy()
    await expect(reading).rejects.toMatchObject({ code: 'bad_request' })
  })
})
