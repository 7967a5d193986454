import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

/**
 * JSON Schemas of the Kubernetes API (1.31 and later), with the fields that Omen's manifests may use. They reject unknown fields, so
 * that a misspelt or misplaced field is found.
 */
type Schema = Readonly<Record<string, unknown>>

const text: Schema = { type: 'string' }
const boolean: Schema = { type: 'boolean' }
const count: Schema = { type: 'integer', minimum: 0 }
const texts: Schema = { type: 'array', items: text }
const map: Schema = { type: 'object', additionalProperties: text }
const listOf = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 })
const oneOf = (...values: string[]): Schema => ({ enum: values })

/** A quantity such as `128Mi` or `100m`. */
const quantity: Schema = { type: 'string', pattern: '^\\d+(m|k|M|G|Ki|Mi|Gi)?$' }
const quantities: Schema = { type: 'object', additionalProperties: quantity }

/** The name of an object (RFC 1123). */
const name: Schema = { type: 'string', pattern: '^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$', maxLength: 253 }
const labels: Schema = {
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^([A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?)?$', maxLength: 63 },
}

function object(properties: Record<string, Schema>, ...required: string[]): Schema {
  return { type: 'object', additionalProperties: false, properties, required }
}

const metadata = object(
  { name, namespace: name, labels, annotations: map, creationTimestamp: { type: 'null' } },
  'name',
)

const rules = listOf(object({ apiGroups: texts, resources: texts, resourceNames: texts, verbs: texts }, 'verbs'))
const roleRef = object({ apiGroup: text, kind: oneOf('Role', 'ClusterRole'), name }, 'apiGroup', 'kind', 'name')
const account = oneOf('ServiceAccount')
const subjects = listOf(object({ kind: account, name, namespace: name, apiGroup: text }, 'kind', 'name', 'namespace'))

const seccompProfile = object(
  { type: oneOf('RuntimeDefault', 'Localhost', 'Unconfined'), localhostProfile: text },
  'type',
)

const container = object(
  {
    name,
    image: text,
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    command: texts,
    args: texts,
    workingDir: text,
    env: listOf(
      object(
        { name: text, value: text, valueFrom: object({ fieldRef: object({ fieldPath: text }, 'fieldPath') }) },
        'name',
      ),
    ),
    resources: object({ requests: quantities, limits: quantities }),
    securityContext: object({
      allowPrivilegeEscalation: boolean,
      readOnlyRootFilesystem: boolean,
      capabilities: object({ add: texts, drop: texts }),
      runAsNonRoot: boolean,
      runAsUser: count,
      runAsGroup: count,
      seccompProfile,
    }),
    volumeMounts: listOf(object({ name, mountPath: text, readOnly: boolean, subPath: text }, 'name', 'mountPath')),
  },
  'name',
)

const items = listOf(object({ key: text, path: text, mode: count }, 'key', 'path'))

const volume = {
  ...object(
    {
      name,
      configMap: object({ name, defaultMode: count, optional: boolean, items }),
      secret: object({ secretName: name, defaultMode: count, optional: boolean, items }),
      emptyDir: object({ medium: text, sizeLimit: quantity }),
      projected: object({
        defaultMode: count,
        sources: listOf(
          object({
            configMap: object({ name, optional: boolean, items }),
            secret: object({ name, optional: boolean, items }),
          }),
        ),
      }),
    },
    'name',
  ),
  // A name, and exactly one kind of volume.
  minProperties: 2,
  maxProperties: 2,
}

const podSpec = object(
  {
    serviceAccountName: name,
    automountServiceAccountToken: boolean,
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    enableServiceLinks: boolean,
    terminationGracePeriodSeconds: count,
    imagePullSecrets: listOf(object({ name }, 'name')),
    securityContext: object({
      runAsNonRoot: boolean,
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      seccompProfile,
    }),
    containers: listOf(container),
    initContainers: listOf(container),
    volumes: listOf(volume),
  },
  'containers',
)

const podTemplate = object({ metadata: object({ labels, annotations: map }), spec: podSpec }, 'spec')

const podFailurePolicy = object(
  {
    rules: listOf(
      object(
        {
          action: oneOf('FailJob', 'FailIndex', 'Ignore', 'Count'),
          onExitCodes: object(
            {
              containerName: name,
              operator: oneOf('In', 'NotIn'),
              values: {
                type: 'array',
                items: { type: 'integer', minimum: 1, maximum: 255 },
                uniqueItems: true,
                minItems: 1,
              },
            },
            'operator',
            'values',
          ),
        },
        'action',
      ),
    ),
  },
  'rules',
)

const jobSpec = object(
  {
    backoffLimit: count,
    activeDeadlineSeconds: count,
    ttlSecondsAfterFinished: count,
    completions: count,
    parallelism: count,
    podFailurePolicy,
    template: podTemplate,
  },
  'template',
)

const cronJobSpec = object(
  {
    schedule: text,
    timeZone: text,
    suspend: boolean,
    concurrencyPolicy: oneOf('Allow', 'Forbid', 'Replace'),
    startingDeadlineSeconds: count,
    successfulJobsHistoryLimit: count,
    failedJobsHistoryLimit: count,
    jobTemplate: object({ metadata: object({ labels, annotations: map }), spec: jobSpec }, 'spec'),
  },
  'schedule',
  'jobTemplate',
)

const deploymentSpec = object(
  {
    replicas: count,
    strategy: object({ type: oneOf('Recreate', 'RollingUpdate') }),
    selector: object({ matchLabels: labels }),
    template: podTemplate,
  },
  'selector',
  'template',
)

const key = '^[-._a-zA-Z0-9]+$'
const entries = (value: Schema): Schema => ({
  type: 'object',
  propertyNames: { pattern: key },
  additionalProperties: value,
})
const base64: Schema = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' }

const kind = (fields: Record<string, Schema>, ...required: string[]): Schema =>
  object({ apiVersion: text, kind: text, metadata, ...fields }, 'apiVersion', 'kind', 'metadata', ...required)

/** By `<apiVersion> <kind>`. */
const KINDS: Readonly<Record<string, Schema>> = {
  'v1 ServiceAccount': kind({ automountServiceAccountToken: boolean }),
  'v1 ConfigMap': kind({ data: entries(text), binaryData: entries(base64), immutable: boolean }),
  'v1 Secret': kind({ data: entries(base64), stringData: entries(text), type: text, immutable: boolean }),
  'rbac.authorization.k8s.io/v1 Role': kind({ rules }, 'rules'),
  'rbac.authorization.k8s.io/v1 ClusterRole': kind({ rules }, 'rules'),
  'rbac.authorization.k8s.io/v1 RoleBinding': kind({ roleRef, subjects }, 'roleRef', 'subjects'),
  'rbac.authorization.k8s.io/v1 ClusterRoleBinding': kind({ roleRef, subjects }, 'roleRef', 'subjects'),
  'batch/v1 CronJob': kind({ spec: cronJobSpec }, 'spec'),
  'apps/v1 Deployment': kind({ spec: deploymentSpec }, 'spec'),
}

const ajv = new Ajv({ allErrors: true })
const compiled = new Map<string, ValidateFunction>()

/**
 * The errors of a manifest: one line for each unknown or invalid field.
 *
 * @example
 * manifestErrors({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { nmae: 'omen' } })
 */
export function manifestErrors(manifest: { readonly apiVersion: string; readonly kind: string }): string[] {
  const known = `${manifest.apiVersion} ${manifest.kind}`
  const schema = KINDS[known]
  if (schema === undefined) return [`no schema for ${known}`]
  const validate = compiled.get(known) ?? ajv.compile(schema)
  compiled.set(known, validate)
  return validate(manifest) ? [] : (validate.errors ?? []).map(errorLine)
}

function errorLine({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`
}
