import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The response of a name server: TXT records, an error, nothing, or records that are too long for a datagram. */
export type Said = readonly string[] | 'nxdomain' | 'servfail' | 'silence' | { readonly overTcp: readonly string[] }

const CODES = { nxdomain: 3, servfail: 2 } as const

export interface NameServer extends AsyncDisposable {
  /** In the form that a resolver expects. */
  readonly address: string
  says: Said
}

/** A name server on this machine that gives every query the same response. */
export async function startNameServer(): Promise<NameServer> {
  const streams = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (framed) => {
        const { says } = server
        const records = typeof says === 'object' && 'overTcp' in says ? says.overTcp : []
        const answer = answerTo(framed.subarray(2), { records })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.end(Buffer.concat([length, answer]))
      })
  })
  const datagrams = await listenToBoth(streams)
  datagrams.on('message', (question, { port: from, address }) => {
    const { says } = server
    if (says === 'silence') return
    const answer = Array.isArray(says)
      ? answerTo(question, { records: says as readonly string[] })
      : typeof says === 'string'
        ? answerTo(question, { code: CODES[says as keyof typeof CODES] })
        : answerTo(question, { isCut: true })
    datagrams.send(answer, from, address)
  })
  const server: NameServer = {
    address: `127.0.0.1:${(streams.address() as AddressInfo).port}`,
    says: 'nxdomain',
    [Symbol.asyncDispose]: async () => {
      await Promise.all([
        new Promise<void>((resolve) => datagrams.close(() => resolve())),
        new Promise<unknown>((resolve) => streams.close(resolve)),
      ])
    },
  }
  return server
}

/** UDP and TCP on one port, which must be free for both. */
async function listenToBoth(streams: Server): Promise<Socket> {
  for (;;) {
    const datagrams = createSocket('udp4')
    datagrams.bind(0, '127.0.0.1')
    await once(datagrams, 'listening')
    streams.listen(datagrams.address().port, '127.0.0.1')
    const isFree = await once(streams, 'listening').then(
      () => true,
      () => false,
    )
    if (isFree) return datagrams
    datagrams.close()
  }
}

interface Answer {
  readonly records?: readonly string[]
  readonly code?: number
  readonly isCut?: boolean
}

/** The part of RFC 1035 that one query needs. */
function answerTo(question: Buffer, { records = [], code = 0, isCut = false }: Answer): Buffer {
  const nameEnd = question.indexOf(0, 12) + 5
  const header = Buffer.alloc(12)
  question.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question.subarray(12, nameEnd), ...records.map(recordOf)])
}

function recordOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255)
    pieces.push(Buffer.from([piece.length]), piece)
  }
  const data = Buffer.concat(pieces)
  // The name of the query, TXT, IN, a TTL of one minute, the length.
  const head = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
