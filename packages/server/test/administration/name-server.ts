import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** The response of a name server: TXT records, an error, nothing, or records that are too long for a datagram. */
export type DnsResponse =
  | readonly string[]
  | 'nxdomain'
  | 'servfail'
  | 'silence'
  | { readonly overTcp: readonly string[] }

const CODES = { nxdomain: 3, servfail: 2 } as const

export interface NameServer extends AsyncDisposable {
  /** In the form that a resolver expects. */
  readonly address: string
  response: DnsResponse
}

/** A name server on this machine that gives every query the same response. */
export async function startNameServer(): Promise<NameServer> {
  const streams = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (framed) => {
        const { response } = server
        const records = typeof response === 'object' && 'overTcp' in response ? response.overTcp : []
        const encoded = encodeResponse(framed.subarray(2), { records })
        const length = Buffer.alloc(2)
        length.writeUInt16BE(encoded.length)
        socket.end(Buffer.concat([length, encoded]))
      })
  })
  const datagrams = await listenToBoth(streams)
  datagrams.on('message', (query, { port: from, address }) => {
    const { response } = server
    if (response === 'silence') return
    const encoded = Array.isArray(response)
      ? encodeResponse(query, { records: response as readonly string[] })
      : typeof response === 'string'
        ? encodeResponse(query, { code: CODES[response as keyof typeof CODES] })
        : encodeResponse(query, { isCut: true })
    datagrams.send(encoded, from, address)
  })
  const server: NameServer = {
    address: `127.0.0.1:${(streams.address() as AddressInfo).port}`,
    response: 'nxdomain',
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

interface ResponseFields {
  readonly records?: readonly string[]
  readonly code?: number
  readonly isCut?: boolean
}

/** The part of RFC 1035 that one query needs. */
function encodeResponse(query: Buffer, { records = [], code = 0, isCut = false }: ResponseFields): Buffer {
  const nameEnd = query.indexOf(0, 12) + 5
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(12, nameEnd), ...records.map(recordOf)])
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
