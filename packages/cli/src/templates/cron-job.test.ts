import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { cronJobTemplate } from './cron-job.js'

const template = cronJobTemplate({ image: 'registry.example.com:5000/omen:0.1.0', version: '0.1.0' })
const documents = parseAllDocuments(template)
const objects = documents.map((document) => document.toJS())
const [account, role, binding, job] = objects
const pod = job.spec.jobTemplate.spec.template.spec
const [container] = pod.containers

/** The template with another of its commands live. */
function withCommand(pattern: RegExp): string[] {
  const changed = template
    .replace(/^( +)(args: .*)$/m, '$1# $2')
    .replace(new RegExp(`^( +)# (args: .*${pattern.source}.*)$`, 'm'), '$1$2')
  const [, , , changedJob] = parseAllDocuments(changed).map((document) => document.toJS())
  return changedJob.spec.jobTemplate.spec.template.spec.containers[0].args
}

describe('the template of the scheduled job', () => {
  it('is four valid documents, all named omen in one namespace', () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
    expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'CronJob'])
    for (const { metadata } of objects) expect(metadata).toMatchObject({ name: 'omen', namespace: 'default' })
    expect(account.apiVersion).toBe('v1')
  })

  it('may read pods and their logs, and nothing else', () => {
    expect(role.rules).toEqual([{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] }])
    expect(binding.roleRef).toEqual({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'omen' })
    expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'omen', namespace: 'default' }])
    expect(pod.serviceAccountName).toBe('omen')
  })

  it('offers the one more rule that a service needs', () => {
    const uncommented = template.replace(
      /^ {2}# (- apiGroups: .*)\n {2}# ( {2}.*)\n {2}# ( {2}.*)$/m,
      '  $1\n  $2\n  $3',
    )
    const [, changed] = parseAllDocuments(uncommented).map((document) => document.toJS())
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
    expect(job.spec.jobTemplate.spec.activeDeadlineSeconds).toBeLessThan(600)
    expect(pod.restartPolicy).toBe('Never')
  })

  it('has the configuration at /.preq, read-only, and a place to write', () => {
    expect(container.volumeMounts).toEqual([
      { name: 'config', mountPath: '/.preq', readOnly: true },
      { name: 'tmp', mountPath: '/tmp' },
    ])
    expect(pod.volumes[0]).toEqual({ name: 'config', configMap: { name: 'omen' } })
    expect(container.workingDir).toBe('/tmp')
    expect(template).toContain('kubectl create configmap omen --from-file="$HOME/.preq"')
  })

  it('runs without any privilege', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.resources.limits.memory).toBeDefined()
  })

  it('has one live command, which leaves out its own pods', () => {
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
    const labels = job.spec.jobTemplate.spec.template.metadata.labels
    expect(labels['app.kubernetes.io/name']).toBe('omen')
  })

  it.each([
    [/app=web/, ['-y', '-o', 'web: ', '--since', '10m', '--selector', 'app=web']],
    [/deployment\//, ['-y', '-o', 'web: ', '--since', '10m', 'deployment/web']],
    [/job\//, ['-y', '-o', 'import: ', '--since', '10m', 'job/import']],
    [/service\//, ['-y', '-o', 'shop: ', '--since', '10m', 'service/shop']],
  ])('has commands to uncomment: %s', (pattern, args) => {
    expect(withCommand(pattern)).toEqual(args)
  })

  it('shows a config.yaml that can be used as it stands', () => {
    const lines = template.split('\n').filter((line) => /^# {6}( *)(notification|type|webhook):/.test(line))
    const { notification } = parse(lines.map((line) => line.slice(7)).join('\n'))
    expect(notification.type).toBe('slack')
  })
})
