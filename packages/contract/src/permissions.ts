/** What an API key may be allowed to do. */
export const PERMISSIONS = ['edge-device:read', 'edge-device:read_write', 'ticket:read', 'ticket:read_write'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions that let a key read controllers: the one that also controls includes the other. */
export const READS_DEVICES = ['edge-device:read', 'edge-device:read_write'] as const satisfies readonly Permission[]

/** No key has it: for what only people decide. */
export const NO_PERMISSION = [] as const satisfies readonly Permission[]
