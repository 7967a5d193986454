import { quoteScalar } from './quote-scalar.js'

/** What the template of the scheduled job is made from. */
export interface CronJobOptions {
  /** The container image that has the tool in it. */
  readonly image: string
  /** The version of the tool. */
  readonly version: string
}

/**
 * Writes the manifests of a job that scans the logs of a cluster every ten minutes: service account, role, role binding and
 * CronJob, with comments that say what to change.
 *
 * @example
 * await writeFile('cronjob.yaml', cronJobTemplate({ image: 'omen:0.1.0', version: '0.1.0' }))
 */
export function cronJobTemplate({ image, version }: CronJobOptions): string {
  return [header(), serviceAccount(version), role(version), roleBinding(version), cronJob(image, version)].join('---\n')
}

function header(): string {
  return `# Looks for known problems in the logs of this namespace every ten minutes, and tells about them.
#
# 1. Say where to tell, in config.yaml of the configuration directory:
#
#      notification:
#        type: slack
#        webhook: https://hooks.slack.com/services/…
#
# 2. Make a config map of that directory (config.yaml, .ruletoken, the rules package, rules of your own):
#
#      kubectl create configmap omen --from-file="$HOME/.preq"
#
#    and, after every change:
#
#      kubectl create configmap omen --from-file="$HOME/.preq" --dry-run=client -o yaml | kubectl apply -f -
#
# 3. Choose below what to look at, and apply this file:
#
#      kubectl apply -f cronjob.yaml
#
# 4. Do not wait for the clock:
#
#      kubectl create job --from=cronjob/omen omen-now && kubectl logs -f job/omen-now
#
# All of it lives in the namespace "default". For another one, replace every "namespace: default" and say -n <namespace>
# in the commands above.
`
}

function metadata(version: string): string {
  return `metadata:
  name: omen
  namespace: default
  labels:
    app.kubernetes.io/name: omen
    app.kubernetes.io/version: ${JSON.stringify(version)}
`
}

function serviceAccount(version: string): string {
  return `apiVersion: v1
kind: ServiceAccount
${metadata(version)}`
}

function role(version: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
${metadata(version)}rules:
  - apiGroups: [""]
    resources: [pods, pods/log]
    verbs: [get, list, watch]
  # For service/<name>: its selector is in the service itself.
  # - apiGroups: [""]
  #   resources: [services]
  #   verbs: [get]
`
}

function roleBinding(version: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
${metadata(version)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: omen
subjects:
  - kind: ServiceAccount
    name: omen
    namespace: default
`
}

/** One command is live, and works in any namespace: every pod but the job's own. */
const COMMANDS = `              # What to look at. -o "<name>: " labels the notification, -y takes updates of the rules without asking, and
              # --since is as long as the schedule, so that nothing is told twice.
              command: [kubectl-omen]
              # Every pod of the namespace but this one:
              args: [-y, -o, "default: ", --since, 10m, --selector, app.kubernetes.io/name!=omen]
              # Pods chosen by a label:
              # args: [-y, -o, "web: ", --since, 10m, --selector, app=web]
              # One deployment, job or service:
              # args: [-y, -o, "web: ", --since, 10m, deployment/web]
              # args: [-y, -o, "import: ", --since, 10m, job/import]
              # args: [-y, -o, "shop: ", --since, 10m, service/shop]`

function cronJob(image: string, version: string): string {
  return `apiVersion: batch/v1
kind: CronJob
${metadata(version)}spec:
  schedule: "*/10 * * * *"
  # A run that takes longer is not joined by a second one.
  concurrencyPolicy: Forbid
  # A run that could not start in time is left out: the next one is near.
  startingDeadlineSeconds: 300
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      # A run that hangs ends before the next one is due.
      activeDeadlineSeconds: 590
      template:
        metadata:
          labels:
            app.kubernetes.io/name: omen
        spec:
          serviceAccountName: omen
          restartPolicy: Never
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            runAsGroup: 65532
            fsGroup: 65532
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: omen
              image: ${quoteScalar(image)}
${COMMANDS}
              env:
                - name: OMEN_CONFIG_DIR
                  value: /.preq
              # A report that cannot be delivered is written here.
              workingDir: /tmp
              resources:
                requests:
                  cpu: 100m
                  memory: 128Mi
                limits:
                  memory: 512Mi
              securityContext:
                allowPrivilegeEscalation: false
                readOnlyRootFilesystem: true
                capabilities:
                  drop: [ALL]
              volumeMounts:
                - name: config
                  mountPath: /.preq
                  readOnly: true
                - name: tmp
                  mountPath: /tmp
          volumes:
            - name: config
              configMap:
                name: omen
            - name: tmp
              emptyDir:
                sizeLimit: 1Gi
`
}
