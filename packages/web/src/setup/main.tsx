import { createRoot } from 'react-dom/client'
import { connectService } from './client.js'
import { SetupPage } from './setup-page.js'

/** The folder of the page: the onboarding URL can have any path. */
const base = new URL('.', document.baseURI).href
const baseUrl = base.replace(/\/+$/, '')

const service = connectService({ base, fetch: (...args) => fetch(...args), now: () => new Date() })
const root = document.getElementById('page')
if (root !== null) {
  createRoot(root).render(
    <SetupPage service={service} defaults={{ base_url: baseUrl, app_url: baseUrl, test_sign_in: false }} />,
  )
}
