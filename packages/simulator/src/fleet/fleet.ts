import { type Clock, every, within } from '@plantroom/base/clock'
import type { ConfirmedHistory, FleetSimulation, FleetStatus } from '@plantroom/contract/fleet-simulation'
import { type Controller, type Counters, createController } from './controller.ts'

const STEP_MS = 100
const LOOK_MS = 1_000
const GOODBYE_MS = 10_000

/** Imitated controllers in one process. */
export interface Fleet {
  status(): FleetStatus
  /** What the cloud has confirmed, by controller. */
  confirmed(): ConfirmedHistory[]
  /** Lets every controller announce that it goes offline, and disconnects them. */
  close(): Promise<void>
}

/** Starts connecting the controllers. One timer serves all of them, so that a controller costs little more than its socket. */
export function startFleet(
  settings: FleetSimulation,
  { clock, random = Math.random }: { clock: Clock; random?: () => number },
): Fleet {
  const counters: Counters = {
    lost: 0,
    refused: 0,
    sent: 0,
    resent: 0,
    confirmed: 0,
    confirmedValues: 0,
    commands: 0,
    overrides: 0,
    repeated: 0,
    cancelled: 0,
  }
  const broker = new URL(settings.url)
  const controllers = settings.devices.map((device, index) =>
    createController(device, index, { settings, broker, clock, counters, random }),
  )
  const connecting = createPace(clock, settings.connectRate)
  const stopStepping = every(clock, STEP_MS, () => step(controllers, connecting, clock.monotonic()))
  const stopLooking = every(clock, LOOK_MS, () => {
    for (const { link } of controllers) link.look()
  })
  return {
    status: () => ({
      ...counters,
      devices: controllers.length,
      connected: count(controllers, ({ link }) => link.isOnline),
      commissioned: count(controllers, ({ isCommissioned }) => isCommissioned),
      waitingValues: controllers.reduce((sum, controller) => sum + controller.waitingValues(), 0),
    }),
    confirmed: () => controllers.flatMap((controller) => controller.confirmed() ?? []),
    async close() {
      stopStepping()
      stopLooking()
      await within(clock, GOODBYE_MS, Promise.all(controllers.map(({ link }) => link.close())))
    },
  }
}

function step(controllers: readonly Controller[], connecting: Pace, now: number): void {
  let allowed = connecting.allowance()
  for (const controller of controllers) {
    const { link } = controller
    if (link.isOnline) controller.send()
    else if (allowed > 0 && link.dueAt <= now) {
      allowed -= 1
      connecting.used()
      link.begin()
    }
  }
}

/** Spreads connection attempts: a real fleet does not connect in one moment either. */
interface Pace {
  allowance(): number
  used(): void
}

function createPace(clock: Clock, perSecond: number): Pace {
  let left = 0
  let last = clock.monotonic()
  return {
    allowance() {
      const now = clock.monotonic()
      left = Math.min(perSecond, left + ((now - last) / 1000) * perSecond)
      last = now
      return Math.floor(left)
    },
    used() {
      left -= 1
    },
  }
}

const count = <Item>(items: readonly Item[], holds: (item: Item) => boolean) =>
  items.reduce((sum, item) => sum + (holds(item) ? 1 : 0), 0)
