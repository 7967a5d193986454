import { randomUUID } from 'node:crypto'

/** Bitcoin's base58: no 0, O, I or l. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** 58^22 is the first power above 2^128; smaller numbers are filled up, so that every id has this length. */
const LENGTH = 22
const SHAPE = /^[1-9A-HJ-NP-Za-km-z]{22}$/

/**
 * Makes the id of a transaction: a random UUID in base58.
 *
 * @example
 * makeTransactionId() // 'FAhjF5aM3bAs3sx9Ce6Sqp'
 */
export function makeTransactionId(uuid: string = randomUUID()): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`)
  let id = ''
  for (; rest > 0n; rest /= 58n) id = ALPHABET[Number(rest % 58n)] + id
  return id.padStart(LENGTH, ALPHABET[0])
}

/** Whether a text can be the id of a transaction at all: only such a text is looked up. */
export function isTransactionId(text: string): boolean {
  return SHAPE.test(text)
}
