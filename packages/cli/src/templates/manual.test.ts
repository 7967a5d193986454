import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { manifestErrors } from '../../test/kubernetes-schema.js'
import { flagLabel, readPage, rowsUnder } from '../../test/manual.js'
import { FLAGS } from '../command-line/flags.js'
import { KUBECTL_OMEN } from '../command-line/plugin.js'
import { CONTAINER_ANNOTATION, POD_ANNOTATION } from '../kubernetes/source-types.js'
import { cronJobTemplate } from './cron-job.js'
import { JOB_VALUES as JOB, JOB_COMMANDS, jobArguments } from './job-commands.js'

const page = readPage('docs/kubernetes.md')
const blocks = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text!)
const block = (sign: string) => blocks.find((text) => text.includes(sign))!

const template = cronJobTemplate({ image: 'omen:0.1.0', version: '0.1.0' })
const [account, , , job] = parseAllDocuments(template).map((document) => document.toJS())

describe('docs/kubernetes.md', () => {
  it('shows the current values of the job', () => {
    const shown = new Map(rowsUnder(page, ['value', 'default', 'why']).map(([value, text]) => [value, text]))
    const code = (...values: readonly (string | number)[]) => values.map((value) => `\`${value}\``).join(', ')
    expect(Object.fromEntries(shown)).toEqual({
      '`schedule`': code(JOB.schedule),
      '`--since`': code(JOB.since),
      '`concurrencyPolicy`': code(JOB.concurrencyPolicy),
      '`startingDeadlineSeconds`': code(JOB.startingDeadlineSeconds),
      '`activeDeadlineSeconds`': code(JOB.activeDeadlineSeconds),
      '`successfulJobsHistoryLimit`': code(JOB.successfulJobsHistoryLimit),
      '`failedJobsHistoryLimit`': code(JOB.failedJobsHistoryLimit),
      '`backoffLimit`': code(JOB.backoffLimit),
      '`podFailurePolicy`': `\`FailJob\` on \`${JOB.finalExitCodes.join(', ')}\``,
      '`restartPolicy`': code(JOB.restartPolicy),
      role: code(...JOB.verbs),
      '`runAsUser`, `runAsGroup`': code(...new Set([JOB.user, JOB.group])),
      requests: code(JOB.cpuRequest, JOB.memoryRequest),
      'memory limit': code(JOB.memoryLimit),
      configuration: code(JOB.configurationMount),
      scratch: code(JOB.scratchMount, JOB.scratchLimit),
    })
  })

  it('lists exactly the flags of the plugin', () => {
    const shown = rowsUnder(page, ['flag', 'what it does for `kubectl omen`']).map(([label]) => label)
    const common = new Set(FLAGS.map(({ name }) => name))
    const own = KUBECTL_OMEN.flags.filter(({ name }) => !common.has(name))
    expect(shown).toEqual(own.map(flagLabel))
  })

  it('shows the annotations that set the type of a log', () => {
    const { annotations } = parse(block('annotations:')).metadata
    const [ofPod, ofContainer] = Object.keys(annotations)
    expect([ofPod, ofContainer]).toEqual([POD_ANNOTATION, `${CONTAINER_ANNOTATION}sidecar`])
  })

  it('has a cluster role that is bound to the service account of the job', () => {
    const [role, binding] = parseAllDocuments(block('ClusterRoleBinding')).map((document) => document.toJS())
    expect([role, binding].flatMap(manifestErrors)).toEqual([])
    expect(role.rules).toEqual([{ apiGroups: [''], resources: [...JOB.resources], verbs: [...JOB.verbs] }])
    expect(binding.roleRef.name).toBe(role.metadata.name)
    const { name, namespace } = account.metadata
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name, namespace }])
  })

  it('has volumes that can replace the config map', () => {
    const { volumes } = parse(block('projected:'))
    const pod = job.spec.jobTemplate.spec.template.spec
    const others = pod.volumes.filter(({ name }: { name: string }) => name !== 'config')
    expect(volumes.map(({ name }: { name: string }) => name)).toEqual(['config'])
    pod.volumes = [...volumes, ...others]
    expect(manifestErrors(job)).toEqual([])
  })

  it('has arguments for all namespaces that otherwise equal those of the job', () => {
    const [, args] = /^and `(args: \[.*\])`\.$/m.exec(page)!
    expect(parse(args!).args.filter((word: string) => word !== '-A')).toEqual(
      jobArguments({ ...JOB_COMMANDS[0], label: 'cluster' }),
    )
  })

  it('has the commands at the top of the template', () => {
    const commands = [...template.matchAll(/^# {6}(kubectl .*)$/gm)].map(([, command]) => command!)
    expect(commands).toHaveLength(5)
    for (const command of commands) expect(page.split('\n')).toContain(command)
  })
})
