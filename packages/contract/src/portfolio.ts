import { time, timeOrNull, timeZone } from './fields.ts'
import { LIMIT_STATES } from './power-limit.ts'
import { TICKET_STATES } from './request-fields.ts'
import { array, boolean, integer, nullable, number, object, oneOf, type Static, text } from './schema.ts'

/** A site's power is not known when one of its meters has no value from this time on. */
export const POWER_IS_OLD_MS = 15 * 60_000
/** The most results of one kind that a search returns. */
export const MAX_FOUND = 20

export const SitePower = object({
  value: nullable(number(), { description: 'The sum of the meters; null while it is not known' }),
  unit: nullable(text(), { description: 'kW for watts of every size; otherwise the unit that all meters share' }),
  at: timeOrNull('When the oldest part of the sum was measured'),
})
export interface SitePower extends Static<typeof SitePower> {}

/** What a controller does about power limits, as it last reported. */
export const SiteLimit = object({
  deviceId: text(),
  state: oneOf(LIMIT_STATES),
  /** The strictest limits in force. */
  importKw: nullable(number()),
  exportKw: nullable(number()),
  isOnline: boolean({ description: 'False: it may have changed' }),
})
export interface SiteLimit extends Static<typeof SiteLimit> {}

/** The overview of one site for people with many sites. */
export const SiteOverview = object({
  id: text(),
  name: text(),
  timeZone,
  tags: array(text(), { description: 'The groups that the site is in, by name' }),
  controllers: object({
    names: array(text()),
    offline: integer(),
    unheard: integer({ description: 'Controllers that never reported what they hold: it is not known' }),
  }),
  held: integer({ description: 'Datapoints that are held, as the controllers last reported' }),
  heldOffline: integer({ description: 'Of these, on controllers that are offline: they may have changed' }),
  troubled: integer({ description: 'Held datapoints whose equipment does not do it' }),
  alerts: integer({ description: 'Open alerts' }),
  openRequests: nullable(integer(), { description: 'Null where Maintenance Requests are turned off' }),
  power: nullable(SitePower, {
    description:
      'Datapoints tagged site.power, or the meters of peak shaving and power limits; null where there are none',
  }),
  powerLimits: array(SiteLimit, { description: 'Controllers that limit the power at present' }),
})
export interface SiteOverview extends Static<typeof SiteOverview> {}

export const Overview = object({ at: time('By the clock of the service'), sites: array(SiteOverview) })
export interface Overview extends Static<typeof Overview> {}

const place = { siteId: text(), siteName: text() }
const device = { deviceId: text(), deviceName: text() }

/** What a search across sites has found: at most 20 of each kind, the best first. */
export const Found = object({
  sites: array(object({ id: text(), name: text() })),
  tags: array(object({ tag: text(), sites: integer({ description: 'How many sites have it' }) })),
  devices: array(object({ id: text(), name: text(), ...place })),
  datapoints: array(object({ id: text(), name: text(), ...device, ...place })),
  requests: array(object({ number: integer(), title: text(), state: oneOf(TICKET_STATES), ...place })),
})
export interface Found extends Static<typeof Found> {}
