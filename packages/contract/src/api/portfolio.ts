import { storable } from '../fields.ts'
import { STORABLE } from '../patterns.ts'
import { Found, Overview } from '../portfolio.ts'
import { route } from '../route.ts'
import { object, optional, text } from '../schema.ts'

const tag = 'Portfolio'
/** People see the sites on which they have a role. */
const viewer = { by: 'operator', role: 'viewer' } as const

/** All sites at once. */
export const portfolioRoutes = {
  getOverview: route({
    method: 'GET',
    path: '/api/orgs/:orgId/overview',
    access: viewer,
    tag,
    summary: 'What is held, in trouble, offline and open at each site, and its power; a person sees their sites',
    reply: Overview,
  }),
  search: route({
    method: 'GET',
    path: '/api/orgs/:orgId/search',
    access: viewer,
    tag,
    summary:
      'Find sites, tags of sites, controllers, datapoints and requests by name or number; at most 20 of each kind',
    description:
      'Every word must be in the name of what is found, or in the names of its controller and site; letter case does not matter. A number, with or without #, finds requests.',
    query: object({
      q: text({ minLength: 1, maxLength: 100, pattern: STORABLE, description: 'Words, or the number of a request' }),
      siteId: optional(storable('Results of this site come first')),
    }),
    reply: Found,
  }),
} as const
