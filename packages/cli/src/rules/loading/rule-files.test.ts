import { mkdirSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useRules } from '../../../test/rules-context.js'
import { Failure } from '../../failure.js'
import { readRuleFiles } from './rule-files.js'

const folder = useRules()

function failureOf(path: string): Failure {
  try {
    readRuleFiles(path)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing failed')
}

describe('a folder of rule documents', () => {
  it('is read with its sub-folders, in the order of names', () => {
    const names = ['set/b.yaml', 'set/a/rule.yml', 'set/c.yaml.gz']
    for (const name of names) folder.write(name, 'rules: []')
    folder.write('set/notes.txt', 'no rule')
    folder.write('set/.git/x.yaml', 'no rule')
    expect(readRuleFiles(folder.path('set')).map(({ name }) => name)).toEqual(
      ['set/a/rule.yml', 'set/b.yaml', 'set/c.yaml.gz'].map(folder.path),
    )
  })

  it('may be a mounted config map, whose files are links into a hidden folder', () => {
    folder.write('mounted/..2026_11_15/kafka.yaml', 'rules: []')
    symlinkSync('..2026_11_15', folder.path('mounted/..data'))
    symlinkSync('..data/kafka.yaml', folder.path('mounted/kafka.yaml'))
    expect(readRuleFiles(folder.path('mounted')).map(({ name }) => name)).toEqual([folder.path('mounted/kafka.yaml')])
  })

  it('may contain circular and broken links', () => {
    folder.write('circle/a.yaml', 'rules: []')
    symlinkSync('.', folder.path('circle/again'))
    symlinkSync('self', folder.path('circle/self'))
    symlinkSync('gone.yaml', folder.path('circle/lost.yaml'))
    expect(readRuleFiles(folder.path('circle'))).toHaveLength(1)
  })

  it('may contain other YAML files, such as a list of tags; a named document is always read', () => {
    const tags = folder.write('catalogue/tags.yaml', 'technologies:\n  kafka: Event streams\n')
    folder.write('catalogue/overlaps.yaml', '# nothing yet\n')
    folder.write('catalogue/a/rule.yaml', 'rules: []')
    folder.write('catalogue/b/rule.yaml', '- cre: {}')
    folder.write('catalogue/c/rule.yaml', '{"rules": []}')
    const names = readRuleFiles(folder.path('catalogue')).map(({ name }) => name)
    expect(names).toEqual(['a', 'b', 'c'].map((name) => folder.path(`catalogue/${name}/rule.yaml`)))
    expect(readRuleFiles(tags)).toHaveLength(1)
  })

  it('without a document is an error', () => {
    mkdirSync(folder.path('empty'))
    const { kind, message } = failureOf(folder.path('empty'))
    expect(kind).toBe('Rules')
    expect(message).toBe(`${folder.path('empty')}: no rule documents (.yaml, .yml) in this folder`)
  })
})

describe('a path that cannot be read', () => {
  it('is reported with the reason', () => {
    expect(failureOf(folder.path('nowhere')).message).toBe(`${folder.path('nowhere')}: no such file or folder`)
    folder.write('file', '')
    expect(failureOf(folder.path('file/below')).message).toMatch(/below: no such file or folder$/)
  })
})

it('an endless device is read only up to the limit of a document', () => {
  expect(readRuleFiles('/dev/zero')[0]!.bytes).toHaveLength(64 * 1024 * 1024 + 1)
})
