import { createPrivateKey, sign } from 'node:crypto'
import type { PublishRulesRequest, ReleaseOperations, UploadedFile } from '../../src/operator/release-operations.js'
import { type PackageOptions, packPackage, type RulePackage } from '../../src/releases/pack-package.js'
import { makeReleaseKeyPair, type ReleaseKeyPair } from '../../src/releases/release-key.js'
import { inRows } from '../../src/releases/uploads.js'

/** A key pair for one test. */
export const makePair = makeReleaseKeyPair

/** A rule document that matches `word`: different words give different bytes. */
export const ruleDocument = (word = 'disk is full') => `rules:
  - cre:
      id: CRE-2026-90001
      severity: 1
      title: The disk is full
    metadata:
      kind: test
    rule:
      set:
        event:
          source: cre.log.app
        match:
          - ${JSON.stringify(word)}
`

/** A package of one rule. */
export function makePackage(
  version: string,
  { word, channel = 'public' }: { readonly word?: string; readonly channel?: PackageOptions['channel'] } = {},
): Promise<RulePackage> {
  return packPackage([{ name: 'rule.yaml', text: ruleDocument(word) }], { channel, version })
}

export function signatureOf({ privatePem }: Pick<ReleaseKeyPair, 'privatePem'>, bytes: Uint8Array): Buffer {
  return sign('sha256', bytes, { key: createPrivateKey(privatePem), dsaEncoding: 'der' })
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Uploads bytes under a name, signed with a key. */
export async function upload(
  operations: ReleaseOperations,
  name: string,
  bytes: Uint8Array,
  pair: Pick<ReleaseKeyPair, 'privatePem'>,
): Promise<UploadedFile> {
  const { upload: id } = await operations.beginUpload()
  let number = 0
  for await (const row of inRows(once(bytes))) {
    await operations.addChunk({ upload: id, number: number++, bytes: Buffer.from(row).toString('base64') })
  }
  return { upload: id, name, signature: signatureOf(pair, bytes).toString('base64') }
}

/** Uploads and publishes a package. */
export async function publishPackage(
  operations: ReleaseOperations,
  { name, bytes }: Pick<RulePackage, 'name' | 'bytes'>,
  pair: Pick<ReleaseKeyPair, 'privatePem'>,
  options: Omit<PublishRulesRequest, keyof UploadedFile> = {},
) {
  return operations.publishRules({ ...(await upload(operations, name, bytes, pair)), ...options })
}

/** All bytes of a stream. */
export async function gathered(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
