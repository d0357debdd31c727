import { every, systemClock } from '@plantroom/base/clock'
import type { FleetMessage, FleetSimulation } from '@plantroom/contract/fleet-simulation'
import { startFleet } from './fleet.ts'

const REPORT_MS = 200

/**
 * The process behind `plantroom simulate-fleet`, which sends it the devices and prints what it reports. SIGTERM lets the
 * controllers say goodbye, a second one ends it at once. When the parent is gone it ends at once too, so that the broker
 * publishes the last wills, as after a power cut.
 */
function main(): void {
  process.once('disconnect', () => process.exit(1))
  process.once('message', (settings: FleetSimulation) => run(settings))
  // Ctrl-C is for the parent, which passes it on.
  process.on('SIGINT', () => {})
}

function run(settings: FleetSimulation): void {
  const fleet = startFleet(settings, { clock: systemClock })
  // With a callback, so that a parent that exits right now does not crash this process.
  const report = (message: FleetMessage, sent = () => {}) => void process.send?.(message, undefined, undefined, sent)
  const stopReporting = every(systemClock, REPORT_MS, () => report({ kind: 'status', status: fleet.status() }))
  process.once('SIGTERM', async () => {
    stopReporting()
    await fleet.close()
    report({ kind: 'closed', status: fleet.status(), confirmed: fleet.confirmed() }, () => process.exit(0))
  })
}

if (process.send) main()
else {
  process.stderr.write('plantroom simulate-fleet starts this program; run that instead\n')
  process.exitCode = 2
}
