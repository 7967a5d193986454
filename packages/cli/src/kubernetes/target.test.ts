import { describe, expect, it } from 'vitest'
import { checkNamespace, nameOf, readTargets } from './target.js'

const read = (...args: string[]) => readTargets(args).map(nameOf)

describe('targets', () => {
  it.each([
    ['web-1', 'pod/web-1'],
    ['pod/web-1', 'pod/web-1'],
    ['po/web.1', 'pod/web.1'],
    ['deployment/web', 'deployment/web'],
    ['deploy/web', 'deployment/web'],
    ['deployments.apps/web', 'deployment/web'],
    ['Deployment/web', 'deployment/web'],
    ['job/import', 'job/import'],
    ['svc/shop', 'service/shop'],
    ['sts/db', 'statefulset/db'],
    ['ds/agent', 'daemonset/agent'],
    ['cj/backup', 'cronjob/backup'],
    ['rs/web-5d9c7', 'replicaset/web-5d9c7'],
  ])('%s is %s', (arg, expected) => expect(read(arg)).toEqual([expected]))

  it('may be several', () => {
    expect(read('deploy/web', 'job/import', 'db-0')).toEqual(['deployment/web', 'job/import', 'pod/db-0'])
  })

  it('may start with their kind, like in kubectl', () => {
    expect(read('deployment', 'web', 'api')).toEqual(['deployment/web', 'deployment/api'])
    expect(read('pod', 'web')).toEqual(['pod/web'])
    expect(read('pod')).toEqual(['pod/pod'])
  })

  it.each([
    [['deployment'], 'deployment needs a name: kubectl omen deployment/<name>'],
    [['deplyoment/web'], '"deplyoment" is not a kind of object with pods. Did you mean deployment/?'],
    [['secret/web'], '"secret" is not a kind of object with pods. Kinds: pod, deployment, job, service'],
    [['deployment/'], '"deployment/" has no name'],
    [['pod/../secrets'], 'is not a pod, deployment, job or service'],
    [['pod/a?b'], 'names consist of lower-case letters, digits, dots and hyphens'],
    [['web\u001b[31m'], '"web\\u001b[31m" is not a pod'],
    [[`pod/${'a'.repeat(300)}`], 'is not a pod'],
  ])('%j: %s', (args, message) => {
    expect(() => readTargets(args)).toThrow(
      expect.objectContaining({ kind: 'Usage', message: expect.stringContaining(message) }),
    )
  })
})

it.each(['../kube-system', 'a/b', 'Shop', '', '-a', 'x'.repeat(64)])('%j is not a namespace', (name) => {
  expect(() => checkNamespace(name)).toThrow('is not a namespace')
})
