import { HeldNow } from './held-now.tsx'
import type { DeviceOverview } from './overview.ts'
import { PowerFlow } from './power-flow/power-flow.tsx'

/** What happens at a site right now: its power flow, and what is held. */
export function SiteNow({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  return (
    <>
      <PowerFlow devices={devices} now={now} />
      <HeldNow devices={devices} now={now} />
    </>
  )
}
