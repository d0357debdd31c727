import { Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { startTransition, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import { oldAfterMs } from '../../../live/live-view.ts'
import { useIsWide } from '../../../parts/card-table.tsx'
import type { When } from '../../../parts/describe-hold.ts'
import { Empty } from '../../../parts/notices.tsx'
import { datapoints as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import { StatusBadge } from '../device-head.tsx'
import { chooseRows, findRow, type RowGroup } from '../rows.ts'
import type { LiveState } from '../use-live-state.ts'
import { DatapointCards, DatapointTable, type OpenChart, type RowHandlers } from './datapoint-list.tsx'
import { describeRow } from './describe-row.ts'
import { useScrollToRow, useWantedDatapoint } from './wanted-row.ts'

/** Shorter lists need no search. */
const SEARCH_FROM = 15
/** As many rows as a browser can redraw every second without lag. */
const MAX_SHOWN = 500
/** As many as fill every screen. The others follow in steps, each of which a browser draws quickly. */
const STEP = 60

/** The live values of the datapoints, by connection. */
export function DatapointSection({
  deviceId,
  groups,
  state,
  when,
  chart,
  ...handlers
}: RowHandlers & {
  deviceId: string
  groups: readonly RowGroup[]
  state: LiveState
  when: When
  chart: OpenChart | undefined
}) {
  const { may, path } = useSite()
  const [search, setSearch] = useState('')
  const [heldOnly, setHeldOnly] = useState(false)
  const isWide = useIsWide()
  const searched = useDeferredValue(search)
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const wantedId = useWantedDatapoint()
  const chartedId = chart?.datapointId
  const limit = useGrowingLimit(total, `${heldOnly} ${searched}`)
  const chosen = useMemo(
    () => chooseRows(groups, { search: searched, heldOnly, limit, wantedIds: [wantedId, chartedId] }),
    [groups, searched, heldOnly, limit, wantedId, chartedId],
  )
  useScrollToRow(wantedId, total > 0 && state.freshness !== 'waiting')
  const canManage = may('manager')
  const chartPath = `${path(`/devices/${deviceId}`)}?datapoint=`
  const { isLost, freshness, controllerNow } = state
  const isServiceLost = freshness === 'lost'
  const isKnown = state.device !== undefined
  const context = { when, controllerNow, isLost, isServiceLost, isKnown, canManage, wantedId }
  const List = isWide ? DatapointTable : DatapointCards
  if (total === 0) return null

  return (
    <Stack component="section" gap="sm" aria-labelledby="datapoints">
      <Title order={2} size="h3" id="datapoints">
        {texts.title}
      </Title>
      {total > SEARCH_FROM && (
        <Group align="flex-end" gap="md">
          <TextInput
            type="search"
            label={texts.search}
            placeholder={texts.searchHint}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            style={{ flex: '1 1 220px' }}
            maw={420}
          />
          <Checkbox
            label={texts.heldOnly}
            checked={heldOnly}
            onChange={(event) => setHeldOnly(event.currentTarget.checked)}
            mb={8}
          />
        </Group>
      )}
      {chart && !findRow(chosen.groups, chart.datapointId) && chart.element}
      {chosen.groups.length === 0 && <Empty title={texts.none}>{texts.noneHint}</Empty>}
      {chosen.groups.map(({ connection, systemName, live, rows }) => {
        const label = format(texts.group, { system: systemName, connection: connection.name })
        const oldAfter = oldAfterMs(connection.settings)
        const rowTexts = rows.map((row) => describeRow(row, { ...context, status: live?.status, oldAfter }))
        return (
          <Stack gap={6} key={connection.id} mt="xs">
            <Group gap="sm">
              <Title order={3} size="h5">
                {label}
              </Title>
              <StatusBadge status={live?.status} isLost={state.isLost} />
            </Group>
            <List label={label} rows={rowTexts} chartPath={chartPath} chart={chart} {...handlers} />
          </Stack>
        )
      })}
      {chosen.leftOut > 0 && limit >= MAX_SHOWN && (
        <Text role="status">{format(texts.leftOut, { shown: chosen.shown, count: chosen.leftOut })}</Text>
      )}
    </Stack>
  )
}

/** Returns how many rows to draw: a few at first and after another choice, then more until all are drawn. */
function useGrowingLimit(total: number, choice: string): number {
  const [limit, setLimit] = useState(STEP)
  const [known, setKnown] = useState(choice)
  if (known !== choice) {
    setKnown(choice)
    setLimit(STEP)
  }
  const isComplete = limit >= Math.min(total, MAX_SHOWN)
  useEffect(() => {
    if (isComplete) return
    const timer = setTimeout(() => startTransition(() => setLimit(Math.min(limit + STEP, MAX_SHOWN))))
    return () => clearTimeout(timer)
  }, [limit, isComplete])
  return limit
}
