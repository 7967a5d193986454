import { describe, expect, it } from 'vitest'
import type { Failure } from '../failure.js'
import { Refused, refusalOf, Unreachable } from './api/api.js'
import { refusalFrom } from './api/raw.js'
import { explainError, explainUnreachable } from './explain.js'

const LIST_PODS = { verb: 'list', resource: 'pods', group: '', namespace: 'shop' } as const
const FORBIDDEN = 'pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the namespace "shop"'

describe('a cluster that does not answer', () => {
  // What kubectl 1.20 to 1.32 and its libraries say.
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
    ['dial tcp: lookup api.example.com on 10.0.0.2:53: no such host', 'not known here: api.example.com'],
    ['getaddrinfo ENOTFOUND api.example.com', 'not known here: api.example.com'],
    [
      'tls: failed to verify certificate: x509: certificate signed by unknown authority',
      'is not trusted: certificate signed',
    ],
    ['dial tcp 10.1.2.3:6443: connect: connection refused', 'the API server at 10.1.2.3:6443 does not answer'],
    ['connect ECONNREFUSED 10.1.2.3:443', 'the API server at 10.1.2.3:443 does not answer'],
    ['net/http: TLS handshake timeout', 'does not answer in time'],
    ['error: You must be logged in to the server (Unauthorized)', 'the cluster does not know who you are'],
    ['not JSON: <html>', 'that is no API server that answered: <html>'],
    ['E1 something\nerror: the last line', 'the cluster cannot be asked: the last line'],
  ])('%s', (said, expected) => {
    const failure = explainUnreachable(said)
    expect(failure.message).toContain(expected)
    expect(failure.hint).toBeTruthy()
  })

  it('cannot put anything on the terminal', () => {
    const { message } = explainUnreachable(`error: \u001b]0;title\u0007${'x'.repeat(5000)}`)
    expect(message).not.toMatch(/\p{Cc}/u)
    expect(message.length).toBeLessThan(300)
  })
})

describe('a cluster that refuses', () => {
  it('says who lacks what, and which role would help', () => {
    const { message, hint } = explainError(new Refused(403, 'Forbidden', FORBIDDEN), LIST_PODS) as Failure
    expect(message).toBe('no permission: jane may not list pods in the namespace shop')
    expect(hint).toContain('kubectl create role omen -n shop --verb=get,list,watch --resource=pods,pods/log\n')
    expect(hint).toContain('kubectl create rolebinding omen -n shop --role=omen --user=jane')
  })

  it('names a service account as kubectl takes it, and a role for all namespaces', () => {
    const refusal = new Refused(403, 'Forbidden', 'User "system:serviceaccount:ops:omen" cannot list')
    const { message, hint } = explainError(refusal, { ...LIST_PODS, namespace: undefined }) as Failure
    expect(message).toContain('in all namespaces')
    expect(hint).toContain('create clusterrolebinding omen --clusterrole=omen --serviceaccount=ops:omen')
  })

  it('asks for what is missing, and no more', () => {
    const attempt = { verb: 'get', resource: 'deployments', group: 'apps', namespace: 'shop' } as const
    const { hint } = explainError(new Refused(403, 'Forbidden', ''), attempt) as Failure
    expect(hint).toContain('create role omen-deployments -n shop --verb=get --resource=deployments.apps')
  })

  it.each([
    [new Refused(401, 'Unauthorized', 'Unauthorized'), 'the cluster does not know who you are'],
    [new Refused(429, 'TooManyRequests', 'slow down'), 'the API server is too busy'],
    [new Refused(409, 'Conflict', 'the object has been modified'), 'the API server says: the object has been modified'],
    [new Unreachable('not a list of objects'), 'the cluster cannot be asked: not a list of objects'],
  ])('%s', (error, expected) => {
    expect(explainError(error, LIST_PODS)).toMatchObject({
      kind: 'Cluster',
      message: expect.stringContaining(expected),
    })
  })

  it('leaves mistakes of our own alone', () => {
    const mistake = new TypeError('x is undefined')
    expect(explainError(mistake, LIST_PODS)).toBe(mistake)
  })
})

describe('what an answer says', () => {
  it('is read from a Status object', () => {
    const status = { kind: 'Status', reason: 'NotFound', message: 'pods "web" not found', code: 404 }
    expect(refusalOf(404, JSON.stringify(status))).toMatchObject({ status: 404, reason: 'NotFound' })
    const busy = { kind: 'Status', reason: 'TooManyRequests', message: '', details: { retryAfterSeconds: 7 } }
    expect(refusalOf(429, JSON.stringify(busy))).toMatchObject({ retryAfter: 7000 })
    expect(refusalOf(429, JSON.stringify(busy), '2')).toMatchObject({ retryAfter: 2000 })
  })

  it.each([
    [500, 'dial tcp: connection refused', Unreachable],
    [502, '{"kind":"Status"', Unreachable],
    [200, '', Unreachable],
    [404, '404 page not found\n', Refused],
    [401, '<html>', Refused],
  ])('%d %j', (status, text, kind) => expect(refusalOf(status, text)).toBeInstanceOf(kind))

  it('is read from the words of kubectl', () => {
    const said = 'W1 talk\nError from server (NotFound): pods "web" not found\n'
    expect(refusalFrom(said)).toMatchObject({ status: 404, message: 'pods "web" not found' })
    expect(refusalFrom('error: You must be logged in to the server (Unauthorized)')).toBeInstanceOf(Unreachable)
    expect(refusalFrom('')).toMatchObject({ message: 'kubectl failed and said nothing' })
  })
})
