import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NAMESPACE } from './plan.js'

const BUILT = fileURLToPath(new URL('../../../../packages/cli/dist/kubectl-omen.js', import.meta.url))

/** The plugin as built in this checkout, or another build of it. */
export function findPlugin(program: string = BUILT): string {
  if (!existsSync(program)) throw new Error(`the plugin is not built: ${program} is missing (npm run build)`)
  return program
}

/** How the plugin is run: everything that the benchmark knows about its command line is in this file. */
export interface PluginRun {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Reads every pod of the namespace with the rules that come with the tool, and writes no report. */
export function readEverything(plugin: string, kubeconfig: string, folder: string): PluginRun {
  const kept = Object.entries(process.env).filter(([name]) => !/^(OMEN_|KUBE)/.test(name))
  return {
    program: process.execPath,
    args: [plugin, '-n', NAMESPACE, '--selector', 'app=worker', '-o', ''],
    env: { ...Object.fromEntries(kept), KUBECONFIG: kubeconfig, OMEN_CONFIG_DIR: folder, NO_COLOR: '1' },
  }
}
