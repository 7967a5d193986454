import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { connectApp } from './client.js'

const service = connectApp({ base: location.origin, fetch: (...args) => fetch(...args), now: () => new Date() })
const root = document.getElementById('page')
if (location.pathname === '/' && location.hash.startsWith('#code=')) {
  // An onboarding link is for the set-up page, even for a user who is signed in and gets the app at this address.
  location.replace(`/setup${location.hash}`)
} else if (root !== null) {
  createRoot(root).render(<App service={service} />)
}
