/** Requests to servers of others: to addresses that tenants chose, and to those of the operator. */
export { type Answered, exchange } from './exchange.ts'
export { createGuard, type Guard, RefusedAddress } from './guard.ts'
export { onlyTo, post } from './post.ts'
