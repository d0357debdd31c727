/** The path below which everything of an organization is. */
export const ORG = '/api/orgs/:orgId'

export const operator = { by: 'operator' } as const
export const viewer = { by: 'operator', role: 'viewer' } as const
export const administrator = { by: 'operator', role: 'admin' } as const
/** Changes that give or take access: the person must have proved recently who they are. */
export const freshAdministrator = { ...administrator, fresh: true } as const
