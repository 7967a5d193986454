import { JOB_VALUES as JOB, jobCommandLines } from './job-commands.js'
import { quoteScalar } from './quote-scalar.js'

/** The variable parts of the template of the scheduled job. */
export interface CronJobOptions {
  /** The container image of the tool. */
  readonly image: string
  /** The version of the tool. */
  readonly version: string
  /** The namespace of the job, which is also the one it scans. */
  readonly namespace?: string | undefined
}

/** The options that several documents use. */
type Shared = Required<Omit<CronJobOptions, 'image'>> & { readonly namespace: string }

/**
 * Generates the manifests of a job that scans the logs of a namespace every ten minutes: service account, role, role binding and
 * CronJob, with comments that explain how to run it.
 *
 * @example
 * await writeFile('cronjob.yaml', cronJobTemplate({ image: 'omen:0.1.0', version: '0.1.0' }))
 */
export function cronJobTemplate({ image, version, namespace = JOB.namespace }: CronJobOptions): string {
  const shared = { version, namespace }
  const documents = [serviceAccount(shared), role(shared), roleBinding(shared), cronJob(image, shared)]
  return [header(namespace), ...documents].join('---\n')
}

function header(namespace: string): string {
  const kubectl = namespace === JOB.namespace ? 'kubectl' : `kubectl -n ${namespace}`
  return `# Finds known problems in the logs of this namespace every ten minutes, and sends notifications about them.
#
# 1. Configure where to send notifications, in ~/.preq/config.yaml (without it, problems are only in the log of the job):
#
#      notification:
#        type: slack
#        webhook: https://hooks.slack.com/services/…
#
# 2. Create a config map from that folder: config.yaml, .ruletoken, the rule package, your own rules. After a change, run the
#    same command again to update it:
#
#      ${kubectl} create configmap ${JOB.name} --from-file="$HOME/.preq" --dry-run=client -o yaml | ${kubectl} apply --server-side -f -
#
# 3. Below, set the image and choose what to scan, then apply this file:
#
#      ${kubectl} apply -f cronjob.yaml
#
# 4. Run the job once, without waiting:
#
#      ${kubectl} create job --from=cronjob/${JOB.name} ${JOB.name}-now
#      ${kubectl} wait --for=condition=complete --timeout=2m job/${JOB.name}-now; ${kubectl} logs job/${JOB.name}-now
#      ${kubectl} delete job ${JOB.name}-now
#
# Everything is in the namespace "${namespace}". For another one, generate this file again: kubectl omen -j -n <namespace>
#
# docs/kubernetes.md has more: all namespaces at once, when notifications are sent, and what to do when a run fails.
`
}

function metadata({ version, namespace }: Shared): string {
  return `metadata:
  name: ${JOB.name}
  namespace: ${quoteScalar(namespace)}
  labels:
    app.kubernetes.io/name: ${JOB.name}
    app.kubernetes.io/version: ${JSON.stringify(version)}
`
}

function serviceAccount(shared: Shared): string {
  return `apiVersion: v1
kind: ServiceAccount
${metadata(shared)}`
}

function role(shared: Shared): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
${metadata(shared)}rules:
  - apiGroups: [""]
    resources: [${JOB.resources.join(', ')}]
    verbs: [${JOB.verbs.join(', ')}]
  # For service/<name>, whose selector is in the service itself:
  # - apiGroups: [""]
  #   resources: [services]
  #   verbs: [get]
`
}

function roleBinding(shared: Shared): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
${metadata(shared)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ${JOB.name}
subjects:
  - kind: ServiceAccount
    name: ${JOB.name}
    namespace: ${quoteScalar(shared.namespace)}
`
}

function cronJob(image: string, shared: Shared): string {
  return `apiVersion: batch/v1
kind: CronJob
${metadata(shared)}spec:
  # Change it together with --since below: both must cover the time from one run to the next.
  schedule: ${JSON.stringify(JOB.schedule)}
  # Never start a second run while one is active.
  concurrencyPolicy: ${JOB.concurrencyPolicy}
  # A run that starts late still reads its own ten minutes; after this time it is skipped in favour of the next one.
  startingDeadlineSeconds: ${JOB.startingDeadlineSeconds}
  successfulJobsHistoryLimit: ${JOB.successfulJobsHistoryLimit}
  failedJobsHistoryLimit: ${JOB.failedJobsHistoryLimit}
  jobTemplate:
    metadata:
      labels:
        app.kubernetes.io/name: ${JOB.name}
    spec:
      # A run that was killed is retried once. A run that failed with an error has sent its notification, and is not retried.
      backoffLimit: ${JOB.backoffLimit}
      podFailurePolicy:
        rules:
          - action: FailJob
            onExitCodes:
              operator: In
              values: [${JOB.finalExitCodes.join(', ')}]
      # A run that hangs is ended before the next one is due, and reports what it has found so far.
      activeDeadlineSeconds: ${JOB.activeDeadlineSeconds}
      template:
        metadata:
          labels:
            app.kubernetes.io/name: ${JOB.name}
        spec:
          serviceAccountName: ${JOB.name}
          restartPolicy: ${JOB.restartPolicy}
          # Otherwise Kubernetes adds variables named after Services, which may begin with OMEN_ like settings.
          enableServiceLinks: false
          securityContext:
            runAsNonRoot: true
            runAsUser: ${JOB.user}
            runAsGroup: ${JOB.group}
            fsGroup: ${JOB.group}
            seccompProfile:
              type: ${JOB.seccompProfile}
          containers:
            - name: ${JOB.name}
${indent(14, container(image, shared))}
          volumes:
${indent(12, volumes())}
`
}

function container(image: string, { namespace }: Shared): string {
  return `# The image that deploy/Dockerfile builds; prefix it with the registry that your cluster pulls from.
image: ${quoteScalar(image)}
command: [kubectl-omen]
# What to scan: only one line of args is active. -y accepts updates of the rules without asking, -o "<name>: "
# labels the notification, and --since matches the schedule, so that nothing is reported twice or missed.
${jobCommandLines(namespace).join('\n')}
env:
  # The name of the run contains the minute for which it was scheduled. --since counts back from it, so that a
  # late start or a retry reads the same ten minutes.
  - name: OMEN_JOB_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.labels['job-name']
# Reports that cannot be delivered and data that does not fit into memory are written here.
workingDir: ${JOB.scratchMount}
resources:
  requests:
    cpu: ${JOB.cpuRequest}
    memory: ${JOB.memoryRequest}
  limits:
    memory: ${JOB.memoryLimit}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: config
    mountPath: ${JOB.configurationMount}
    readOnly: true
  - name: scratch
    mountPath: ${JOB.scratchMount}`
}

function volumes(): string {
  return `- name: config
  configMap:
    name: ${JOB.name}
  # The token and the webhook in config.yaml are secrets. To use a Secret instead, run the command of step 2 with
  # "secret generic" instead of "configmap":
  # secret:
  #   secretName: ${JOB.name}
- name: scratch
  emptyDir:
    sizeLimit: ${JOB.scratchLimit}`
}

const indent = (width: number, text: string) => text.replaceAll(/^/gm, ' '.repeat(width))
