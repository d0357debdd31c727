import { Stack } from '@mantine/core'
import type { ListedDevice } from '@plantroom/client/admin'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useDevices, useTechnicalSystems } from '../../api/use-devices.ts'
import { useSite } from '../../api/use-site.ts'
import { Empty } from '../../parts/notices.tsx'
import { usePageTitle } from '../../parts/page-title.ts'
import { QueryView } from '../../parts/query-view.tsx'
import { device as texts, timeline } from '../../texts/device.ts'
import { ChartSection } from './chart/chart-section.tsx'
import { ConnectionCards } from './connection-cards.tsx'
import { DatapointSection } from './datapoints/datapoint-section.tsx'
import { DeviceHead } from './device-head.tsx'
import { OverrideModal } from './override/override-modal.tsx'
import { ReleaseModal } from './release/release-modal.tsx'
import type { ReleaseTarget } from './release/release-words.ts'
import { type DatapointRow, findRow, groupsOf, unknownConnections } from './rows.ts'
import { TimelineSection } from './timeline/timeline-section.tsx'
import { useDialog } from './use-dialog.ts'
import { useHeard } from './use-heard.ts'

/** One controller: what its datapoints are at, who holds them, and the way to take hold of them or let go. */
export function DevicePage({ deviceId }: { deviceId: string }) {
  const devices = useDevices()
  return (
    <QueryView query={devices}>
      {(all) => {
        const found = all.find(({ id }) => id === deviceId)
        return found ? <DeviceView listed={found} /> : <Empty title={texts.notHere}>{texts.notHereHint}</Empty>
      }}
    </QueryView>
  )
}

/** On a line of 24 hours a second is not seen. */
const COARSE_MS = 10_000

const NO_WINDOWS: LiveDevice['overrides'] = []

function DeviceView({ listed }: { listed: ListedDevice }) {
  const { orgId, site } = useSite()
  const systems = useTechnicalSystems(listed.id)
  const heard = useHeard(orgId, listed.id)
  const [search] = useSearchParams()
  const { dialog, close, openOverride, openRelease } = useDialog()
  usePageTitle(listed.name)
  useNamesOf(listed.id, unknownConnections(systems.data ?? [], heard.device).join(' '), systems.isSuccess)

  const groups = useMemo(() => groupsOf(systems.data ?? [], heard.device), [systems.data, heard.device])
  const when = { timeZone: site.timeZone, now: heard.now }
  const coarseNow = Math.floor(heard.now / COARSE_MS) * COARSE_MS
  const coarsely = useMemo(() => ({ timeZone: site.timeZone, now: coarseNow }), [site.timeZone, coarseNow])
  const charted = search.get('datapoint')
  const target = dialog && findRow(groups, dialog.datapointId)

  return (
    <Stack gap="xl">
      <DeviceHead listed={listed} heard={heard} timeZone={site.timeZone} />
      <QueryView query={systems}>
        {() => (
          <>
            <ConnectionCards groups={groups} />
            <TimelineSection
              overrides={heard.device?.overrides ?? NO_WINDOWS}
              leftOut={heard.device?.overridesLeftOut ?? 0}
              groups={groups}
              when={coarsely}
              onRelease={openRelease}
            />
            {charted !== null && (
              <ChartSection
                key={charted}
                deviceId={listed.id}
                row={findRow(groups, charted)}
                when={when}
                isLost={heard.isLost}
              />
            )}
            <DatapointSection
              deviceId={listed.id}
              groups={groups}
              heard={heard}
              when={when}
              onOverride={openOverride}
              onRelease={openRelease}
            />
          </>
        )}
      </QueryView>
      {dialog?.kind === 'override' && target && (
        <OverrideModal deviceId={listed.id} row={target} heard={heard} when={when} onClose={close} />
      )}
      {dialog?.kind === 'release' && (
        <ReleaseModal
          deviceId={listed.id}
          target={releaseTarget(dialog.datapointId, target, heard.device)}
          windowId={dialog.windowId}
          isCut={heard.device?.overridesLeftOut !== undefined}
          when={when}
          onClose={close}
        />
      )}
    </Stack>
  )
}

/** Also of a datapoint that is not commissioned any more: what the controller holds must be possible to end. */
function releaseTarget(
  datapointId: string,
  row: DatapointRow | undefined,
  device: LiveDevice | undefined,
): ReleaseTarget {
  return {
    name: row?.datapoint.name ?? timeline.unknownDatapoint,
    hold: device?.holds.find((hold) => hold.datapointId === datapointId),
    overrides: device?.overrides.filter((window) => window.datapointId === datapointId) ?? [],
  }
}

/** The device speaks of connections that have no name here: what is commissioned is asked for again, once for each such set. */
function useNamesOf(deviceId: string, unknown: string, isKnown: boolean): void {
  const { orgId } = useSite()
  const client = useQueryClient()
  useEffect(() => {
    if (isKnown && unknown !== '') void client.invalidateQueries({ queryKey: ['technical-systems', orgId, deviceId] })
  }, [client, orgId, deviceId, unknown, isKnown])
}
