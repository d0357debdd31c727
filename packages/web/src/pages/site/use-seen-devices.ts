import type { ListedDevice } from '@plantroom/client/admin'
import { useQueries } from '@tanstack/react-query'
import { technicalSystemsOf } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/use-live-devices.ts'
import type { SeenDevice } from './overview.ts'

/** The devices of the site with what is heard of each, and the names of what they control. */
export function useSeenDevices(devices: readonly ListedDevice[]): SeenDevice[] {
  const { orgId } = useSite()
  const views = useLiveDevices(
    orgId,
    devices.map(({ id }) => id),
  )
  const systems = useQueries({ queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)) })
  return devices.map((device, at) => ({ device, view: views.get(device.id), systems: systems[at]?.data }))
}
