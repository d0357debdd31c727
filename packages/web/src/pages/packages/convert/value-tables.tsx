import { Button, Select, Stack, Switch, Text, Title } from '@mantine/core'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/request-fields'
import { type ReactNode, useState } from 'react'
import { CardTable } from '../../../parts/card-table.tsx'
import { common } from '../../../texts/common.ts'
import { convert } from '../../../texts/convert.ts'
import { format, formatNumber } from '../../../texts/format.ts'
import { newRequest, priorities, states } from '../../../texts/requests.ts'
import classes from '../packages.module.css'
import { columnsThatBecome, entryOf, type ListedColumn, type MappingProps, withEntry } from './mapping-draft.ts'

const texts = convert.mapping
const STATE_CHOICES = TICKET_STATES.map((state) => ({ value: state, label: states[state] }))
const PRIORITY_CHOICES = ([3, 2, 1, 0] as const).map((priority) => ({
  value: String(priority),
  label: priorities[priority],
}))

/** What each state of the export means. */
export function StateTable({ analysis, mapping, onChange }: MappingProps) {
  const columns = columnsThatBecome(analysis, mapping, 'state')
  const setState = (value: string, state: string | null) =>
    onChange({ ...mapping, states: withEntry(mapping.states, value, (state ?? undefined) as TicketState | undefined) })
  return (
    <Stack component="section">
      <Title order={3} size="h4">
        {texts.states}
      </Title>
      <Text size="sm">{columns.length === 0 ? texts.noStates : texts.statesHint}</Text>
      <Values
        label={texts.states}
        head={texts.state}
        columns={columns}
        choose={(value) => (
          <Select
            aria-label={format(texts.stateOf, { value })}
            data={STATE_CHOICES}
            value={entryOf(mapping.states, value) ?? null}
            placeholder={states[mapping.otherState]}
            onChange={(state) => setState(value, state)}
            clearable
            allowDeselect={false}
            miw={180}
          />
        )}
      />
      <Select
        label={texts.otherState}
        data={STATE_CHOICES}
        value={mapping.otherState}
        onChange={(state) => state && onChange({ ...mapping, otherState: state as TicketState })}
        allowDeselect={false}
        maw={320}
      />
      <Switch
        label={texts.fromEvidence}
        checked={mapping.stateFromEvidence ?? true}
        onChange={({ currentTarget }) => onChange({ ...mapping, stateFromEvidence: currentTarget.checked })}
      />
    </Stack>
  )
}

/** What each priority of the export means. Nothing when no column becomes the priority. */
export function PriorityTable({ analysis, mapping, onChange }: MappingProps) {
  const columns = columnsThatBecome(analysis, mapping, 'priority')
  if (columns.every(({ values }) => values?.length === 0)) return null
  const setPriority = (value: string, priority: string | null) =>
    onChange({
      ...mapping,
      priorities: withEntry(mapping.priorities, value, priority === null ? null : (Number(priority) as 0 | 1 | 2 | 3)),
    })
  return (
    <Stack component="section">
      <Title order={3} size="h4">
        {texts.priorities}
      </Title>
      <Values
        label={texts.priorities}
        head={texts.priority}
        columns={columns}
        choose={(value) => {
          const priority = entryOf(mapping.priorities, value) ?? null
          return (
            <Select
              aria-label={format(texts.priorityOf, { value })}
              data={PRIORITY_CHOICES}
              value={priority === null ? null : String(priority)}
              placeholder={newRequest.noPriority}
              onChange={(chosen) => setPriority(value, chosen)}
              clearable
              allowDeselect={false}
              miw={180}
            />
          )
        }}
      />
    </Stack>
  )
}

function Values({
  label,
  head,
  columns,
  choose,
}: {
  label: string
  head: string
  columns: readonly ListedColumn[]
  choose: (value: string) => ReactNode
}) {
  const filled = columns.filter(({ values }) => values?.length !== 0)
  return filled.map(({ name, values }) =>
    values === undefined ? (
      <Text key={name} size="sm">
        {format(texts.manyValues, { column: name })}
      </Text>
    ) : (
      <ValueTable
        key={name}
        label={format(common.fact, { name: label, value: name })}
        head={head}
        values={values}
        choose={choose}
      />
    ),
  )
}

/** A page of this many is still quick. A column can have 10,000. */
const SHOWN_VALUES = 100

function ValueTable({
  label,
  head,
  values,
  choose,
}: {
  label: string
  head: string
  values: NonNullable<ListedColumn['values']>
  choose: (value: string) => ReactNode
}) {
  const [shown, setShown] = useState(SHOWN_VALUES)
  return (
    <>
      <CardTable
        label={label}
        rows={values.slice(0, shown)}
        keyOf={({ value }) => value}
        columns={[
          { head: texts.value, cell: ({ value }) => <span className={classes.long}>{value}</span> },
          { head: texts.times, cell: ({ count }) => formatNumber(count) },
          { head, cell: ({ value }) => choose(value) },
        ]}
      />
      {values.length > shown && (
        <Button variant="default" mx="auto" onClick={() => setShown(shown + SHOWN_VALUES)}>
          {common.more}
        </Button>
      )}
    </>
  )
}
