import { readCompanion, readKeyFile, signFile, uploadFile } from '../release-files.js'
import type { UploadedFile } from '../release-operations.js'
import { type CommandContext, print } from './context.js'
import { renderPublished } from './rules.js'

export interface ToolOptions {
  readonly notes?: string
  readonly key?: string
  readonly backport?: boolean
}

/** `omen-server tool publish`: the executables of a version, all of them or none. */
export async function publishTool(
  context: CommandContext,
  paths: readonly string[],
  { notes, key: keyFile, backport }: ToolOptions,
): Promise<void> {
  const key = keyFile === undefined ? undefined : await readKeyFile(keyFile)
  const signatureOf = (path: string) =>
    key ? signFile(path, key) : readCompanion(`${path}.sig`, 'there is no such file: sign it, or name a --key')
  const signed: { readonly path: string; readonly signature: Buffer }[] = []
  for (const path of paths) signed.push({ path, signature: await signatureOf(path) })
  const published = await context.reach.run(async (operations) => {
    const files: UploadedFile[] = []
    for (const { path, signature } of signed) files.push(await uploadFile(operations, path, signature))
    return operations.publishTool({
      files,
      ...(notes !== undefined && { notes }),
      ...(backport !== undefined && { backport }),
    })
  })
  print(context, published, renderPublished)
}
