import type { Clock } from '@plantroom/base/clock'
import { createGuard, type Guard } from './guard.ts'
import { createTransport, openPlaces, type Transport } from './transport.ts'

/** The ways out of one process. They share its places. */
export interface Outbound {
  /** Decides which addresses a tenant may enter. */
  guard: Guard
  /** For addresses that tenants entered. */
  tenants: Transport
  /** For addresses in the settings of the operator, which may be private. */
  operator: Transport
}

/** Opened once in each process. `privateNetworks` are those that the operator lets tenants reach. */
export function openOutbound({
  privateNetworks,
  clock,
}: {
  privateNetworks: readonly string[]
  clock: Clock
}): Outbound {
  const guard = createGuard({ privateNetworks })
  const places = openPlaces()
  return { guard, tenants: createTransport({ clock, places, guard }), operator: createTransport({ clock, places }) }
}
