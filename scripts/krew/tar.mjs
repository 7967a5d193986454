// A reproducible tar archive: the same files give the same bytes on every machine and day.

const BLOCK = 512

/** The limits of a header: 100 bytes for a name, and eleven octal digits for a size. */
const LONGEST_NAME = 100
const LARGEST = 0o77777777777

const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`

function header({ name, mode, bytes }) {
  if (Buffer.byteLength(name) > LONGEST_NAME || bytes.length > LARGEST)
    throw new Error(`${name} does not fit into an archive`)
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write(octal(mode, 8), 100)
  // Owner and group are root, the time is 1970.
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(bytes.length, 12), 124)
  block.write(octal(0, 12), 136)
  // The checksum is computed as if its own field contained spaces.
  block.write(' '.repeat(8), 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)} `, 148, 'latin1')
  return block
}

/**
 * Writes files into a tar archive (ustar).
 *
 * @example
 * tar([{ name: 'LICENSE', mode: 0o644, bytes }])
 */
export function tar(files) {
  const blocks = files.flatMap((file) => {
    const padding = Buffer.alloc((BLOCK - (file.bytes.length % BLOCK)) % BLOCK)
    return [header(file), file.bytes, padding]
  })
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
}
