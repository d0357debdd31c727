import { Checkbox, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSite } from '../../../api/use-site.ts'
import type { When } from '../../../parts/hold-words.ts'
import { Empty } from '../../../parts/notices.tsx'
import { useRoomy } from '../../../parts/use-roomy.ts'
import { counted } from '../../../parts/value.ts'
import { datapoints as texts } from '../../../texts/device.ts'
import { StatusBadge } from '../connection-cards.tsx'
import { chooseRows, type RowGroup } from '../rows.ts'
import type { Heard } from '../use-heard.ts'
import type { RowHandlers } from './datapoint-actions.tsx'
import { DatapointCards } from './datapoint-cards.tsx'
import { DatapointTable } from './datapoint-table.tsx'
import { rowWords } from './row-words.ts'

/** With fewer, whoever looks for one sees it. */
const SEARCH_FROM = 15
/** As many as a browser draws anew every second without being noticed. */
const MAX_SHOWN = 100

/** The live values, by connection. */
export function DatapointSection({
  deviceId,
  groups,
  heard,
  when,
  ...handlers
}: RowHandlers & { deviceId: string; groups: readonly RowGroup[]; heard: Heard; when: When }) {
  const { may, path } = useSite()
  const [search, setSearch] = useState('')
  const [heldOnly, setHeldOnly] = useState(false)
  const isRoomy = useRoomy()
  const searched = useDeferredValue(search)
  const total = groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const chosen = useMemo(
    () => chooseRows(groups, { search: searched, heldOnly, limit: MAX_SHOWN }),
    [groups, searched, heldOnly],
  )
  const canManage = may('manager')
  const chartPath = `${path(`/devices/${deviceId}`)}?datapoint=`
  const List = isRoomy ? DatapointTable : DatapointCards
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
      {chosen.groups.length === 0 && <Empty title={texts.none}>{texts.noneHint}</Empty>}
      {chosen.groups.map(({ connection, systemName, live, rows }) => {
        const label = texts.group(systemName, connection.name)
        const words = rows.map((row) => rowWords(row, { when, status: live?.status, isLost: heard.isLost, canManage }))
        return (
          <Stack gap={6} key={connection.id} mt="xs">
            <Group gap="sm">
              <Title order={3} size="h5">
                {label}
              </Title>
              <StatusBadge status={live?.status} />
            </Group>
            <List label={label} rows={words} chartPath={chartPath} {...handlers} />
          </Stack>
        )
      })}
      {chosen.leftOut > 0 && (
        <Text role="status">
          {texts.leftOut(counted(chosen.shown, 'datapoint'), counted(chosen.leftOut, 'more', 'more'))}
        </Text>
      )}
    </Stack>
  )
}
