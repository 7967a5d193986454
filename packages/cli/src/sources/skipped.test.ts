import { expect, it } from 'vitest'
import { describeSkipped, type Skipped, type SkippedKind } from './skipped.js'

const skipped = (kind: SkippedKind, ...paths: string[]): Skipped[] => paths.map((path) => ({ path, kind, reason: '' }))

it('skipped files are counted by kind, with the command that reads those that may be logs', () => {
  expect(
    describeSkipped([
      ...skipped('binary', '/var/log/wtmp'),
      ...skipped(
        'journal',
        '/var/log/journal/1/a.journal',
        '/var/log/journal/1/b.journal',
        '/run/log/journal/1/c.journal',
      ),
      ...skipped('zip', '/var/log/a.zip', '/var/log/b.zip'),
      ...skipped('empty', '/var/log/boot.log', '/var/log/btmp.log'),
      ...skipped('link', '/var/log/gone'),
    ]),
  ).toEqual([
    '3 systemd journals: journalctl -o json | omen',
    '2 zip archives: unzip -p FILE | omen',
    '1 binary file, 2 empty files, 1 broken symbolic link',
  ])
})

it('the command names the file if there is one, and the folder of journals that systemd did not store', () => {
  expect(describeSkipped(skipped('tar', "old logs/it's.tar.gz"))).toEqual([
    "1 tar archive: tar -xOf 'old logs/it'\\''s.tar.gz' | omen",
  ])
  expect(describeSkipped(skipped('journal', 'copy/a.journal', 'copy/b.journal'))).toEqual([
    '2 systemd journals: journalctl -D copy -o json | omen',
  ])
  expect(describeSkipped(skipped('journal', 'a/a.journal', 'b/b.journal'))).toEqual([
    '2 systemd journals: journalctl -D FOLDER -o json | omen',
  ])
})

it('nothing is listed if nothing was skipped', () => {
  expect(describeSkipped([])).toEqual([])
})
