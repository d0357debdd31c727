import type { Target } from '../driver.ts'
import { canonicalHost } from '../host.ts'
import type { BacnetConfig, BacnetPoint, BacnetSettings } from './config.ts'
import { objectText } from './names.ts'
import { peerKey } from './network.ts'

/** Returns the target of each point, in order; `undefined` for a read-only point. */
export function targetsOf({ settings, points }: BacnetConfig): readonly (Target | undefined)[] {
  return points.map((point) => (point.writable ? targetOf(settings, point) : undefined))
}

function targetOf(settings: BacnetSettings, point: BacnetPoint): Target {
  const { deviceInstance = null, foreignDevice = null, priority } = settings
  const { address, reach } = addressOf(settings)
  const { object, values, units = null, states = null } = point
  const number = object.type * 2 ** 22 + object.instance
  // Our value stays in its slot: while it is held, another slot would be another value.
  const meaning = { values, units, states, priority }
  return {
    space: `bacnet-ip ${address}`,
    start: number,
    end: number + 1,
    name: objectText(object),
    reach,
    identity: JSON.stringify({ address, deviceInstance, foreignDevice, object, ...meaning }),
    meaning: JSON.stringify(meaning),
  }
}

function addressOf({
  host,
  port,
  behind,
  deviceInstance,
}: BacnetSettings): Pick<Target, 'reach'> & { address: string } {
  // The instance of a device is unique within a building.
  if (host === '') return { address: `device ${deviceInstance}`, reach: 'site' }
  const { name, reach } = canonicalHost(host)
  return { address: peerKey({ address: name, port, behind }), reach }
}
