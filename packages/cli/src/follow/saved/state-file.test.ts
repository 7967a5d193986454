import { existsSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { logLines, rehearse, sourceOf } from '../../../test/follow/rehearsal.js'
import {
  appendLongAgo as append,
  entries,
  folder,
  log,
  rules,
  runOnce,
  statePath,
  useScene,
} from '../../../test/follow/scene.js'
import { openStateFile } from './state-file.js'

useScene()

describe('a state file', () => {
  it('is for its owner alone', async () => {
    append(logLines('idle'))
    await runOnce()
    expect(statSync(statePath).mode & 0o777).toBe(0o600)
    expect(existsSync(`${statePath}.lock`)).toBe(false)
  })

  it('is replaced behind a symbolic link', async () => {
    const target = folder.at('elsewhere.json')
    writeFileSync(target, '')
    symlinkSync(target, statePath)
    append(logLines('disk full'))
    await runOnce()
    expect(JSON.parse(readFileSync(target, 'utf8')).version).toBe(1)
    expect((await runOnce()).found).toEqual([])
  })

  it.each([
    ['{"hello": "world"}', 'not a state file of omen'],
    ['half of {', 'not a state file of omen'],
    ['[]', 'not a state file of omen'],
    ['{"omen":"state","version":1,"rules":"","files":[{"path":7}],"left":[]}', 'broken (files[0].source)'],
    ['{"omen":"state","version":99,"rules":"","files":[],"left":[]}', 'written by a newer omen'],
  ])('that is %s is refused and left alone', (content, message) => {
    writeFileSync(statePath, content)
    expect(() => openStateFile(statePath)).toThrow(`${statePath}: ${message}`)
    expect(readFileSync(statePath, 'utf8')).toBe(content)
    expect(existsSync(`${statePath}.lock`)).toBe(false)
  })

  it('must be in a folder that exists', () => {
    expect(() => openStateFile(folder.at('nowhere/state.json'))).toThrow('the folder does not exist')
    expect(() => openStateFile(folder.at('.'))).toThrow('is not a regular file')
  })

  it('is locked while it is in use', () => {
    const first = openStateFile(statePath)
    expect(() => openStateFile(statePath)).toThrow(`${statePath}: in use by process ${process.pid}`)
    first.close()
    openStateFile(statePath).close()
  })

  it.each([
    ['a process that has ended', { pid: 2 ** 22 + 1, started: '', host: undefined }],
    ['a process whose number another has got', { pid: process.ppid, started: 'long ago', host: undefined }],
  ])('is taken over from %s', async (_, holder) => {
    const { hostname } = await import('node:os')
    writeFileSync(`${statePath}.lock`, JSON.stringify({ ...holder, host: hostname() }))
    const state = openStateFile(statePath)
    expect(readFileSync(`${statePath}.lock`, 'utf8')).toContain(`"pid":${process.pid}`)
    state.close()
  })

  it('is taken over from another machine once that gives no sign of life', () => {
    const lock = `${statePath}.lock`
    writeFileSync(lock, JSON.stringify({ pid: 1, started: '', host: 'another' }))
    expect(() => openStateFile(statePath)).toThrow('in use by process 1 on another')
    utimesSync(lock, 0, 0)
    openStateFile(statePath).close()
    writeFileSync(lock, '')
    expect(() => openStateFile(statePath)).toThrow('was created a moment ago')
    utimesSync(lock, 0, 0)
    openStateFile(statePath).close()
  })

  it('that cannot be written is told once while following, and fails the run at its end', async () => {
    const where = folder.at('gone')
    const { mkdirSync } = await import('node:fs')
    mkdirSync(where)
    append(logLines('disk full'))
    const run = await rehearse(rules, [sourceOf(log)], { statePath: `${where}/state.json` })
    rmSync(where, { recursive: true })
    await run.step(3000)
    expect(run.problems).toEqual([
      `${where}/state.json: the folder does not exist; create it or choose another name; trying again until it works`,
    ])
    await expect(run.stop()).rejects.toThrow('the folder does not exist')
    expect(entries(run.found)).toEqual(['1:disk full'])
  })
})
