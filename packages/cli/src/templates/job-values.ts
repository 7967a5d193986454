/** Who the job runs as: the user of the image, who owns nothing. */
const NOBODY = 65_532

/**
 * Every value of the scheduled job. The template is written from this table, the manual shows it, and tests hold all of them to
 * each other.
 */
export const JOB_VALUES = {
  /** Of the service account, role, role binding, job and config map alike. */
  name: 'omen',
  namespace: 'default',
  verbs: ['get', 'list', 'watch'],
  resources: ['pods', 'pods/log'],
  schedule: '*/10 * * * *',
  /** As long as from one run to the next. */
  since: '10m',
  concurrencyPolicy: 'Forbid',
  /** Just short of the schedule: a run that comes late still reads its own ten minutes, one that comes later is the next. */
  startingDeadlineSeconds: 590,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 3,
  backoffLimit: 1,
  /** What omen exits with when it has said what is wrong, or found what --fail-on asks for: no second try. */
  finalExitCodes: [1, 2, 3],
  /** Just short of the schedule: a run that hangs is gone when the next one is due. */
  activeDeadlineSeconds: 590,
  restartPolicy: 'Never',
  user: NOBODY,
  group: NOBODY,
  seccompProfile: 'RuntimeDefault',
  cpuRequest: '100m',
  memoryRequest: '128Mi',
  /** Two thousand containers need less than 300 MiB; the rest is for what rules remember of a bad night. */
  memoryLimit: '512Mi',
  configurationMount: '/.preq',
  scratchMount: '/tmp',
  scratchLimit: '1Gi',
} as const
