import type { Progress } from '../console/progress/progress.js'
import type { Session } from '../session.js'
import type { Limits } from './limits.js'
import type { ReleaseKey } from './release-keys.js'
import type { Service } from './service.js'

/** What installing needs. */
export interface InstallContext {
  readonly session: Pick<Session, 'loaded' | 'env' | 'log'>
  readonly service: Service
  readonly limits: Limits
  readonly keys: readonly ReleaseKey[]
  /** Shows the download. */
  readonly progress: Pick<Progress, 'stage'>
  /** Somebody wants to leave. */
  readonly signal?: AbortSignal | undefined
}
