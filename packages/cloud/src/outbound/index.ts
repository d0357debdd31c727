/** Requests to servers of others: to addresses that tenants chose, and to those of the operator. */
export { createGuard, type Guard, RefusedAddress, type Resolve } from './guard.ts'
export { type Posted, post } from './post.ts'
