/** What an API key may be allowed to do, by identifier, under the names that people know. */
export const PERMISSION_NAMES = {
  'edge-device:read_write': 'Edge devices read & write',
  'measurement:read': 'Measurements read',
  'ticket:read': 'Maintenance requests read',
  'ticket:read_write': 'Maintenance requests read & write',
} as const
export type Permission = keyof typeof PERMISSION_NAMES
export const PERMISSIONS = Object.keys(PERMISSION_NAMES) as readonly Permission[]

/** No key has it: for what only people decide. */
export const NO_PERMISSION = [] as const satisfies readonly Permission[]

/** The permissions that let a key read archived values and audit entries. Only the second one opens a command. */
export const READS_ARCHIVE = ['measurement:read', 'edge-device:read_write'] as const satisfies readonly Permission[]

/** A permission that earlier versions had, and what to use instead. */
export const FORMER_PERMISSION = {
  name: 'edge-device:read',
  remedy:
    'measurement:read reads archived values and audit entries; datapoints, live values and overrides need edge-device:read_write',
} as const

/** Returns the name of a permission with its identifier, for messages. */
export const describePermission = (permission: Permission) => `${PERMISSION_NAMES[permission]} (${permission})`
