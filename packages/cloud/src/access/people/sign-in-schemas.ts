import { EMAIL } from '@plantroom/contract/patterns'
import { ROLES, SITE_ROLES } from '@plantroom/contract/roles'

/** The address of a new user. An address typed to sign in is only looked up and needs no pattern. */
export const email = { type: 'string', maxLength: 255, pattern: EMAIL } as const
export const typed = { type: 'string', maxLength: 1024 } as const
export const newPassword = { type: 'string', minLength: 12, maxLength: 1024 } as const

const text = { type: 'string' } as const

export const signedIn = {
  type: 'object',
  properties: {
    user: { type: 'object', properties: { id: text, email: text } },
    organizations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: text,
          name: text,
          isAdmin: { type: 'boolean' },
          sites: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: text,
                name: text,
                timeZone: text,
                maintenanceRequests: { type: 'boolean' },
                role: { type: 'string', enum: ROLES },
              },
            },
          },
        },
      },
    },
  },
} as const

export const memberRoles = {
  role: {
    type: 'string',
    enum: ['admin'],
    description: 'The role in the whole organization; send sites instead for roles on single sites',
  },
  sites: {
    type: 'array',
    minItems: 1,
    maxItems: 10_000,
    items: {
      type: 'object',
      required: ['siteId', 'role'],
      properties: { siteId: { type: 'string', maxLength: 255 }, role: { type: 'string', enum: SITE_ROLES } },
    },
  },
} as const

export const member = {
  type: 'object',
  properties: {
    userId: text,
    email: text,
    role: {
      type: ['string', 'null'],
      enum: ['admin', null],
      description: 'The role in the whole organization; null for members with roles on single sites',
    },
    sites: {
      type: 'array',
      items: { type: 'object', properties: { siteId: text, role: { type: 'string', enum: SITE_ROLES } } },
    },
    lastSeenAt: { type: ['string', 'null'], format: 'date-time' },
    hasPassword: { type: 'boolean', description: 'False until an invited person sets a password' },
  },
} as const

export const invitedMember = {
  type: 'object',
  properties: {
    ...member.properties,
    link: {
      type: ['string', 'null'],
      description: 'Lets them set their password once, within 7 days; null when they already have one',
    },
  },
} as const
