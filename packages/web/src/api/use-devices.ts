import type { OperationReply } from '@plantroom/client/client'
import type { Device } from '@plantroom/contract/api'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { ON_OFF } from '@plantroom/contract/units'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useAll } from './use-all.ts'
import { operation } from './use-operation.ts'
import { useOrganization, useSite } from './use-site.ts'

/** Loads the controllers of this site, or of another one. */
export function useDevices(ofSite?: string) {
  const { siteId } = useOrganization()
  return useAll('listDevices', { query: { siteId: ofSite ?? siteId } }, ({ devices }) => devices, {
    refetchInterval: 10_000,
  })
}

/** Loads what is commissioned on a controller. */
export function useTechnicalSystems(deviceId: string | undefined) {
  const { orgId } = useOrganization()
  return useQuery({ ...technicalSystemsOf(orgId, deviceId ?? ''), enabled: deviceId !== undefined })
}

/** The same query for `useQueries`. */
export function technicalSystemsOf(orgId: string, deviceId: string) {
  return {
    ...operation('listTechnicalSystems', { orgId, deviceId }),
    select: withSwitches,
    staleTime: 30_000,
  }
}

/** Gives switches a unit: nobody commissions one for them. A constant function runs once per reply. */
function withSwitches({ technicalSystems }: OperationReply<'listTechnicalSystems'>): TechnicalSystem[] {
  const withUnit = (datapoint: Datapoint) => (isSwitch(datapoint) ? { ...datapoint, unit: ON_OFF } : datapoint)
  return technicalSystems.map((system) => ({
    ...system,
    connections: system.connections.map((each) => ({ ...each, datapoints: each.datapoints.map(withUnit) })),
  }))
}

/** Reports whether the address of a datapoint has two states only: a bit of Modbus, or two payloads of MQTT. */
export function isSwitch({ unit, data }: Pick<Datapoint, 'unit' | 'data'>): boolean {
  const isBit = data.type === 'bool' || data.table === 'coil' || data.table === 'discrete' || data.bit !== undefined
  return unit === undefined && (isBit || (data.on !== undefined && data.off !== undefined))
}

/** A controller with what is commissioned on it; `undefined` until that is loaded. */
export interface DeviceSystems {
  id: string
  name: string
  systems: readonly TechnicalSystem[] | undefined
}

/** Loads the controllers of this site with their technical systems. `isComplete`: all of them are loaded. */
export function useSiteSystems(): { devices: readonly DeviceSystems[]; isComplete: boolean; error: Error | null } {
  const { orgId } = useSite()
  const listed = useDevices()
  const devices = listed.data ?? NO_DEVICES
  return useQueries({
    queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)),
    combine: (systems) => ({
      devices: devices.map(({ id, name }, index) => ({ id, name, systems: systems[index]?.data })),
      isComplete: listed.data !== undefined && systems.every(({ data }) => data !== undefined),
      error: listed.error ?? systems.find(({ error }) => error)?.error ?? null,
    }),
  })
}

const NO_DEVICES: readonly Device[] = []
