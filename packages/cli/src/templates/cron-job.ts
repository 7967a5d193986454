import { JOB_VALUES as JOB, jobCommandLines } from './job-commands.js'
import { quoteScalar } from './quote-scalar.js'

/** What the template of the scheduled job is made from, beside the table of its values. */
export interface CronJobOptions {
  /** The container image that has the tool in it. */
  readonly image: string
  /** The version of the tool. */
  readonly version: string
  /** Where all of it lives, and what it looks at. */
  readonly namespace?: string | undefined
}

/** What stands in several of the documents. */
type Shared = Required<Omit<CronJobOptions, 'image'>> & { readonly namespace: string }

/**
 * Writes the manifests of a job that scans the logs of a namespace every ten minutes: service account, role, role binding and
 * CronJob, with comments that lead from the file to a running job.
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
  return `# Looks for known problems in the logs of this namespace every ten minutes, and tells about them.
#
# 1. Say where to tell, in ~/.preq/config.yaml (without it, what was found stands in the log of the job):
#
#      notification:
#        type: slack
#        webhook: https://hooks.slack.com/services/…
#
# 2. Make a config map of that directory: config.yaml, .ruletoken, the rules package, rules of your own. After a change, the
#    same command brings it up to date:
#
#      ${kubectl} create configmap ${JOB.name} --from-file="$HOME/.preq" --dry-run=client -o yaml | ${kubectl} apply --server-side -f -
#
# 3. Name the image and choose what to look at, both below, and apply this file:
#
#      ${kubectl} apply -f cronjob.yaml
#
# 4. Do not wait for the clock:
#
#      ${kubectl} create job --from=cronjob/${JOB.name} ${JOB.name}-now
#      ${kubectl} wait --for=condition=complete --timeout=2m job/${JOB.name}-now; ${kubectl} logs job/${JOB.name}-now
#      ${kubectl} delete job ${JOB.name}-now
#
# All of it lives in the namespace "${namespace}". For another one, write this file anew: kubectl omen -j -n <namespace>
#
# docs/kubernetes.md has more: all namespaces at once, what is told when, and what to do when a run fails.
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
  # For service/<name>, whose selector stands in the service itself:
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
  # Change it together with --since below: both are as long as from one run to the next.
  schedule: ${JSON.stringify(JOB.schedule)}
  # A run that takes longer is not joined by a second one.
  concurrencyPolicy: ${JOB.concurrencyPolicy}
  # A run that starts late still reads its own ten minutes; one that would start later than this is left to the next.
  startingDeadlineSeconds: ${JOB.startingDeadlineSeconds}
  successfulJobsHistoryLimit: ${JOB.successfulJobsHistoryLimit}
  failedJobsHistoryLimit: ${JOB.failedJobsHistoryLimit}
  jobTemplate:
    metadata:
      labels:
        app.kubernetes.io/name: ${JOB.name}
    spec:
      # A run that was killed is tried once more. One that says what is wrong has told what it found: it would tell it twice.
      backoffLimit: ${JOB.backoffLimit}
      podFailurePolicy:
        rules:
          - action: FailJob
            onExitCodes:
              operator: In
              values: [${JOB.finalExitCodes.join(', ')}]
      # A run that hangs is ended before the next one is due, and tells what it has found so far.
      activeDeadlineSeconds: ${JOB.activeDeadlineSeconds}
      template:
        metadata:
          labels:
            app.kubernetes.io/name: ${JOB.name}
        spec:
          serviceAccountName: ${JOB.name}
          restartPolicy: ${JOB.restartPolicy}
          # Otherwise Kubernetes adds variables named after Services, which may begin with OMEN_ as settings do.
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
  return `# As deploy/Dockerfile builds it; with the registry that your cluster pulls from before it.
image: ${quoteScalar(image)}
command: [kubectl-omen]
# What to look at: one line of args is live. -y takes updates of the rules without asking, -o "<name>: " labels
# the notification, and --since is as long as the schedule, so that nothing is told twice or missed.
${jobCommandLines(namespace).join('\n')}
env:
  # The name of the run says for which minute it was due. --since counts back from there, so that a late
  # start or a second try reads the very same ten minutes.
  - name: OMEN_JOB_NAME
    valueFrom:
      fieldRef:
        fieldPath: metadata.labels['job-name']
# A report that cannot be delivered is written here, and so is what does not fit into memory.
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
  # The token, and the webhook in config.yaml, are for few eyes. From a Secret instead, which the command of
  # step 2 makes with "secret generic" in place of "configmap":
  # secret:
  #   secretName: ${JOB.name}
- name: scratch
  emptyDir:
    sizeLimit: ${JOB.scratchLimit}`
}

const indent = (width: number, text: string) => text.replaceAll(/^/gm, ' '.repeat(width))
