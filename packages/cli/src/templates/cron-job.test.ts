import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { manifestErrors } from '../../test/kubernetes-schema.js'
import { cronJobTemplate } from './cron-job.js'
import { JOB_VALUES } from './job-commands.js'

const template = cronJobTemplate({ image: 'registry.example.com:5000/omen:0.1.0', version: '0.1.0' })
const documents = parseAllDocuments(template)
const objects = documents.map((document) => document.toJS())
const [account, role, binding, job] = objects
const pod = podOf(job)
const [container] = pod.containers

function podOf(cronJob: typeof job) {
  return cronJob.spec.jobTemplate.spec.template.spec
}

/** The documents of an edited template, which must still be valid. */
function edited(text: string) {
  expect(text).not.toBe(template)
  const changed = parseAllDocuments(text).map((document) => document.toJS())
  expect(changed.flatMap(manifestErrors)).toEqual([])
  return changed
}

/** The template with another of its commands live. */
function withCommand(pattern: RegExp): string[] {
  const changed = template
    .replace(/^( +)(args: .*)$/m, '$1# $2')
    .replace(new RegExp(`^( +)# (args: .*${pattern.source}.*)$`, 'm'), '$1$2')
  return podOf(edited(changed)[3]).containers[0].args
}

describe('the template of the scheduled job', () => {
  it('has four documents that match the API schema, all named omen in one namespace', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'CronJob'])
    expect(objects.flatMap(manifestErrors)).toEqual([])
    for (const { metadata } of objects) expect(metadata).toMatchObject({ name: 'omen', namespace: 'default' })
    expect(account.apiVersion).toBe('v1')
  })

  it('can read only pods and their logs', () => {
    expect(role.rules).toEqual([{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] }])
    expect(binding.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'omen' })
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'omen', namespace: 'default' }])
    expect(pod.serviceAccountName).toBe('omen')
  })

  it('has a commented rule for services', () => {
    const lines = /^ {2}# (- apiGroups: .*)\n {2}# ( {2}.*)\n {2}# ( {2}.*)$/m
    const [, changed] = edited(template.replace(lines, '  $1\n  $2\n  $3'))
    expect(changed.rules[1]).toEqual({ apiGroups: [''], resources: ['services'], verbs: ['get'] })
  })

  it('runs every ten minutes, one at a time, and keeps three runs of each kind', () => {
    expect(job.spec).toMatchObject({
      schedule: '*/10 * * * *',
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
    })
    expect(job.spec.jobTemplate.spec.backoffLimit).toBe(1)
    expect(pod.restartPolicy).toBe('Never')
  })

  it('has ended, or has not begun, when the next run is due', () => {
    const [, minutes] = /^\*\/(\d+) \* \* \* \*$/.exec(job.spec.schedule)!
    const seconds = Number(minutes) * 60
    expect(job.spec.startingDeadlineSeconds).toBeLessThan(seconds)
    expect(job.spec.jobTemplate.spec.activeDeadlineSeconds).toBeLessThan(seconds)
    expect(JOB_VALUES.since).toBe(`${minutes}m`)
  })

  it('retries a killed run, but not one that has reported its problems', () => {
    expect(job.spec.jobTemplate.spec.podFailurePolicy.rules).toEqual([
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2, 3] } },
    ])
  })

  it('knows the minute for which it was scheduled', () => {
    expect(container.env).toEqual([
      { name: 'OMEN_JOB_NAME', valueFrom: { fieldRef: { fieldPath: "metadata.labels['job-name']" } } },
    ])
  })

  it('has the configuration at /.preq, read-only, and a writable folder', () => {
    expect(container.volumeMounts).toEqual([
      { name: 'config', mountPath: '/.preq', readOnly: true },
      { name: 'scratch', mountPath: '/tmp' },
    ])
    expect(pod.volumes).toEqual([
      { name: 'config', configMap: { name: 'omen' } },
      { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
    ])
    expect(container.workingDir).toBe('/tmp')
    expect(template).toContain('kubectl create configmap omen --from-file="$HOME/.preq"')
  })

  it('can use a Secret for the configuration when four lines are edited', () => {
    const changed = template
      .replace(/^( +)(configMap:)\n( +)(name: omen)$/m, '$1# $2\n$3# $4')
      .replace(/^( +)# (secret:)\n( +)# ( {2}secretName: omen)$/m, '$1$2\n$3$4')
    expect(podOf(edited(changed)[3]).volumes[0]).toEqual({ name: 'config', secret: { secretName: 'omen' } })
  })

  it('runs without privileges', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(pod.securityContext.runAsUser).toBeGreaterThan(1000)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources).toEqual({ requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } })
  })

  it('has one active command, which skips its own pods', () => {
    expect(container.image).toBe('registry.example.com:5000/omen:0.1.0')
    expect(container.command).toEqual(['kubectl-omen'])
    expect(container.args).toEqual([
      '-y',
      '-o',
      'default: ',
      '--since',
      '10m',
      '--selector',
      'app.kubernetes.io/name!=omen',
    ])
    const { metadata, spec } = job.spec.jobTemplate
    for (const { labels } of [metadata, spec.template.metadata]) expect(labels['app.kubernetes.io/name']).toBe('omen')
  })

  it.each([
    [/app=web/, ['-y', '-o', 'web: ', '--since', '10m', '--selector', 'app=web']],
    [/deployment\//, ['-y', '-o', 'web: ', '--since', '10m', 'deployment/web']],
    [/job\//, ['-y', '-o', 'import: ', '--since', '10m', 'job/import']],
    [/service\//, ['-y', '-o', 'shop: ', '--since', '10m', 'service/shop']],
  ])('has a commented command: %s', (pattern, args) => {
    expect(withCommand(pattern)).toEqual(args)
  })

  it('can be generated for another namespace', () => {
    const elsewhere = cronJobTemplate({ image: 'omen:0.1.0', version: '0.1.0', namespace: 'shop' })
    const moved = edited(elsewhere)
    for (const { metadata } of moved) expect(metadata.namespace).toBe('shop')
    expect(moved[2].subjects[0].namespace).toBe('shop')
    expect(podOf(moved[3]).containers[0].args[2]).toBe('shop: ')
    expect(elsewhere).not.toContain('default')
    const commands = [...elsewhere.matchAll(/^# {6}(kubectl .*)$/gm)].map(([, command]) => command!)
    expect(commands).toHaveLength(5)
    for (const command of commands)
      expect(command.split(/[|;] /).every((part) => part.startsWith('kubectl -n shop '))).toBe(true)
  })

  it('shows a valid config.yaml', () => {
    const lines = template.split('\n').filter((line) => /^# {6}( *)(notification|type|webhook):/.test(line))
    const { notification } = parse(lines.map((line) => line.slice(7)).join('\n'))
    expect(notification.type).toBe('slack')
  })

  it('fits on a terminal', () => {
    expect(template.split('\n').filter((line) => line.length > 125)).toEqual([])
  })
})

describe('the check of manifests', () => {
  it.each([
    ['a misspelt field', { ...job, spec: { ...job.spec, scheduel: '' } }],
    ['a field in the wrong place', { ...job, spec: { ...job.spec, backoffLimit: 1 } }],
    ['a value that is not allowed', { ...job, spec: { ...job.spec, concurrencyPolicy: 'Never' } }],
    ['a missing field', { ...binding, roleRef: undefined }],
    ['an unknown kind', { ...job, apiVersion: 'batch/v1beta1' }],
  ])('finds %s', (_, manifest) => {
    expect(manifestErrors(manifest)).toHaveLength(1)
  })
})
