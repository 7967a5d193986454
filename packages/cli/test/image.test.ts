import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { configurationFolder } from '../src/settings/configuration-folder.js'
import { JOB_VALUES } from '../src/templates/job-commands.js'
import { VERSION } from '../src/version.js'
import { useFolder } from './omen.js'

const folder = useFolder()
const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Stage {
  readonly from: string
  readonly name: string
  /** With continuation lines joined. */
  readonly steps: readonly string[]
}

/** The stages of the Dockerfile, in order. */
const stages: readonly Stage[] = readFileSync(`${root}/deploy/Dockerfile`, 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^FROM /m)
  .slice(1)
  .map((text) => {
    const [first = '', ...steps] = text.split('\n').filter((line) => line !== '')
    const [from = '', , name = ''] = first.split(' ')
    return { from, name, steps }
  })

const stage = (name: string) => stages.find((candidate) => candidate.name === name)!
const steps = (name: string, word: string) =>
  stage(name)
    .steps.filter((step) => step.startsWith(`${word} `))
    .map((step) => step.slice(word.length + 1))

describe('the image of the tool', () => {
  it('contains the executable under both names, and the licenses', () => {
    const program = '#!/bin/sh\necho "$(basename "$0") $*"\n'
    folder.write('src/packages/cli/dist/single-file/omen', program)
    folder.write('src/packages/cli/dist/single-file/THIRD-PARTY-LICENSES', 'theirs')
    folder.write('src/LICENSE', 'ours')
    const [make, arrange] = steps('package', 'RUN')
    expect(make).toBe('npm run package --workspace @omen/cli')
    const here = arrange!
      .replaceAll('/src/', `${folder.path('src')}/`)
      .replaceAll('/image/', `${folder.path('image')}/`)
    execFileSync('sh', ['-ec', here])
    for (const name of ['omen', 'kubectl-omen']) {
      expect(execFileSync(folder.path(`image/usr/local/bin/${name}`), ['-v']).toString()).toBe(`${name} -v\n`)
    }
    expect(statSync(folder.path('image/usr/local/bin/omen')).mode & 0o777).toBe(0o755)
    expect(readFileSync(folder.path('image/usr/share/doc/omen/LICENSE'), 'utf8')).toBe('ours')
    expect(steps('omen', 'COPY')).toEqual(['--from=package /image/ /'])
  })

  it('runs as the user of the job, and finds the configuration that the job mounts', () => {
    expect(steps('omen', 'USER')).toEqual([`${JOB_VALUES.user}:${JOB_VALUES.group}`])
    expect(steps('omen', 'WORKDIR')).toEqual([JOB_VALUES.scratchMount])
    const env = Object.fromEntries(
      steps('omen', 'ENV').flatMap((line) => line.split(/\s+/).map((pair) => pair.split('='))),
    )
    expect(configurationFolder(env)).toBe(JOB_VALUES.configurationMount)
    expect(env.container).toBe('oci')
  })

  it('contains no build tools, and kubectl only in another target', () => {
    expect(stage('omen').from).toMatch(/distroless/)
    expect(steps('omen', 'RUN')).toEqual([])
    expect(stage('omen-with-kubectl')).toMatchObject({ from: 'omen' })
    expect(steps('omen-with-kubectl', 'COPY')).toEqual([
      expect.stringMatching(/\/bin\/kubectl \/usr\/local\/bin\/kubectl$/),
    ])
  })

  it('has the name that the job uses', () => {
    const { scripts } = JSON.parse(readFileSync(`${root}/packages/cli/package.json`, 'utf8'))
    expect(scripts.package).toBeDefined()
    expect(readFileSync(`${root}/deploy/Dockerfile`, 'utf8')).toContain(`--target omen -t omen:${VERSION} .`)
    expect(folder.omen(['-j', '-o', '-']).out).toContain(`image: omen:${VERSION}\n`)
  })

  it('is not the default target, which is the service', () => {
    expect(stages.at(-1)!.name).toBe('omen-server')
  })
})
