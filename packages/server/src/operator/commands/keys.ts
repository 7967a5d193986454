import { type CommandContext, print } from './context.js'

/** `omen-server keys rotate`: a new encryption key, and every secret encrypted with it. */
export async function rotateKeys(context: CommandContext): Promise<void> {
  const rotated = await context.reach.run((operations) => operations.rotateKeys())
  print(context, rotated, ({ keyId, reencrypted }) => {
    const secrets = reencrypted === 1 ? '1 secret was' : `${reencrypted} secrets were`
    return `The encryption key is now ${keyId}. ${secrets} encrypted with it.\n`
  })
}
