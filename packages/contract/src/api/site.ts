/** The path below which the maintenance requests of a site are. */
export const SITE = '/api/orgs/:orgId/properties/:propertyId'

/** Reading requests. */
export const mayRead = {
  by: 'key-or-operator',
  permission: ['ticket:read', 'ticket:read_write'],
  role: 'viewer',
  needs: 'maintenance-requests',
} as const
/** Following jobs, also while Maintenance Requests are turned off: that is when a job fails. */
export const mayFollowJobs = { by: mayRead.by, permission: mayRead.permission, role: mayRead.role } as const
/** Exporting requests, with all personal data in them. */
export const mayExport = { ...mayRead, role: 'manager' } as const
/** Changing requests, importing them, and what quotes conversations. */
export const mayWrite = {
  by: 'key-or-operator',
  permission: 'ticket:read_write',
  role: 'manager',
  needs: 'maintenance-requests',
} as const
