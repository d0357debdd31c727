import type { Clock } from '@plantroom/base/clock'
import { Endpoint } from './endpoint.ts'
import type { Medium } from './medium.ts'
import type { SessionOptions, UnitSession } from './unit-session.ts'

/** The endpoints of a medium. All connections to the same address share one link, whatever their protocol. */
export interface Lines<Address> {
  readonly medium: Medium<Address>
  readonly clock: Clock
  join(address: Address, user: SessionOptions): UnitSession
}

export function createLines<Address>(medium: Medium<Address>, clock: Clock): Lines<Address> {
  const endpoints = new Map<string, Endpoint>()
  return {
    medium,
    clock,
    join(address, user) {
      const key = medium.keyOf(address)
      let endpoint = endpoints.get(key)
      if (!endpoint) {
        endpoint = new Endpoint(medium.transport(address), clock, () => endpoints.delete(key))
        endpoints.set(key, endpoint)
      }
      return endpoint.join(user)
    },
  }
}
