/** Requests to servers of others: to addresses that tenants chose, and to those of the operator. */
export { createGuard, type Guard, RefusedAddress } from './guard.ts'
export { post } from './post.ts'
