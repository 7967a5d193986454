// The progress of a run over three files, with a clock that the program advances.

import { openOutput } from '../../src/console/output.js'
import { createProgress } from '../../src/console/progress/progress.js'
import { openScreen } from '../../src/console/screen.js'
import { pause } from './pause.js'

const MB = 1_000_000

let now = 0
const screen = openScreen(openOutput(1), process.env)
const progress = createProgress(screen, { quiet: false, clock: () => now })

const rules = progress.stage('Parsing rules', 'rules')
now += 40
rules.done(412)
const problems = progress.stage('Problems detected', 'problems')
const files = ['/var/log/kafka/server.log', '/var/log/日本/アプリ.log', 'api.log.gz'].map((path) =>
  progress.stage(`Reading ${path}`, 'bytes', 1000 * MB),
)
const matching = progress.stage('Matching lines', 'lines')
for (const stage of [problems, ...files.slice(0, 2), matching]) stage.start()

now += 2000
files[0]!.update(450 * MB)
files[1]!.update(125 * MB)
problems.update(3)
matching.update(4_200_000)
now += 100
files[0]!.update(472 * MB)
pause('live')

// While a file is read, no events are handled: the new terminal size must be noticed without them.
now += 100
files[0]!.update(480 * MB)
pause('resized')

progress.print('CRE-2026-0001 critical [1 hits @ 2026-03-01T12:00:01Z]')
progress.aside(() => process.stderr.write('Warning: api.log.gz: no timestamp in the first 50 lines\n'))
pause('printed')

files[0]!.done(1000 * MB)
files[1]!.fail()
files[2]!.done(12 * MB)
now += 900
problems.done(3)
pause('finishing')
matching.done(9_000_000)
progress.stop()
