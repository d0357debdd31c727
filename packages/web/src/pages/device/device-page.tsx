import { Stack } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useSystemsKeptUp } from '../../api/known-systems.ts'
import { useDevices, useTechnicalSystems } from '../../api/use-devices.ts'
import { useCloseHold, useRelease } from '../../api/use-release.ts'
import { useSite } from '../../api/use-site.ts'
import { silentOf } from '../../live/live-view.ts'
import { CloseHoldModal } from '../../parts/close-hold/close-hold-modal.tsx'
import type { When } from '../../parts/describe-hold.ts'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { usePageTitle } from '../../parts/page-head.tsx'
import type { ReleaseTarget } from '../../parts/release/describe-release.ts'
import { ReleaseModal } from '../../parts/release/release-modal.tsx'
import { device as texts, timeline } from '../../texts/device.ts'
import { ApiPanel } from './api-panel/api-panel.tsx'
import { ChartSection } from './chart/chart-section.tsx'
import { DatapointSection } from './datapoints/datapoint-section.tsx'
import { ConnectionCards, DeviceHead } from './device-head.tsx'
import { OverrideModal } from './override/override-modal.tsx'
import { type DatapointRow, findRow, groupsOf } from './rows.ts'
import { TestsSection } from './tests/tests-section.tsx'
import { TimelineSection } from './timeline/timeline-section.tsx'
import { TrialNotice } from './trial-notice.tsx'
import { type LiveState, useLiveState } from './use-live-state.ts'

/** One controller: its connections, overrides and live datapoints. */
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

/** A second is invisible on a timeline of 24 hours. */
const COARSE_MS = 10_000

const NO_OVERRIDES: LiveDevice['overrides'] = []

function DeviceView({ listed }: { listed: Device }) {
  const { orgId, site, may } = useSite()
  const systems = useTechnicalSystems(listed.id)
  const state = useLiveState(orgId, listed.id)
  const [search] = useSearchParams()
  const { dialog, close, openOverride, openRelease, openCloseHold } = useDialog()
  const release = useRelease()
  usePageTitle(listed.name)
  useSystemsKeptUp(orgId, [{ id: listed.id, systems: systems.data, live: state.device }])

  const groups = useMemo(() => groupsOf(systems.data ?? [], state.device), [systems.data, state.device])
  const when = { timeZone: site.timeZone, now: state.now }
  const coarseNow = Math.floor(state.now / COARSE_MS) * COARSE_MS
  const coarsely = useMemo(() => ({ timeZone: site.timeZone, now: coarseNow }), [site.timeZone, coarseNow])
  const charted = search.get('datapoint')
  const target = dialog && findRow(groups, dialog.datapointId)
  const chart = charted === null ? undefined : { datapointId: charted, element: chartOf(charted) }

  function chartOf(datapointId: string) {
    const row = findRow(groups, datapointId)
    return <ChartSection key={datapointId} deviceId={listed.id} row={row} when={when} state={state} />
  }

  return (
    <Stack gap="xl">
      <DeviceHead listed={listed} state={state} timeZone={site.timeZone} />
      {state.device?.trial && !state.isLost && <TrialNotice trial={state.device.trial} />}
      <QueryView query={systems}>
        {() => (
          <>
            <ConnectionCards groups={groups} isLost={state.isLost} />
            <TimelineSection
              overrides={state.device?.overrides ?? NO_OVERRIDES}
              leftOut={state.device?.overridesLeftOut ?? 0}
              isKnown={state.device !== undefined}
              isLost={state.isLost}
              groups={groups}
              when={coarsely}
              onRelease={openRelease}
            />
            <DatapointSection
              deviceId={listed.id}
              groups={groups}
              state={state}
              when={when}
              chart={chart}
              onOverride={openOverride}
              onRelease={openRelease}
              onCloseHold={openCloseHold}
            />
            {may('manager') && <TestsSection device={listed} groups={groups} state={state} when={when} />}
            <ApiPanel device={listed} systems={systems.data ?? []} live={state.device} />
          </>
        )}
      </QueryView>
      {dialog?.kind === 'override' && target && (
        <OverrideModal deviceId={listed.id} row={target} state={state} when={when} onClose={close} />
      )}
      {dialog?.kind === 'close-hold' && target && (
        <CloseHold deviceId={listed.id} row={target} state={state} when={when} onClose={close} />
      )}
      {dialog?.kind === 'release' && (
        <ReleaseModal
          target={releaseTarget(dialog.datapointId, target, state.device)}
          overrideId={dialog.overrideId}
          isCut={state.device?.overridesLeftOut !== undefined}
          silent={silentOf(state.freshness)}
          when={when}
          release={(overrideId, reason) => release(listed.id, overrideId, reason)}
          onClose={close}
        />
      )}
    </Stack>
  )
}

function CloseHold({
  deviceId,
  row: { datapoint, hold, value },
  state,
  when,
  onClose,
}: {
  deviceId: string
  row: DatapointRow
  state: LiveState
  when: When
  onClose: () => void
}) {
  const { id, name, unit, accessType } = datapoint
  return (
    <CloseHoldModal
      target={{ name, unit, isWriteOnly: accessType === 'WRITE', hold, actual: value }}
      isLive={!state.isLost}
      closeHold={useCloseHold(deviceId, id)}
      when={{ ...when, controllerNow: state.controllerNow }}
      onClose={onClose}
    />
  )
}

/** Covers datapoints that are no longer commissioned: their overrides must still be releasable. */
function releaseTarget(
  datapointId: string,
  row: DatapointRow | undefined,
  device: LiveDevice | undefined,
): ReleaseTarget {
  return {
    name: row?.datapoint.name ?? timeline.unknownDatapoint,
    unit: row?.datapoint.unit,
    hold: device?.holds.find((hold) => hold.datapointId === datapointId),
    actual: row?.value?.value,
    failsafe: row?.failsafe,
    overrides: device?.overrides.filter((override) => override.datapointId === datapointId) ?? [],
  }
}

/** The open dialog. */
type Dialog =
  | { kind: 'override' | 'close-hold'; datapointId: string }
  | { kind: 'release'; datapointId: string; overrideId: string }

/** Opens one dialog at a time. Closing it restores the focus, or moves it to the page when the element is gone. */
function useDialog() {
  const [dialog, setDialog] = useState<Dialog>()
  const opener = useRef<Element>(null)

  const open = useCallback((next: Dialog) => {
    opener.current = document.activeElement
    setDialog(next)
  }, [])
  const close = useCallback(() => {
    setDialog(undefined)
    // The dialog traps the focus until it is unmounted.
    setTimeout(() => {
      const back = opener.current?.isConnected ? opener.current : document.getElementById('page')
      if (back instanceof HTMLElement) back.focus({ preventScroll: true })
    })
  }, [])
  const openOverride = useCallback((datapointId: string) => open({ kind: 'override', datapointId }), [open])
  const openRelease = useCallback(
    (datapointId: string, overrideId: string) => open({ kind: 'release', datapointId, overrideId }),
    [open],
  )
  const openCloseHold = useCallback((datapointId: string) => open({ kind: 'close-hold', datapointId }), [open])
  return { dialog, close, openOverride, openRelease, openCloseHold }
}
