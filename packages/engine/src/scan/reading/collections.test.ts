import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasShared, sharedFolder } from '../../../test/contract.js'
import { plainReadingKernel } from '../../../test/reading/kernels.js'
import { readAll } from '../../../test/reading/read.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function read(log: string | Uint8Array, now?: string) {
  const data = typeof log === 'string' ? encoder.encode(log) : log
  const { entries, formats, warnings } = readAll(
    plainReadingKernel,
    data,
    now === undefined ? {} : { options: { now: new Date(now) } },
  )
  const texts = entries.map(({ text }) => decoder.decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0))))
  return { texts, timestamps: entries.map(({ timestamp }) => timestamp), formats, warnings }
}

/** Lines as the well-known public collections of logs have them, with the times of their entries. */
const COLLECTIONS: readonly (readonly [name: string, lines: readonly string[], times: readonly string[]])[] = [
  [
    'HDFS',
    [
      '081109 203518 143 INFO dfs.DataNode$PacketResponder: PacketResponder 1 terminating',
      '081109 203615 148 INFO dfs.DataNode$PacketResponder: x',
    ],
    ['2008-11-09T20:35:18Z', '2008-11-09T20:36:15Z'],
  ],
  [
    'Hadoop',
    [
      '2015-10-18 18:01:47,978 INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: Created',
      '2015-10-18 18:01:48,963 INFO [main] x',
    ],
    ['2015-10-18T18:01:47.978Z', '2015-10-18T18:01:48.963Z'],
  ],
  [
    'Spark',
    [
      '17/06/09 20:10:40 INFO executor.CoarseGrainedExecutorBackend: Registered signal handlers',
      '17/06/09 20:10:41 INFO x',
    ],
    ['2017-06-09T20:10:40Z', '2017-06-09T20:10:41Z'],
  ],
  [
    'ZooKeeper',
    ['2015-07-29 17:41:44,747 - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:FastLeaderElection@774] - Notification'],
    ['2015-07-29T17:41:44.747Z'],
  ],
  [
    'OpenStack',
    [
      'nova-api.log.1.2017-05-16_13:53:08 2017-05-16 00:00:00.008 25746 INFO nova.osapi_compute.wsgi.server [req-3] 10.11.10.1 "GET /v2" status: 200 time: 0.2477829',
      'nova-compute.log.1.2017-05-16_13:55:31 2017-05-16 00:00:04.500 2931 INFO nova.compute.manager x',
    ],
    ['2017-05-16T00:00:00.008Z', '2017-05-16T00:00:04.5Z'],
  ],
  [
    'BGL',
    [
      '- 1117838570 2005.06.03 R02-M1-N0-C:J12-U11 2005-06-03-15.42.50.363779 R02-M1-N0-C:J12-U11 RAS KERNEL INFO instruction cache parity error corrected',
      'APPREAD 1117869872 2005.06.04 R04-M1-N4-I:J18-U11 2005-06-04-00.24.32.432192 R04-M1-N4-I:J18-U11 RAS APP FATAL ciod',
    ],
    ['2005-06-03T22:42:50Z', '2005-06-04T07:24:32Z'],
  ],
  [
    'HPC',
    [
      '134681 node-246 unix.hw state_change.unavailable 1077804742 1 Component State Change: Component "alt0" is in the unavailable state',
      '350766 node-109 unix.hw state_change.unavailable 1084680778 1 Component State Change',
      '371878 node-64 node status 1085921340 -1 configured out',
      '264038 full partition status 1079249252 1 running',
    ],
    ['2004-02-26T14:12:22Z', '2004-05-16T04:12:58Z', '2004-05-30T12:49:00Z', '2004-03-14T07:27:32Z'],
  ],
  [
    'Thunderbird',
    [
      '- 1131566461 2005.11.09 dn228 Nov 9 12:01:01 dn228/dn228 crond(pam_unix)[2915]: session closed for user root',
      'R_HDA_NR 1131566462 2005.11.09 dn228 Nov 9 12:01:02 dn228/dn228 kernel: x',
      'ECC 1131566463 2005.11.09 dn228 Nov 9 12:01:03 dn228/dn228 kernel: x',
    ],
    ['2005-11-09T20:01:01Z', '2005-11-09T20:01:02Z', '2005-11-09T20:01:03Z'],
  ],
  [
    'Windows',
    [
      '2016-09-28 04:30:30, Info                  CBS    Loaded Servicing Stack v6.1.7601.23505',
      '2016-09-28 04:30:31, Info                  CSI    00000001@2016/9/27:20:30:31.455 WcpInitialize',
    ],
    ['2016-09-28T04:30:30Z', '2016-09-28T04:30:31Z'],
  ],
  [
    'Linux',
    [
      'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; logname= uid=0',
      'Jun 15 02:04:59 combo sshd(pam_unix)[20882]: x',
    ],
    ['2025-06-14T15:16:01Z', '2025-06-15T02:04:59Z'],
  ],
  [
    'Mac',
    [
      'Jul  1 09:00:55 calvisitor-10-105-160-95 kernel[0]: IOThunderboltSwitch<0>(0x0)::listenerCallback',
      '\tfolded 2017',
      'Jul  2 16:47:54 authorMacBook-Pro sharingd[30299]: x',
    ],
    ['2025-07-01T09:00:55Z', '2025-07-02T16:47:54Z'],
  ],
  [
    'Android',
    [
      '03-17 16:13:38.811  1702  2395 D WindowManager: printFreezingDisplayLogsopening app wtoken',
      '03-17 16:13:38.819  1702  8671 D PowerManagerService: acquire lock=233570404',
    ],
    ['2026-03-17T16:13:38.811Z', '2026-03-17T16:13:38.819Z'],
  ],
  [
    'HealthApp',
    [
      '20171223-22:15:29:606|Step_LSC|30002312|onStandStepChanged 3579',
      '20171224-0:58:53:985|Step_LSC|30002312|x',
      '20171224-0:5:3:85|Step_LSC|30002312|x',
    ],
    ['2017-12-23T22:15:29.606Z', '2017-12-24T00:58:53.985Z', '2017-12-24T00:05:03.085Z'],
  ],
  [
    'Apache',
    [
      '[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok /etc/httpd/conf/workers2.properties',
      '[Sun Dec 04 04:47:45 2005] [error] mod_jk child workerEnv in error state 6',
    ],
    ['2005-12-04T04:47:44Z', '2005-12-04T04:47:45Z'],
  ],
  [
    'OpenSSH',
    [
      'Dec 10 06:55:46 LabSZ sshd[24200]: reverse mapping checking getaddrinfo for ns.example.com [173.234.31.186] failed',
      'Dec 10 06:55:48 LabSZ sshd[24200]: x',
    ],
    ['2025-12-10T06:55:46Z', '2025-12-10T06:55:48Z'],
  ],
  [
    'Proxifier',
    [
      '[10.30 16:49:06] chrome.exe - proxy.example.com:5070 open through proxy HTTPS',
      '[10.30 16:49:07] chrome.exe - x',
    ],
    ['2025-10-30T16:49:06Z', '2025-10-30T16:49:07Z'],
  ],
]

function nanosecondsOf(iso: string): bigint {
  const [, whole, fraction = ''] = /^(.{19})(?:\.(\d+))?Z$/.exec(iso) ?? []
  return BigInt(Date.parse(`${whole}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'))
}

describe('the classic collections of logs', () => {
  it.each(COLLECTIONS)('%s is read without configuration', (_, lines, times) => {
    expect(read(`${lines.join('\n')}\n`).timestamps).toEqual(times.map(nanosecondsOf))
  })
})

interface Vector {
  readonly id: string
  readonly log: string
  readonly now?: string
  readonly entries: readonly { timestamp: string; text: string }[]
}

describe.runIf(hasShared)('the conformance vectors', () => {
  const vectorsOf = (name: string): Vector[] =>
    readFileSync(`${sharedFolder}/conformance/${name}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  // A case of the second file replaces the case of the same name in the first.
  const all = hasShared ? ['entries.jsonl', 'entries-mixed.jsonl'].flatMap(vectorsOf) : []
  const vectors = [...new Map(all.map((vector) => [vector.id, vector])).values()]

  it.each(vectors.map((vector) => [vector.id, vector] as const))('%s', (_, { log, now, entries }) => {
    const { texts, timestamps } = read(log, now)
    expect(texts.map((text, i) => ({ timestamp: String(timestamps[i]), text }))).toEqual(entries)
  })
})

describe.runIf(hasShared)('the logs of the rule corpus', () => {
  const folder = `${sharedFolder}/corpus/cre`
  const names = hasShared ? readdirSync(folder).filter((name) => name.startsWith('cre-')) : []

  it.each(names)('%s has the times that were recorded', (name) => {
    const expected: Record<string, number[][]> = JSON.parse(readFileSync(`${folder}/${name}/expected.json`, 'utf8'))
    for (const [log, detections] of Object.entries(expected)) {
      const result = read(readFileSync(`${folder}/${name}/${log}`), '2026-06-01T00:00:00Z')
      expect(result.formats).not.toEqual([])
      expect(result.warnings).toEqual([])
      const seconds = result.timestamps.map((timestamp) => Number(timestamp / 1_000_000_000n))
      expect(seconds).toEqual(expect.arrayContaining(detections.flat()))
    }
  })
})
