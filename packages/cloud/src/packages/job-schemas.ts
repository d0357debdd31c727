import { JOB_NAMES, JOB_STATUSES } from '@plantroom/contract/jobs'
import type { Access } from '../access/index.ts'
import { CURSOR } from '../db/patterns.ts'

/** Path prefix of all package routes of a site. */
export const BASE = '/api/orgs/:orgId/properties/:propertyId/ticket-packages'

const needs = 'maintenance-requests'
export const MAY_IMPORT: Access = { by: 'key-or-operator', permission: 'ticket:read_write', role: 'manager', needs }
/** Exports and reading jobs. */
export const MAY_READ: Access = {
  by: 'key-or-operator',
  permission: ['ticket:read', 'ticket:read_write'],
  role: 'viewer',
  needs,
}

export const tags = ['Maintenance requests']

export const nextCursor = {
  type: ['string', 'null'],
  description: 'The cursor of the next page; null on the last page',
} as const

export function pageQuery(maxLimit: number, defaultLimit: number) {
  return {
    limit: { type: 'integer', minimum: 1, maximum: maxLimit, default: defaultLimit },
    cursor: { type: 'string', pattern: CURSOR, description: 'The `nextCursor` of the previous page' },
  } as const
}

export const jobId = { type: 'object', properties: { jobId: { type: 'string' } } } as const

export const job = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string', enum: JOB_NAMES },
    status: { type: 'string', enum: JOB_STATUSES },
    resolved: { type: 'boolean', description: 'True when the job finished for good; poll until then' },
    retryCount: { type: 'integer', description: 'Attempts so far, including the running one' },
    maxAttempts: { type: 'integer' },
    scheduled: { type: 'string', format: 'date-time' },
    output: {
      type: ['object', 'null'],
      additionalProperties: true,
      description: 'The result once the job is resolved; `message` explains a failure',
    },
    progress: {
      type: ['object', 'null'],
      properties: { stage: { type: 'string' }, done: { type: 'number' }, total: { type: 'number' } },
    },
  },
} as const

/** Adds the fields that the job of the contract does not have. */
export const namedJob = {
  ...job,
  properties: { ...job.properties, filename: { type: 'string', description: 'Name of the package' } },
} as const
