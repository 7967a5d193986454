import { type CommandContext, print } from './context.js'

/** `omen-server keys rotate`: a new encryption key, and every secret encrypted with it. */
export async function rotateKeys(context: CommandContext): Promise<void> {
  const rotated = await context.reach.run((operations) => operations.rotateKeys())
  print(context, rotated, ({ keyId, reencrypted }) => {
    const secrets = reencrypted === 1 ? '1 secret was' : `${reencrypted} secrets were`
    return `The encryption key is now ${keyId}. ${secrets} encrypted with it.\n`
  })
}

/** `omen-server keys rotate-signing`: a new key that signs tokens. */
export async function rotateSigningKey(context: CommandContext, endTokens: boolean): Promise<void> {
  const rotated = await context.reach.run((operations) => operations.rotateSigningKey({ endTokens }))
  print(context, rotated, ({ keyId }) => {
    const older = endTokens
      ? 'Tokens that were issued before no longer work: administrators exchange their code again.'
      : 'Tokens that were issued before work until they expire.'
    return `The signing key is now ${keyId}. ${older}\n`
  })
}
