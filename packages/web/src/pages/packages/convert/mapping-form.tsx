import { Badge, Button, Group, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { DATE_ORDERS, type DateOrder, type SourceAnalysis, TARGETS, type Target } from '@plantroom/contract/conversion'
import { useState } from 'react'
import { CardTable } from '../../../parts/card-table.tsx'
import { TimeZoneSelect } from '../../../parts/selects.tsx'
import { common } from '../../../texts/common.ts'
import { conversionAccount } from '../../../texts/conversion-account.ts'
import { convert } from '../../../texts/convert.ts'
import { findText, format, partsOf } from '../../../texts/format.ts'
import classes from '../packages.module.css'
import { dateExample, dateSample } from './date-example.ts'
import { type MappingProps, targetOf } from './mapping-draft.ts'
import { targetName } from './target-name.ts'
import { PriorityTable, StateTable } from './value-tables.tsx'

const texts = convert.mapping

/** The whole mapping as a form. */
export function MappingForm(props: MappingProps) {
  return (
    <Stack gap="xl">
      <Columns {...props} />
      <StateTable {...props} />
      <PriorityTable {...props} />
      <Dates {...props} />
    </Stack>
  )
}

const TARGET_CHOICES = TARGETS.map((target) => ({ value: target, label: targetName(target) }))
/** From this number on, a search helps. */
const MANY_COLUMNS = 12
/** A page of this many is still quick. A spreadsheet can have 16,384. */
const SHOWN_COLUMNS = 100

function Columns({ analysis, mapping, onChange }: MappingProps) {
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(SHOWN_COLUMNS)
  const wanted = search.trim().toLowerCase()
  const columns = analysis.columns.filter(({ name }) => name.toLowerCase().includes(wanted))
  const change = (column: string, target: Target) =>
    onChange({ ...mapping, columns: { ...mapping.columns, [column]: target } })
  return (
    <Stack component="section">
      <Title order={3} size="h4">
        {texts.columns}
      </Title>
      {analysis.columns.length > MANY_COLUMNS && (
        <TextInput
          label={texts.search}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          maw={360}
        />
      )}
      {columns.length === 0 ? (
        <Text>{texts.noColumn}</Text>
      ) : (
        <CardTable
          label={texts.columns}
          rows={columns.slice(0, shown)}
          keyOf={({ name }) => name}
          columns={[
            { head: texts.column, name: true, cell: ({ name }) => <span className={classes.long}>{name}</span> },
            {
              head: texts.samples,
              cell: ({ samples, filled }) => (
                <Stack gap={4}>
                  <div className={classes.samples}>
                    {samples.map((sample) => (
                      <Badge key={sample} variant="default" fw={400} title={sample}>
                        {sample}
                      </Badge>
                    ))}
                  </div>
                  <Text size="sm" c="dimmed">
                    {format(texts.filled, { count: filled })}
                  </Text>
                </Stack>
              ),
            },
            {
              head: texts.becomes,
              cell: ({ name }) => (
                <Select
                  aria-label={format(texts.becomesOf, { column: name })}
                  data={TARGET_CHOICES}
                  value={targetOf(mapping, name)}
                  onChange={(target) => target && change(name, target as Target)}
                  searchable
                  allowDeselect={false}
                  nothingFoundMessage={common.nothingFound}
                  miw={240}
                />
              ),
            },
          ]}
        />
      )}
      {columns.length > shown && (
        <Button variant="default" mx="auto" onClick={() => setShown(shown + SHOWN_COLUMNS)}>
          {common.more}
        </Button>
      )}
    </Stack>
  )
}

const ORDERS = DATE_ORDERS.map((order) => ({ value: order, label: texts.orders[order] }))

/** Where the proposed time zone comes from. It stays when somebody chooses another. */
function zoneOrigin({ timeZoneFrom = 'default', mapping }: SourceAnalysis): string | undefined {
  const message = findText(conversionAccount.zoneFrom, timeZoneFrom)
  return message && partsOf(message, { zone: mapping.timeZone }).join('')
}

function Dates({ analysis, mapping, onChange }: MappingProps) {
  const sample = dateSample(analysis, mapping.columns)
  const { dateOrder } = mapping
  const example = dateOrder && dateExample(sample, dateOrder)
  return (
    <Stack component="section" maw={560}>
      <Title order={3} size="h4">
        {texts.dates}
      </Title>
      <TimeZoneSelect
        label={texts.timeZone}
        description={zoneOrigin(analysis)}
        value={mapping.timeZone}
        onChange={(timeZone) => onChange({ ...mapping, timeZone })}
      />
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={600} id="date-order">
          {texts.dateOrder}
        </Text>
        <Group gap="sm">
          <SegmentedControl
            aria-labelledby="date-order"
            data={ORDERS}
            value={dateOrder ?? ''}
            onChange={(order) => onChange({ ...mapping, dateOrder: order as DateOrder })}
          />
          <Text size="sm" role="status" c={example === undefined ? 'red' : undefined}>
            {dateOrder === undefined
              ? format(texts.chooseOrder, { text: sample })
              : example === undefined
                ? format(texts.noDate, { text: sample })
                : format(texts.example, { text: sample, date: example })}
          </Text>
        </Group>
      </Stack>
      <TextInput
        label={texts.separator}
        description={texts.separatorHint}
        value={mapping.separator ?? ''}
        maxLength={5}
        onChange={({ currentTarget: { value } }) => {
          const { separator: _, ...rest } = mapping
          onChange(value === '' ? rest : { ...rest, separator: value })
        }}
      />
    </Stack>
  )
}
