import { createRoot } from 'react-dom/client'
import { connectApp } from './api/client.js'
import { App } from './app.js'

const service = connectApp({ base: location.origin, fetch: (...call) => fetch(...call), now: () => new Date() })
const place = document.getElementById('page')
if (place !== null) createRoot(place).render(<App service={service} />)
