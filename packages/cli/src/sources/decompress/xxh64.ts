/** The checksum of zstd frames over data that comes piece by piece. */
export interface Checksum {
  update(bytes: Uint8Array): void
  /** The low 32 bits of XXH64, unsigned. */
  digest(): number
}

const P1 = 0x9e3779b185ebca87n
const P2 = 0xc2b2ae3d27d4eb4fn
const P3 = 0x165667b19e3779f9n
const P4 = 0x85ebca77c2b2ae63n
const P5 = 0x27d4eb2f165667c5n

/** Data is taken in stripes of four lanes of 8 bytes. */
const STRIPE = 32

/**
 * Computes XXH64 with the seed zero. The stripes, which are nearly all of the work, are done on halves of 32 bits: BigInt is
 * ten times slower. What is left at the end is done on BigInt, which reads better.
 *
 * @example
 * const checksum = createChecksum()
 * checksum.update(bytes)
 * checksum.digest() // 0x1f7b0a3c
 */
export function createChecksum(): Checksum {
  const lanes = new Int32Array(8)
  storeLanes(lanes)
  const held = new Uint8Array(STRIPE)
  let heldCount = 0
  let total = 0

  return {
    update(bytes) {
      total += bytes.length
      let at = 0
      if (heldCount > 0) {
        at = Math.min(STRIPE - heldCount, bytes.length)
        held.set(bytes.subarray(0, at), heldCount)
        heldCount += at
        if (heldCount < STRIPE) return
        mixStripes(lanes, held, 0, STRIPE)
        heldCount = 0
      }
      const end = at + Math.floor((bytes.length - at) / STRIPE) * STRIPE
      mixStripes(lanes, bytes, at, end)
      held.set(bytes.subarray(end))
      heldCount = bytes.length - end
    },
    digest: () => finish(lanes, held.subarray(0, heldCount), total),
  }
}

function storeLanes(lanes: Int32Array): void {
  const starts = [P1 + P2, P2, 0n, -P1]
  starts.forEach((start, index) => {
    lanes[2 * index] = Number(BigInt.asIntN(32, start))
    lanes[2 * index + 1] = Number(BigInt.asIntN(32, start >> 32n))
  })
}

/** lane = rotate(lane + bytes × P2, 31) × P1, for every 8 bytes. The halves of a lane are low, high. */
function mixStripes(lanes: Int32Array, bytes: Uint8Array, start: number, end: number): void {
  for (let lane = 0; lane < 4; lane++) {
    let low = lanes[2 * lane]
    let high = lanes[2 * lane + 1]
    for (let at = start + 8 * lane; at < end; at += STRIPE) {
      const a0 = bytes[at] | (bytes[at + 1] << 8)
      const a1 = bytes[at + 2] | (bytes[at + 3] << 8)
      const aLow = a0 | (a1 << 16)
      const aHigh = bytes[at + 4] | (bytes[at + 5] << 8) | (bytes[at + 6] << 16) | (bytes[at + 7] << 24)
      // × P2 = c2b2ae3d27d4eb4f
      let k = Math.imul(a0, 0xeb4f)
      const p0 = k & 0xffff
      k = (Math.imul(a1, 0xeb4f) + (k >>> 16)) | 0
      const m0 = (Math.imul(a0, 0x27d4) + (k & 0xffff)) | 0
      const pLow = p0 | (m0 << 16)
      const pHigh =
        (Math.imul(a1, 0x27d4) +
          (k >>> 16) +
          (m0 >>> 16) +
          Math.imul(aHigh, 0x27d4eb4f) +
          Math.imul(aLow, 0xc2b2ae3d)) |
        0
      const sumLow = (pLow + low) | 0
      const carry = sumLow >>> 0 < pLow >>> 0 ? 1 : 0
      const sumHigh = (pHigh + high + carry) | 0
      const low31 = (sumLow << 31) | (sumHigh >>> 1)
      const high31 = (sumHigh << 31) | (sumLow >>> 1)
      // × P1 = 9e3779b185ebca87
      const b0 = low31 & 0xffff
      const b1 = low31 >>> 16
      k = Math.imul(b0, 0xca87)
      const q0 = k & 0xffff
      k = (Math.imul(b1, 0xca87) + (k >>> 16)) | 0
      const n0 = (Math.imul(b0, 0x85eb) + (k & 0xffff)) | 0
      low = q0 | (n0 << 16)
      high =
        (Math.imul(b1, 0x85eb) +
          (k >>> 16) +
          (n0 >>> 16) +
          Math.imul(high31, 0x85ebca87) +
          Math.imul(low31, 0x9e3779b1)) |
        0
    }
    lanes[2 * lane] = low
    lanes[2 * lane + 1] = high
  }
}

const wrap = (value: bigint) => BigInt.asUintN(64, value)
const rotate = (value: bigint, by: bigint) => wrap(value << by) | (value >> (64n - by))
const round = (lane: bigint, input: bigint) => wrap(rotate(wrap(lane + input * P2), 31n) * P1)

function finish(lanes: Int32Array, rest: Uint8Array, total: number): number {
  const values = [0, 1, 2, 3].map((lane) => wrap((BigInt(lanes[2 * lane + 1]) << 32n) | BigInt(lanes[2 * lane] >>> 0)))
  let hash = P5
  if (total >= STRIPE) {
    const [a, b, c, d] = values
    hash = wrap(rotate(a, 1n) + rotate(b, 7n) + rotate(c, 12n) + rotate(d, 18n))
    for (const value of values) hash = wrap((hash ^ round(0n, value)) * P1 + P4)
  }
  hash = wrap(hash + BigInt(total))
  const view = new DataView(rest.buffer, rest.byteOffset, rest.length)
  let at = 0
  for (; at + 8 <= rest.length; at += 8) {
    hash = wrap(rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * P1 + P4)
  }
  if (at + 4 <= rest.length) {
    hash = wrap(rotate(hash ^ wrap(BigInt(view.getUint32(at, true)) * P1), 23n) * P2 + P3)
    at += 4
  }
  for (; at < rest.length; at++) hash = wrap(rotate(hash ^ wrap(BigInt(rest[at]) * P5), 11n) * P1)
  hash = wrap((hash ^ (hash >> 33n)) * P2)
  hash = wrap((hash ^ (hash >> 29n)) * P3)
  return Number((hash ^ (hash >> 32n)) & 0xffffffffn)
}
