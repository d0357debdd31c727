/** Requests to servers of others: to addresses that tenants chose, and to those of the operator. */
export { BOUNDS } from './bounds.ts'
export { bucketRequests } from './bucket-requests.ts'
export type { Answered, Outgoing } from './exchange.ts'
export { fetchThrough } from './fetch.ts'
export { createGuard, type Guard, RefusedAddress } from './guard.ts'
export { type Receiver, sendDatagrams, sendStream } from './log-receiver.ts'
export { type Outbound, openOutbound } from './open-outbound.ts'
export { createTransport, OPERATOR, openPlaces, type Transport } from './transport.ts'
