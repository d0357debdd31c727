import { Badge, Button, Group, List, Stack, Text } from '@mantine/core'
import type {
  Change,
  CommissioningChanges,
  ConnectionChange,
  ControlPartChange,
  ItemChange,
} from '@plantroom/contract/commissioning'
import { type ReactNode, useState } from 'react'
import { commissioning as texts } from '../../../texts/commissioning.ts'
import { format } from '../../../texts/format.ts'
import { describeField, describeSlotChange, nameInFull, type UnitOf } from './describe-change.ts'

const SHOWN = 20
const COLORS: Record<Change, string> = { new: 'green', changed: 'yellow', removed: 'red' }

/** What loading a file would change: every value from and to, in groups. */
export function ChangesView({
  system,
  changes,
  unitOf,
}: {
  /** Names the system in a sentence above; without it there is none. */
  system?: string
  changes: CommissioningChanges
  unitOf: UnitOf
}) {
  const { connections, schedules, peakShaving, powerLimit } = changes
  // Schedules and limits change without touching a datapoint.
  const isOnlyControl = changes.system === 'changed' && connections.length === 0
  const removed = connections.flatMap(({ datapoints }) => datapoints).filter(({ change }) => change === 'removed')
  return (
    <Stack gap="sm">
      {system !== undefined && (
        <Text role="status" fw={600}>
          {format(texts.system[isOnlyControl ? 'control' : changes.system], { system })}
        </Text>
      )}
      {schedules.map(({ name, change, datapoint, fields, slots, isReordered }) => (
        <Item key={`schedule ${name}`} change={change} label={format(texts.schedule, { name })}>
          {[
            ...fields.map((field) => describeField(field)),
            ...slots.map((slot) => describeSlotChange(slot, unitOf(datapoint))),
            ...(isReordered ? [texts.reordered] : []),
          ]}
        </Item>
      ))}
      {peakShaving && <ControlPart label={texts.peak} part={peakShaving} unitOf={unitOf} />}
      {powerLimit && <ControlPart label={texts.powerLimit} part={powerLimit} unitOf={unitOf} />}
      {removed.length > 0 && <Text size="sm">{format(texts.removedPoints, { count: removed.length })}</Text>}
      {connections.map((connection) => (
        <Connection key={connection.name} connection={connection} unitOf={unitOf} />
      ))}
    </Stack>
  )
}

/** Peak shaving or the power limit, with its loads and contacts. */
function ControlPart({ label, part, unitOf }: { label: string; part: ControlPartChange; unitOf: UnitOf }) {
  const linesOf = ({ name, fields }: ItemChange) => fields.map((field) => describeField(field, unitOf(name)))
  return (
    <div>
      <Item change={part.change} label={label}>
        {part.fields.map((field) => describeField(field))}
      </Item>
      <Items items={part.loads} labelOf={({ name }) => format(texts.load, { name })} linesOf={linesOf} />
      <Items items={part.inputs} labelOf={({ name }) => format(texts.contact, { name })} linesOf={linesOf} />
    </div>
  )
}

function Connection({ connection, unitOf }: { connection: ConnectionChange; unitOf: UnitOf }) {
  const { name, change, fields, datapoints, unchanged } = connection
  return (
    <div>
      <Item change={change} label={format(texts.connection, { name })}>
        {fields.map((field) => describeField(field))}
      </Item>
      <Items
        items={datapoints}
        labelOf={(datapoint) => datapoint.name}
        linesOf={(datapoint) =>
          datapoint.fields.map((field) => describeField(field, unitOf(nameInFull(name, datapoint.name))))
        }
      />
      {unchanged > 0 && (
        <Text size="sm" pl="lg" mt={4}>
          {format(texts.unchanged, { count: unchanged })}
        </Text>
      )}
    </div>
  )
}

/** Items one level below, the first ones at once and all on demand. */
function Items({
  items,
  labelOf,
  linesOf,
}: {
  items: readonly ItemChange[]
  labelOf: (item: ItemChange) => string
  linesOf: (item: ItemChange) => string[]
}) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? items : items.slice(0, SHOWN)
  if (items.length === 0) return null
  return (
    <>
      <List size="sm" listStyleType="none" pl="lg" mt={4} styles={{ itemWrapper: { display: 'block' } }}>
        {shown.map((item) => (
          <List.Item key={`${item.change} ${item.name}`} mb={4}>
            <Item change={item.change} label={labelOf(item)}>
              {linesOf(item)}
            </Item>
          </List.Item>
        ))}
      </List>
      {items.length > shown.length && (
        <Button variant="subtle" size="compact-sm" ml="lg" onClick={() => setShowsAll(true)}>
          {format(texts.more, { count: items.length - shown.length })}
        </Button>
      )}
    </>
  )
}

function Item({ change, label, children }: { change: Change; label: ReactNode; children: readonly string[] }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Badge color={COLORS[change]} variant="light" c="inherit" miw={90} style={{ flexShrink: 0 }}>
        {texts.kinds[change]}
      </Badge>
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {children.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two slots may be equal, and the lines never change places
          <Text key={`${place} ${line}`} size="sm" c="dimmed" className="figures">
            {line}
          </Text>
        ))}
      </div>
    </Group>
  )
}
