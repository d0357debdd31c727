import { type Datapoint, isBounded, overridableIn, type TechnicalSystem } from '@plantroom/contract/datapoint'
import { useQueries } from '@tanstack/react-query'
import { technicalSystemsOf } from '../../../api/use-devices.ts'
import { operation } from '../../../api/use-operation.ts'
import { useOrganization } from '../../../api/use-site.ts'

/** A datapoint that a rule can name. */
export interface SiteDatapoint {
  siteId: string
  id: string
  name: string
  unit: string | undefined
  connection: string
  controller: string
  envelope: Datapoint['writeInputData']
  /** False for what only reports can use. */
  isWritable: boolean
}

/** More sites are not loaded at once: their datapoints are shown by their ids until their site is chosen. */
const MOST_SITES = 20

/** Loads the datapoints of sites. */
export function useSiteDatapoints(siteIds: readonly string[]): readonly SiteDatapoint[] {
  const { orgId } = useOrganization()
  const loaded = siteIds.slice(0, MOST_SITES)
  const devices = useQueries({
    queries: loaded.map((siteId) => ({
      ...operation('listDevices', { orgId, query: { siteId, limit: 1000 } }),
      staleTime: 30_000,
    })),
    combine: (lists) =>
      lists.flatMap(({ data }, index) =>
        (data?.devices ?? []).map((each) => ({ ...each, siteId: loaded[index] ?? '' })),
      ),
  })
  return useQueries({
    queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)),
    combine: (systems) =>
      devices.flatMap(({ siteId, name }, index) => datapointsOf(systems[index]?.data ?? [], siteId, name)),
  })
}

function datapointsOf(systems: readonly TechnicalSystem[], siteId: string, controller: string): SiteDatapoint[] {
  const isWritable = overridableIn(systems)
  return systems.flatMap(({ connections }) =>
    connections.flatMap(({ name: connection, datapoints }) =>
      datapoints.map((datapoint) => ({
        siteId,
        id: datapoint.id,
        name: datapoint.name,
        unit: datapoint.unit,
        connection,
        controller,
        envelope: isBounded(datapoint.writeInputData) ? datapoint.writeInputData : undefined,
        isWritable: isWritable(datapoint),
      })),
    ),
  )
}
