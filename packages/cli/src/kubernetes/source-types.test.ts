import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTypes, SOURCE_TYPES, sourceTypeOf } from './source-types.js'

const NOTHING = { annotations: {} }
const typeOf = (image: string, name = 'app', annotations: Record<string, string> = {}, ...flags: string[]) =>
  sourceTypeOf({ annotations }, { name, image }, readTypes(flags))

describe('the type of a log', () => {
  it.each([
    ['kafka', 'cre.log.kafka'],
    ['docker.io/bitnami/kafka:3.9', 'cre.log.kafka'],
    ['confluentinc/cp-kafka:7.6.0', 'cre.log.kafka'],
    ['registry.example:5000/team/kafka@sha256:0123', 'cre.log.kafka'],
    ['postgres:16-alpine', 'cre.log.postgresql'],
    ['registry.k8s.io/ingress-nginx/controller:v1.11.2', 'cre.log.ingress-nginx'],
    ['nginxinc/nginx-unprivileged:1.27', 'cre.log.nginx'],
    ['danielqsj/kafka-exporter', '*'],
    ['example/controller:1', '*'],
    ['', '*'],
  ])('of the image %j is %s', (image, type) => expect(typeOf(image)).toBe(type))

  it('depends on the container name if the image is unknown', () => {
    expect(typeOf('registry.example/team/thing:1', 'kafka')).toBe('cre.log.kafka')
    expect(typeOf('nginx', 'kafka')).toBe('cre.log.nginx')
  })

  it('comes from the annotations, that of the container first', () => {
    const pod = { 'omen.dev/source-type': 'cre.log.app', 'source-type.omen.dev/broker': 'cre.log.kafka' }
    expect(typeOf('nginx', 'app', pod)).toBe('cre.log.app')
    expect(typeOf('nginx', 'broker', pod)).toBe('cre.log.kafka')
    expect(typeOf('nginx', 'app', { 'omen.dev/source-type': '*' })).toBe('*')
    expect(typeOf('nginx', 'app', { 'omen.dev/source-type': 'no type\n' })).toBe('cre.log.nginx')
  })

  it('comes from the command line first', () => {
    const pod = { 'omen.dev/source-type': 'cre.log.app' }
    expect(typeOf('nginx', 'app', pod, 'cre.log.java')).toBe('cre.log.java')
    expect(typeOf('nginx', 'app', pod, 'cre.log.java', 'app=cre.log.go')).toBe('cre.log.go')
  })

  it.each(['', 'a b', 'app=', 'cre.log.kafka\n'])('is never %j', (value) => {
    expect(() => readTypes([value])).toThrow('--source-type takes a type such as cre.log.kafka')
  })

  it('is a type of the community rules', () => {
    const rules = readFileSync(new URL('../../dist/rules.yaml', import.meta.url), 'utf8')
    const known = new Set([...rules.matchAll(/source: '?"?([\w.*-]+)/g)].map(([, type]) => type))
    expect(SOURCE_TYPES.map(({ type }) => type).filter((type) => !known.has(type))).toEqual([])
  })

  it('is unique for each image and container', () => {
    const images = SOURCE_TYPES.flatMap((row) => row.images)
    const containers = SOURCE_TYPES.flatMap((row) => row.containers ?? [])
    expect(new Set(images).size).toBe(images.length)
    expect(new Set(containers).size).toBe(containers.length)
    expect(sourceTypeOf(NOTHING, { name: 'x', image: images[0]! }, new Map())).toBe(SOURCE_TYPES[0]!.type)
  })
})
