import { useEffect, useState } from 'react'

/**
 * The present, as often as asked for. Without a pace it stands still.
 *
 * @example
 * const now = useNow(1000)
 */
export function useNow(pace: number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (pace === undefined) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), pace)
    return () => clearInterval(timer)
  }, [pace])
  return now
}
