import { createRoot } from 'react-dom/client'
import { connectApp } from './api/client.js'
import { App } from './app.js'

const service = connectApp({ base: location.origin, fetch: (...call) => fetch(...call), now: () => new Date() })
const place = document.getElementById('page')
if (location.pathname === '/' && location.hash.startsWith('#code=')) {
  // The link of an operator with a code is for the set-up page, also where somebody is signed in and has the app here.
  location.replace(`/setup${location.hash}`)
} else if (place !== null) {
  createRoot(place).render(<App service={service} />)
}
