import { describe, expect, it } from 'vitest'
import type { Failure } from '../failure.js'
import { ApiError, toApiError, Unreachable } from './api/api.js'
import { parseKubectlError } from './api/kubectl.js'
import { explainError, explainUnreachable } from './explain.js'

const LIST_PODS = { verb: 'list', resource: 'pods', group: '', namespace: 'shop' } as const
const FORBIDDEN = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop"'

describe('a cluster that does not respond', () => {
  // The messages of kubectl 1.20 to 1.32 and its libraries.
  it.each([
    ['dial tcp 127.0.0.1:8080: connect: connection refused', 'no cluster: kubectl has no configuration'],
    ['The connection to the server localhost:8080 was refused - did you specify the right host or port?', 'no cluster'],
    ['error: context "nope" does not exist', 'no context nope in the configuration of kubectl'],
    ['error: stat /no/such: no such file or directory', 'no such file: /no/such'],
    ['W1115 13:16:18.174055   27375 loader.go:223] Config not found: /no/such', 'no such file: /no/such'],
    [
      'error: error loading config file "/tmp/k": yaml: line 1: did not find expected node content',
      'the configuration of kubectl cannot be read: /tmp/k',
    ],
    ['getting credentials: exec: executable gke-gcloud-auth-plugin not found', 'is missing: gke-gcloud-auth-plugin'],
    ['getting credentials: exec: process exited with code 1', 'signing in to the cluster failed: exec: process exited'],
    [
      'getting credentials: exec: exit code 3\nlogin expired\nE1 x] Error while proxying: getting credentials: exec',
      'signing in to the cluster failed: exec: exit code 3 (login expired)',
    ],
    [
      'dial tcp: lookup api.example.com on 10.0.0.2:53: no such host',
      'the address of the cluster is unknown: api.example.com',
    ],
    ['getaddrinfo ENOTFOUND api.example.com', 'the address of the cluster is unknown: api.example.com'],
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      'is not trusted: certificate signed',
    ],
    ['dial tcp 10.1.2.3:6443: connect: connection refused', 'the API server at 10.1.2.3:6443 does not respond'],
    ['connect ECONNREFUSED 10.1.2.3:443', 'the API server at 10.1.2.3:443 does not respond'],
    ['net/http: TLS handshake timeout', 'does not respond in time'],
    ['error: You must be logged in to the server (Unauthorized)', 'the cluster does not accept your credentials'],
    ['not JSON: <html>', 'the response does not come from an API server: <html>'],
    ['E1 something\nerror: the last line', 'the request to the cluster failed: the last line'],
  ])('%s', (output, expected) => {
    const failure = explainUnreachable(output)
    expect(failure.message).toContain(expected)
    expect(failure.hint).toBeTruthy()
  })

  it('cannot write escape sequences to the terminal', () => {
    const { message } = explainUnreachable(`error: \u001b]0;title\u0007${'x'.repeat(5000)}`)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(message.length).toBeLessThan(300)
  })
})

describe('an error response of a cluster', () => {
  it('names the missing permission and the commands that grant it', () => {
    const { message, hint } = explainError(new ApiError(403, 'Forbidden', FORBIDDEN), LIST_PODS) as Failure
    expect(message).toBe('no permission: jane may not list pods in the namespace shop')
    expect(hint).toContain('kubectl create role omen -n shop --verb=get,list,watch --resource=pods,pods/log\n')
    expect(hint).toContain('kubectl create rolebinding omen -n shop --role=omen --user=jane')
  })

  it('is explained for a service account and for all namespaces', () => {
    const error = new ApiError(403, 'Forbidden', 'User "system:serviceaccount:ops:omen" cannot list')
    const { message, hint } = explainError(error, { ...LIST_PODS, namespace: undefined }) as Failure
    expect(message).toContain('in all namespaces')
    expect(hint).toContain('create clusterrolebinding omen --clusterrole=omen --serviceaccount=ops:omen')
  })

  it('suggests only the missing permission', () => {
    const attempt = { verb: 'get', resource: 'deployments', group: 'apps', namespace: 'shop' } as const
    const { hint } = explainError(new ApiError(403, 'Forbidden', ''), attempt) as Failure
    expect(hint).toContain('create role omen-deployments -n shop --verb=get --resource=deployments.apps')
  })

  it.each([
    [new ApiError(401, 'Unauthorized', 'Unauthorized'), 'the cluster does not accept your credentials'],
    [new ApiError(429, 'TooManyRequests', 'slow down'), 'the API server is too busy'],
    [
      new ApiError(409, 'Conflict', 'the object has been modified'),
      'the API server responded: the object has been modified',
    ],
    [new Unreachable('not a list of objects'), 'the request to the cluster failed: not a list of objects'],
  ])('%s', (error, expected) => {
    expect(explainError(error, LIST_PODS)).toMatchObject({
      kind: 'Cluster',
      message: expect.stringContaining(expected),
    })
  })

  it('does not change other errors', () => {
    const other = new TypeError('x is undefined')
    expect(explainError(other, LIST_PODS)).toBe(other)
  })
})

describe('an error response', () => {
  it('is read from a Status object', () => {
    const status = { kind: 'Status', reason: 'NotFound', message: 'pods "web" not found', code: 404 }
    expect(toApiError(404, JSON.stringify(status))).toMatchObject({ status: 404, reason: 'NotFound' })
    const busy = { kind: 'Status', reason: 'TooManyRequests', message: '', details: { retryAfterSeconds: 7 } }
    expect(toApiError(429, JSON.stringify(busy))).toMatchObject({ retryAfter: 7000 })
    expect(toApiError(429, JSON.stringify(busy), '2')).toMatchObject({ retryAfter: 2000 })
  })

  it.each([
    [500, 'dial tcp: connection refused', Unreachable],
    [502, '{"kind":"Status"', Unreachable],
    [200, '', Unreachable],
    [404, '404 page not found\n', ApiError],
    [401, '<html>', ApiError],
  ])('%d %j', (status, text, kind) => expect(toApiError(status, text)).toBeInstanceOf(kind))

  it('is read from the message of kubectl', () => {
    const output = 'W1 talk\nError from server (NotFound): pods "web" not found\n'
    expect(parseKubectlError(output)).toMatchObject({ status: 404, message: 'pods "web" not found' })
    expect(parseKubectlError('error: You must be logged in to the server (Unauthorized)')).toBeInstanceOf(Unreachable)
    expect(parseKubectlError('')).toMatchObject({ message: 'kubectl failed without a message' })
  })
})
