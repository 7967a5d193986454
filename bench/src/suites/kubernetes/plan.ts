/** The cluster that is read. */
export interface ClusterPlan {
  /** One in each pod. */
  readonly containers: number
  /** Bytes of each log. */
  readonly size: number
  /** Whether one more pod gives its log a line at a time for as long as the others are read. */
  readonly slow: boolean
}

/** The address of the cluster, once it accepts requests. */
export interface ClusterReady {
  readonly kubeconfig: string
}

/** What the cluster measured of a run. */
export interface ClusterReport {
  /** The most that were open at once. */
  readonly connections: number
  /** Bytes of logs that were sent. */
  readonly bytes: number
  /** Logs that were read to their end, without the slow one. */
  readonly finished: number
  /** From the first request for a log to the end of the last, without the slow one. */
  readonly seconds: number
}

/** The namespace that all pods are in. */
export const NAMESPACE = 'load'
