/** A kubeconfig for the simulated API server, in JSON, which is valid YAML. */
export function kubeconfigFor(options: {
  readonly url: string
  readonly token: string | undefined
  readonly namespace: string | undefined
  readonly cert: string | undefined
}): string {
  const { url, token = 'admin', namespace, cert } = options
  const tls = cert
    ? { 'tls-server-name': 'localhost', 'certificate-authority-data': Buffer.from(cert).toString('base64') }
    : {}
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'simulated', cluster: { server: url, ...tls } }],
    users: [{ name: 'test-user', user: { token } }],
    contexts: [
      {
        name: 'test',
        context: { cluster: 'simulated', user: 'test-user', ...(namespace !== undefined && { namespace }) },
      },
    ],
    'current-context': 'test',
  })
}
