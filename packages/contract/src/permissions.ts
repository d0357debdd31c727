/** What an API key may be allowed to do. */
export const PERMISSIONS = ['edge-device:read_write', 'ticket:read', 'ticket:read_write'] as const
export type Permission = (typeof PERMISSIONS)[number]
