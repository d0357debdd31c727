import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import type { SiteOverview } from '@plantroom/contract/portfolio'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createOverviewStore, type OverviewStore, type Reach } from './overview-store.ts'
import { createSearchStore } from './search-store.ts'
import { type MeterReading, powerOf } from './site-power.ts'

interface PortfolioDeps {
  db: Db
  isOnline(deviceId: string): boolean
  clock: Clock
}

/** Adds the routes that show and search all sites at once. */
export function portfolioRoutes(app: FastifyInstance, { db, isOnline, clock }: PortfolioDeps): void {
  const store = createOverviewStore(db)
  const searches = createSearchStore(db)

  addRoute(app, API.getOverview, async ({ params, siteIds }) => {
    const now = clock.now()
    const sites = await overviewOf(store, { organizationId: params.orgId, siteIds }, { isOnline, now })
    return { at: new Date(now), sites }
  })

  addRoute(app, API.search, ({ params, query, siteIds }) =>
    searches.find({ organizationId: params.orgId, siteIds, text: query.q, siteId: query.siteId }),
  )
}

async function overviewOf(
  store: OverviewStore,
  reach: Reach,
  { isOnline, now }: { isOnline(deviceId: string): boolean; now: number },
): Promise<SiteOverview[]> {
  const [sites, devices, alerts, meters] = await Promise.all([
    store.sites(reach),
    store.devices(reach),
    store.alerts(reach),
    store.meters(reach, now),
  ])
  const withRequests = sites.filter(({ takesRequests }) => takesRequests).map(({ id }) => id)
  const openRequests = await store.openRequests(withRequests)
  const metersOf = Map.groupBy<string, MeterReading>(meters, ({ siteId }) => siteId)
  const bySite = Map.groupBy(devices, ({ siteId }) => siteId)
  return sites.map(({ id, name, timeZone, takesRequests, tags }) => {
    const own = bySite.get(id) ?? []
    const offline = own.filter((device) => !isOnline(device.id))
    return {
      id,
      name,
      timeZone,
      tags,
      controllers: {
        names: own.map((device) => device.name),
        offline: offline.length,
        unheard: own.filter(({ held }) => held === null).length,
      },
      held: sum(own, ({ held }) => held),
      heldOffline: sum(offline, ({ held }) => held),
      troubled: sum(own, ({ troubled }) => troubled),
      alerts: alerts.get(id) ?? 0,
      openRequests: takesRequests ? (openRequests.get(id) ?? 0) : null,
      power: powerOf(metersOf.get(id) ?? []),
      powerLimits: own.flatMap(({ id: deviceId, powerLimit }) => {
        if (!powerLimit || powerLimit.state === 'unlimited') return []
        const { state, importKw, exportKw } = powerLimit
        return [{ deviceId, state, importKw, exportKw, isOnline: isOnline(deviceId) }]
      }),
    }
  })
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number | null): number =>
  items.reduce((total, item) => total + (of(item) ?? 0), 0)
