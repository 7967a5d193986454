import { createRoot } from 'react-dom/client'
import { connectService } from './client.js'
import { SetupPage } from './setup-page.js'

/** The folder of the page, whatever path the onboarding URL has. */
const base = new URL('.', document.baseURI).href
const own = base.replace(/\/+$/, '')

const service = connectService({ base, fetch: (...call) => fetch(...call), now: () => new Date() })
const place = document.getElementById('page')
if (place !== null) {
  createRoot(place).render(
    <SetupPage service={service} defaults={{ base_url: own, app_url: own, test_sign_in: false }} />,
  )
}
