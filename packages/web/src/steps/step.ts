import type { Service } from '../api/client.js'
import type { SetupFile } from '../api/messages.js'
import type { Change, Progress } from '../progress/progress.js'

/** What every step is given. */
export interface StepProps {
  readonly progress: Progress
  readonly change: (change: Change) => void
  readonly service: Service
  readonly setup: SetupFile
}
