import type { Protocol } from '@plantroom/contract/protocols'
import type { Reach } from '../host.ts'
import type { Transport } from './client.ts'
import type { AddressParser } from './config.ts'

/** What differs between the protocols of the Modbus family: how the units of a connection are addressed and reached. */
export interface Medium<Address> extends AddressParser<Address> {
  readonly protocol: Protocol
  /** Connections with the same key share one link. */
  keyOf(address: Address): string
  /** Returns the address in the one spelling in which equal addresses are equal. */
  canonical(address: Address): { text: string; identity: Record<string, unknown>; reach: Reach }
  transport(address: Address): Transport
}
