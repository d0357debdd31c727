import type { LiveDevice } from '@plantroom/contract/control-state'
import { useEffect, useMemo, useState } from 'react'
import { type Ceiling, ceilingsNow, type LiveCeilings, NO_CEILINGS, withLive } from './ceilings.ts'

/** A controller with its latest state. */
interface Seen {
  deviceId: string
  device: Pick<LiveDevice, 'powerLimit'> | undefined
}

/**
 * Adds the power limits that controllers hold to those of the past, so that a limit is drawn as soon as its controller has
 * it. One that was released stays until its last interval is loaded.
 */
export function useHeldCeilings(
  past: readonly Ceiling[],
  devices: readonly Seen[],
  now: number,
): { ceilings: readonly Ceiling[]; plannedUntil: number } {
  const [live, setLive] = useState<LiveCeilings>(NO_CEILINGS)
  // As a text, because the live state is another object every second.
  const held = JSON.stringify(
    devices.flatMap(({ deviceId, device }) => {
      if (!device?.powerLimit) return []
      const { importKw, exportKw, limits } = device.powerLimit
      return [{ deviceId, importKw, exportKw, limits }]
    }),
  )
  useEffect(() => setLive((before) => withLive(before, ceilingsNow(JSON.parse(held), now), now)), [held, now])
  return useMemo(() => {
    const known = [...live.values()]
    return { ceilings: [...past, ...known], plannedUntil: Math.max(0, ...known.map(({ to }) => to)) }
  }, [past, live])
}
