/** The path below which the maintenance requests of a site are. */
export const SITE = '/api/orgs/:orgId/properties/:propertyId'

/** Reading requests, and following jobs. */
export const mayRead = {
  by: 'key-or-operator',
  permission: ['ticket:read', 'ticket:read_write'],
  role: 'viewer',
  needs: 'maintenance-requests',
} as const
/** Exporting requests, with all personal data in them. */
export const mayExport = { ...mayRead, role: 'manager' } as const
/** Changing requests, importing them, and what quotes conversations. */
export const mayWrite = {
  by: 'key-or-operator',
  permission: 'ticket:read_write',
  role: 'manager',
  needs: 'maintenance-requests',
} as const
