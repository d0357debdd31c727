import { Alert, Checkbox, List, Paper, Stack, Text, TextInput } from '@mantine/core'
import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { endpointOf } from '@plantroom/contract/endpoint'
import { useState } from 'react'
import { CardTable } from '../../../../parts/card-table.tsx'
import { SmallButton } from '../../../../parts/small-button.tsx'
import { joinFacts, shownValue } from '../../../../parts/value.ts'
import { format } from '../../../../texts/format.ts'
import { record } from '../../../../texts/record.ts'
import { scan as texts } from '../../../../texts/scan.ts'

/** More are shown on demand, or found by their name. */
const SHOWN = 20

/** The datapoints of a connection that a person has picked, by their places; `undefined` when the connection is not. */
export type Picked = ReadonlySet<number> | undefined

/** Equipment that a scan found, to pick from. */
export function FoundEquipment({
  connection,
  picked,
  onPick,
}: {
  connection: FoundConnection
  picked: Picked
  onPick: (picked: Picked) => void
}) {
  const { name, protocol, settings, datapoints, warnings } = connection
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(SHOWN)
  const wanted = search.trim().toLowerCase()
  const matching = datapoints
    .map((datapoint, at) => ({ datapoint, at }))
    .filter(({ datapoint }) => `${datapoint.name} ${datapoint.description ?? ''}`.toLowerCase().includes(wanted))
  const count = picked?.size ?? 0

  /** What is not shown by the search stays as it is. */
  function pickAll(isPicked: boolean): void {
    const all = new Set(picked)
    for (const { at } of matching) isPicked ? all.add(at) : all.delete(at)
    onPick(all.size > 0 || (isPicked && datapoints.length === 0) ? all : undefined)
  }
  function pick(at: number, isPicked: boolean): void {
    const all = new Set(picked)
    if (isPicked) all.add(at)
    else all.delete(at)
    onPick(all.size > 0 ? all : undefined)
  }

  const isAll = picked !== undefined && matching.every(({ at }) => picked.has(at))
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Checkbox
          label={name}
          description={joinFacts([
            endpointOf({ protocol, settings }),
            settings.unitId !== undefined && format(texts.unit, { unit: String(settings.unitId) }),
            format(texts.datapoints, { count: datapoints.length }),
          ])}
          checked={isAll}
          indeterminate={picked !== undefined && !isAll}
          onChange={({ currentTarget }) => pickAll(currentTarget.checked)}
        />
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        {datapoints.length > SHOWN && (
          <TextInput
            label={texts.search}
            size="xs"
            value={search}
            onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          />
        )}
        {matching.length > 0 && (
          <CardTable
            label={format(texts.found, { name })}
            framed={false}
            rows={matching.slice(0, shown)}
            keyOf={({ at }) => String(at)}
            columns={[
              {
                head: texts.columns.datapoint,
                name: true,
                cell: ({ datapoint, at }) => (
                  <Checkbox
                    label={datapoint.name}
                    description={datapoint.description}
                    checked={picked?.has(at) ?? false}
                    onChange={({ currentTarget }) => pick(at, currentTarget.checked)}
                  />
                ),
              },
              { head: texts.columns.value, cell: ({ datapoint }) => heldBy(datapoint) },
              { head: record.columns.access, cell: ({ datapoint }) => record.access[datapoint.accessType] },
              {
                head: texts.columns.warnings,
                cell: ({ datapoint }) => datapoint.warnings.length > 0 && datapoint.warnings.join('; '),
              },
            ]}
          />
        )}
        {matching.length > shown && (
          <SmallButton onClick={() => setShown(shown + 5 * SHOWN)}>
            {format(texts.more, { count: matching.length - shown })}
          </SmallButton>
        )}
        {matching.length === 0 && wanted !== '' && <Text size="sm">{texts.noneMatch}</Text>}
        {count > 0 && <Text size="sm">{format(texts.picked, { count })}</Text>}
      </Stack>
    </Paper>
  )
}

/** What equipment says it holds. With a scaler, that is not yet in its unit. */
function heldBy({ raw, unit, scaler }: FoundDatapoint): string {
  if (raw === null) return texts.noValue
  return scaler ? format(texts.raw, { raw: shownValue(raw) }) : shownValue(raw, unit)
}

export function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <Alert color="orange" variant="light" role="note">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  )
}
