import { useEffect, useState } from 'react'
import { Icon } from './icon.js'

/** Says so while the browser knows that there is no network. */
export function Offline() {
  const [offline, setOffline] = useState(() => !navigator.onLine)
  useEffect(() => {
    const look = () => setOffline(!navigator.onLine)
    addEventListener('online', look)
    addEventListener('offline', look)
    return () => {
      removeEventListener('online', look)
      removeEventListener('offline', look)
    }
  }, [])
  return (
    <div role="status">
      {offline && (
        <p className="banner">
          <Icon name="warning" />
          You are offline. Nothing that you entered is lost.
        </p>
      )}
    </div>
  )
}
