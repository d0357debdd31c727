import { route } from '../route.ts'
import { boolean, nullable, object, type Static, text } from '../schema.ts'
import { administrator } from './organization.ts'

const PATH = '/api/orgs/:orgId/getting-started'

/** What a new organization has already done. Nothing is ticked by hand: each step follows from what exists. */
const Steps = object({
  site: boolean({ description: 'The organization has a site' }),
  controller: boolean({ description: 'It has a controller' }),
  commissioned: boolean({ description: 'A commissioning file is loaded onto a controller' }),
  key: boolean({ description: 'It has an API key that works' }),
  override: boolean({ description: 'A controller has accepted an override' }),
})
export interface GettingStartedSteps extends Static<typeof Steps> {}

const GettingStarted = object({
  steps: Steps,
  siteId: nullable(text(), { description: 'The site to continue with' }),
  deviceId: nullable(text(), { description: 'The controller to continue with, on that site' }),
  dismissed: boolean({ description: 'The signed-in person does not want to see the list' }),
})

/** The first steps of a new organization. */
export const gettingStartedRoutes = {
  getGettingStarted: route({
    method: 'GET',
    path: PATH,
    access: administrator,
    tag: 'Administration',
    summary: 'What a new organization has already done, and whether the person dismissed the list',
    reply: GettingStarted,
  }),
  dismissGettingStarted: route({
    method: 'PUT',
    path: PATH,
    access: administrator,
    tag: 'Administration',
    summary: 'Dismiss the list of first steps for the signed-in person, or show it again',
    body: object({ dismissed: boolean() }),
    reply: GettingStarted,
  }),
} as const
